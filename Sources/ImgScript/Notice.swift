import HTTPTransport
import Logging
import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// Something that happens beside the results.
    public enum Notice: Sendable {
        /// A request waits before it is tried again.
        case waiting(provider: String, seconds: Int, reason: String)
        /// A request goes out, secrets masked.
        case request(provider: String, text: String)
        /// A response has come.
        case response(provider: String, text: String)
        /// A stored response was used: its age in seconds, and whether it is past its freshness.
        case stored(provider: String, text: String, age: Int, isStale: Bool)
        /// Something is not as it should be, and the work goes on without it.
        case warning(String, hint: Hint? = nil)
        /// Values or whole items were left out of a page of results, or of an item's details, because they are wrong.
        case leftOut(provider: String, faults: [ResultFault])
        /// A script wrote a line with `console`.
        case console(provider: String, level: String, text: String)
    }
}

/// Passes on what happens beside the results, to the search it belongs to and to the log.
struct NoticeCenter: Sendable {
    private let onNotice: @Sendable (ImageEngine.Notice) -> Void
    private let logger: Logger

    init(_ configuration: ImageEngine.Configuration) {
        onNotice = configuration.onNotice
        logger = configuration.logger
    }

    /// Posts a notice of the current search, or of none.
    func post(_ notice: ImageEngine.Notice) {
        let scope = SearchScope.current
        logger.log(
            level: notice.level, "\(notice.text)",
            metadata: scope.map { ["search": .string($0.identifier)] })
        (scope?.onNotice ?? onNotice)(notice)
    }
}

/// What belongs to one search among those of an engine.
public struct SearchScope: Sendable {
    /// The search that this task works for.
    @TaskLocal static var current: SearchScope?

    let identifier: String
    let onNotice: (@Sendable (ImageEngine.Notice) -> Void)?

    /// Returns eight random hexadecimal digits.
    public static func randomIdentifier() -> String {
        (0..<4).map { _ in UInt8.random(in: 0 ... .max) }.hexadecimal
    }

    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await Self.$current.withValue(self, operation: body)
    }
}

/// A provider whose pages are asked for on behalf of one search.
struct ScopedSource: ImageSource {
    let provider: ScriptProvider
    let scope: SearchScope

    var manifest: ProviderManifest { provider.manifest }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        try await scope.run { try await provider.page(of: listing, for: query) }
    }
}

extension ImageEngine.Notice {
    fileprivate var level: Logger.Level {
        switch self {
        case .waiting: .info
        case .request, .response, .stored: .debug
        case .warning, .leftOut: .warning
        case .console(_, let level, _): Logger.Level(rawValue: level) ?? .debug
        }
    }

    fileprivate var text: String {
        switch self {
        case .waiting(let provider, let seconds, let reason): "\(provider): waiting \(seconds) s: \(reason)"
        case .request(let provider, let text): "\(provider): \(text)"
        case .response(let provider, let text): "\(provider): \(text)"
        case .stored(let provider, let text, let age, let isStale):
            "\(provider): \(isStale ? "stale" : "fresh") from the cache, \(age) s old: \(text)"
        case .warning(let text, _): text
        case .leftOut(let provider, let faults):
            "\(provider): " + faults.map { "\($0.path): \($0.message) (\($0.count))" }.joined(separator: "; ")
        case .console(let provider, let level, let text): "\(provider): console.\(level): \(text)"
        }
    }
}
