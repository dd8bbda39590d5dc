public import HTTPCaching
import HTTPTransport
@_exported public import ProviderModel
import ProviderRuntime
@_exported public import Search

/// Image search over any number of sources, each of which is a small script in a sandbox.
///
/// ```swift
/// for try await image in try ImageEngine().search("coffee", providers: ["pixabay"]) {
///     print(image.title ?? image.id, image.media.first?.url ?? "")
/// }
/// ```
public struct ImageEngine: Sendable {
    /// The version of the engine.
    public static let version = "0.1.0"

    let settings: Configuration
    let directory: ProviderDirectory
    let secrets: SecretStore
    /// The server the user chose, for software that runs on many.
    let instance: WebURL?
    let providers: LoadedProviders
    private let finishStack: @Sendable () async -> Void

    /// An engine.
    ///
    /// The first worker starts at once, beside whatever the caller does next, unless what will be asked for may be stored.
    ///
    /// Throws when a setting cannot be used: a host that is none, a server that is no URL.
    public init(_ settings: Configuration = Configuration()) throws {
        self.settings = settings
        directory = settings.directory
        secrets = SecretStore(folder: settings.configurationFolder, environment: settings.environment)
        let pool = WorkerPool(settings: settings.workerSettings)
        if settings.needsEverything { pool.prewarm() }
        let stack = try TransportStack(settings, directory: directory, startsAtOnce: settings.needsEverything)
        finishStack = stack.finish
        var environment = ScriptProvider.Environment(
            pool: pool, transport: stack.transport, credentials: settings.answers.credentials(from: secrets))
        environment.recordedInstance = stack.recordedInstance
        environment.beginsSessions = settings.cacheMode != .offline
        environment.results = settings.usesKeptResults ? stack.results : nil
        environment.trace = settings.onTrace.map { TraceRecorder($0) }
        environment.refused = stack.refused
        instance = try settings.instance.map { text throws(TransportError) in try WebURL(server: text) }
        environment.instance = instance
        providers = LoadedProviders(directory: directory, environment: environment)
    }

