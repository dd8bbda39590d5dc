import ProviderModel
import ProviderRuntime
import Search

/// Identifies one call to an engine that serves many: its name in logs, and the receiver of its notices.
///
/// ```swift
/// let context = EngineContext(identifier: "request 42") { notice in print(notice) }
/// for try await image in engine.search("red fox", context: context) { print(image.id) }
/// ```
public struct EngineContext: Sendable {
    /// The context of the current task, if any.
    @TaskLocal static var current: EngineContext?

    /// The name in logs, under the metadata key `request`.
    public let identifier: String
    /// Receives the call's notices; nil for ``ImageEngine/Configuration/onNotice``.
    let onNotice: (@Sendable (ImageEngine.Notice) -> Void)?

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - identifier: the name in logs, under the metadata key `request`.
    ///   - onNotice: called with what happens beside the results, from any task; nil for
    ///     ``ImageEngine/Configuration/onNotice``.
    public init(
        identifier: String = EngineContext.randomIdentifier(),
        onNotice: (@Sendable (ImageEngine.Notice) -> Void)? = nil
    ) {
        self.identifier = identifier
        self.onNotice = onNotice
    }

    /// Generates an identifier.
    ///
    /// - Returns: eight random hexadecimal digits.
    public static func randomIdentifier() -> String {
        (0..<4).map { _ in UInt8.random(in: 0 ... .max) }.hexadecimal
    }

    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await Self.$current.withValue(self, operation: body)
    }
}

/// A provider whose pages are requested within a context, so many at once.
struct ContextualSource: ImageSource {
    let provider: ScriptProvider
    let context: EngineContext

    init(_ provider: ScriptProvider, _ context: EngineContext, pagesInFlight: Int) {
        var provider = provider
        provider.permits = PagePermits(pagesInFlight)
        (self.provider, self.context) = (provider, context)
    }

    var manifest: ProviderManifest { provider.manifest }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        try await context.run { try await provider.page(of: listing, for: query) }
    }
}