    /// Images that match a text, fetched as they are asked for; providers that need no key are asked when none is named.
    ///
    /// A provider that fails does not stop the others; `onFailure` hears of it. When all fail, the iteration throws.
    public func search(
        _ text: String, providers names: [String] = [], options: SearchOptions = SearchOptions(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> ImageSequence {
        sequence(.search, text: text, names, options, onFailure)
    }

    /// Images of a list that needs no text: recent, popular, editorial.
    public func feed(
        providers names: [String] = [], options: SearchOptions = SearchOptions(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> ImageSequence {
        sequence(.feed, text: "", names, options, onFailure)
    }

    /// The items of an album, a gallery or a user, as `item(at:)` found it.
    public func items(of collection: Item, options: SearchOptions = SearchOptions()) throws -> ImageSequence {
        sequence(.collection(collection), text: "", [collection.provider.description], options) { _ in }
    }

    /// A listing with everything that happens: images, failures, and what each provider gave in the end.
    ///
    /// `all` stands for every provider; of those, one that lacks a key, a server, the operation or a wanted search
    /// around a point fails with `SkippedProvider`.
    public func events(
        _ listing: Listing, text: String = "", providers names: [String] = [],
        options: SearchOptions = SearchOptions(), crawl: ResumePoint? = nil
    ) -> MergedSearch {
        let providers = providers
        let isForAll = names.contains(Configuration.allProviders)
        return MergedSearch(
            providerNames(for: names).map { name in
                let isWanted = names.contains(name) || !isForAll
                return (
                    name,
                    {
                        let provider = try await providers.provider(named: name)
                        if !isWanted { try provider.checkApplicable(to: listing, options) }
                        return provider
                    }
                )
            }, listing: listing, text: text, options: settings.answers.adjusting(options), crawl: crawl)
    }

    /// The place of a listing in the state folder: where a later run goes on, or where this one does.
    ///
    /// Throws `ResumeError` when what is kept there cannot be used.
    public func crawl(
        _ listing: Listing, text: String = "", providers names: [String] = [],
        options: SearchOptions = SearchOptions(), isResuming: Bool, onNote: @escaping @Sendable (ResumeNote) -> Void
    ) throws(ResumeError) -> ResumePoint {
        let key = ResumeKey(
            listing, text: text, providers: providerNames(for: names), options: settings.answers.adjusting(options),
            instance: instance?.description)
        return try ResumePoint(
            key, in: ResumeFile(folder: "\(settings.stateFolder)/crawls"), isResuming: isResuming,
            revision: { ($0 as? ScriptProvider)?.revision }, onNote: onNote)
    }

    /// The providers that names stand for: `all` is every one there is, none at all the standard ones.
    public func providerNames(for names: [String]) -> [String] {
        guard !names.isEmpty else { return Configuration.standardProviders }
        var resolved: [String] = []
        for name in names {
            let all = name == Configuration.allProviders ? directory.entries().map(\.file.id.description) : []
            // Where there is none at all, that is told of as of a name that there is not.
            for name in all.isEmpty ? [name] : all where !resolved.contains(name) { resolved.append(name) }
        }
        return resolved
    }

    /// What `reference` stands for: `provider:id`, a provider's short form such as `unsplash:user:anna`, or a page URL.
    ///
    /// An image comes with everything its source says; a collection only with its id, for `items(of:)`. A source that
    /// gives no details of single images is an error: nothing would be known but the id that was asked for.
    public func item(at reference: String) async throws -> Item {
        let (provider, item) = try await ReferenceResolver(directory: directory, providers: providers).resolve(
            reference)
        try await checkInstance(isTakenByAnyOf: [provider.manifest])
        guard item.type == .image else { return item }
        guard provider.manifest.description(of: .details) != nil else {
            throw ProviderError(
                .unsupported, provider: provider.manifest.id.description,
                message: "\(provider.manifest.name) gives no details of single images",
                hint: "-f json prints all it says about those that a search or a feed finds")
        }
        return try await provider.details(of: item)
    }

    /// Every provider that can be found, by id, with what is wrong with it where it cannot be used.
    public func listProviders() async -> [ProviderListing] {
        let entries = directory.entries()
        let providers = providers
        return await withTaskGroup(of: (Int, ProviderListing).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask { (index, await providers.listing(of: entry)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Files that lie where providers do and are never used, as their names are no ids.
    public func misnamedFiles() -> [String] { directory.misnamed() }

    /// What a provider says about itself.
    public func manifest(of name: String) async throws -> ProviderManifest {
        try await providers.provider(named: name).manifest
    }

    /// Evaluates and checks a provider's file wherever it lies.
    public func check(file path: String) async throws -> ProviderManifest {
        try await providers.provider(at: path).manifest
    }

    /// The stored answers of sources, to look after; throws when none are kept.
    public func answerStore() throws -> CacheStore {
        guard let store = settings.cacheStore else {
            throw ProviderError(
                .unsupported, provider: "", message: "no answers are stored with these settings",
                hint: "go without --no-cache")
        }
        return store
    }

    /// Ends all workers and waits until they are gone, and until what is being stored is stored.
    public func close() async {
        await providers.close()
        await finish()
    }

    /// Waits until what is being stored is stored.
    ///
    /// A process may end then: its workers end with it.
    public func finish() async { await finishStack() }

    private func sequence(
        _ listing: Listing, text: String, _ names: [String], _ options: SearchOptions,
        _ onFailure: @escaping @Sendable (any Error) -> Void
    ) -> ImageSequence {
        ImageSequence(
            events(listing, text: text, providers: names, options: options),
            providerCount: providerNames(for: names).count,
            onFailure: onFailure)
    }
}

/// A provider as a list shows it.
public struct ProviderListing: Sendable {
    /// Its id.
    public let id: ProviderID
    /// Its file.
    public let path: String
    /// The pack it came in, with its version; nil for a file that came otherwise.
    public let pack: String?
    /// Whether it ships with the program.
    public let isShipped: Bool
    /// Files of the same id in folders further away, which are not used.
    public let hidden: [String]
    /// What it says about itself, or why it cannot be used.
    public let manifest: Result<ProviderManifest, any Error>
}
