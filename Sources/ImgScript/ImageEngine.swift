public import HTTPCaching
import HTTPTransport
import LocalDatabase
@_exported public import ProviderModel
import ProviderRuntime
@_exported public import Search

/// Image search and download over any number of sources, each of which is a small script in a sandbox.
///
/// An engine has one transport, one cache and one pool of workers. Any number of searches may go on side by side.
///
/// ```swift
/// let engine = try ImageEngine()
/// for try await image in engine.search("coffee", in: ["openverse"]) {
///     print(image.title ?? image.id, image.media.first?.url ?? "")
/// }
/// await engine.shutdown()
/// ```
public struct ImageEngine: Sendable {
    /// The version of the engine.
    public static let version = "0.1.0"
    /// The libraries that it runs with, each with its version: `libcurl/7.88.1`.
    package static var libraryVersions: [String] { [CurlLibrary.version, "SQLite/\(LocalDatabase.libraryVersion)"] }

    /// Image files as data, through the engine's cache and checks.
    public let images: ImageLoader
    let settings: Configuration
    let directory: ProviderDirectory
    let secrets: SecretStore
    /// The server the user chose, for software that runs on many.
    let instance: WebURL?
    let providers: LoadedProviders
    let notices: NoticeCenter
    private let stack: TransportStack

    /// An engine with a configuration.
    ///
    /// - Throws: `TransportError` when a setting cannot be used: a host that is none, a server that is no URL.
    public init(_ configuration: Configuration = Configuration()) throws {
        settings = configuration
        notices = NoticeCenter(configuration)
        directory = configuration.directory
        secrets = SecretStore(folder: configuration.configurationFolder, environment: configuration.environment)
        let worker = configuration.workerSettings(notices)
        let pool = WorkerPool(settings: worker)
        stack = try TransportStack(configuration, directory: directory, notices: notices)
        var environment = ScriptProvider.Environment(
            pool: pool, transport: stack.transport,
            credentials: configuration.answers.credentials(from: configuration.secrets ?? secrets))
        environment.recordedInstance = stack.recordedInstance
        environment.beginsSessions = configuration.cacheMode != .offline
        environment.results = configuration.usesKeptResults ? stack.results : nil
        environment.trace = configuration.onTrace.map { TraceRecorder($0) }
        environment.refused = stack.refused
        environment.leftOut = { [notices] in notices.post(.leftOut(provider: $0.description, faults: $1)) }
        environment.prewarmTransport = stack.prewarm
        instance = try configuration.instance.map { text throws(TransportError) in try WebURL(server: text) }
        environment.instance = instance
        providers = LoadedProviders(directory: directory, environment: environment)
        images = ImageLoader(transport: stack.transport, providers: providers)
    }

    /// Ends all workers, and closes all connections and files; what is under way is cancelled, later requests are refused.
    public func shutdown() async {
        await providers.close()
        await finish()
        await stack.shutdown()
    }

    /// Waits until the cache is written; for a process that ends next, and its workers with it.
    package func finish() async { await stack.finish() }

    /// The stored responses of sources, to look after; throws when none are kept.
    public func cacheStore() throws -> SQLiteCacheStorage {
        guard let store = settings.cacheStore(notices) else {
            throw ProviderError(.unsupported, provider: "", message: "this configuration has no cache")
        }
        return store
    }
}

// MARK: Listings

extension ImageEngine {
    /// Returns images that match a text, fetched as they are pulled; ending the iteration cancels what is under way.
    ///
    /// A provider that fails does not stop the others. When all fail, the iteration throws.
    ///
    /// - Parameters:
    ///   - names: the providers to ask; those of ``Configuration/defaultProviders`` for none.
    ///   - onFailure: hears of each provider that fails.
    public func search(
        _ text: String, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> ImageSequence {
        images(of: .search(text), in: names, options, onFailure: onFailure)
    }

    /// Returns the images of any listing, as ``search(_:in:_:onFailure:)`` does.
    public func images(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> ImageSequence {
        ImageSequence(
            events(of: listing, in: names, options), providerCount: providerNames(for: listing, names).count,
            onFailure: onFailure)
    }

    /// Returns a listing with everything that happens: images, failures, and what each provider gave in the end.
    ///
    /// Of the providers that `all` stands for, one that lacks a key, a server, the operation or a wanted search around a
    /// point fails with ``SkippedProvider``.
    ///
    /// - Parameters:
    ///   - resumePoint: keeps the listing's place for a later run; see ``resumePoint(of:in:_:isResuming:onNote:)``.
    ///   - identifier: names the search in notices and logs.
    ///   - onNotice: hears what happens beside the results of this search, instead of ``Configuration/onNotice``.
    public func events(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        resumePoint: ResumePoint? = nil, identifier: String = SearchScope.randomIdentifier(),
        onNotice: (@Sendable (Notice) -> Void)? = nil
    ) -> MergedSearch {
        let scope = SearchScope(identifier: identifier, onNotice: onNotice)
        return MergedSearch(
            sources(for: listing, names, options, scope), listing: listing,
            options: settings.answers.adjusting(options), resumePoint: resumePoint)
    }

    /// Returns the next images of a listing, at most ``SearchOptions/limit`` of each provider, and where it goes on.
    ///
    /// Parameters are those of ``events(of:in:_:resumePoint:identifier:onNotice:)``.
    ///
    /// - Parameter cursor: the ``ListingPart/next(leavingOut:)`` of the part before; nil for the first part.
    public func part(
        of listing: Listing, in names: [String] = [], after cursor: ListingCursor? = nil,
        _ options: SearchOptions = SearchOptions(), identifier: String = SearchScope.randomIdentifier(),
        onNotice: (@Sendable (Notice) -> Void)? = nil
    ) -> ListingPart {
        let scope = SearchScope(identifier: identifier, onNotice: onNotice)
        return ListingPart(
            of: listing, from: sources(for: listing, names, options, scope), after: cursor,
            settings.answers.adjusting(options))
    }

    /// The providers that names stand for, each opened within a scope when its first page is wanted.
    private func sources(
        for listing: Listing, _ names: [String], _ options: SearchOptions, _ scope: SearchScope
    ) -> [(name: String, open: @Sendable () async throws -> any ImageSource)] {
        let isForAll = names.contains(Configuration.allProviders)
        return providerNames(for: listing, names).map { name in
            let isWanted = names.contains(name) || !isForAll
            return (
                name,
                {
                    try await scope.run {
                        let provider = try await providers.provider(named: name)
                        if !isWanted { try provider.checkApplicable(to: listing, options) }
                        return ScopedSource(provider: provider, scope: scope)
                    }
                }
            )
        }
    }

    /// Returns one page of a provider's listing.
    ///
    /// - Parameter cursor: the ``ListingPage/next`` of the page before; nil for the first page.
    public func page(
        of listing: Listing, in provider: String, after cursor: PageCursor? = nil,
        _ options: SearchOptions = SearchOptions(), identifier: String = SearchScope.randomIdentifier(),
        onNotice: (@Sendable (Notice) -> Void)? = nil
    ) async throws -> ListingPage {
        try await SearchScope(identifier: identifier, onNotice: onNotice).run {
            try await ListingPage(
                of: listing, from: try await providers.provider(named: provider), after: cursor,
                settings.answers.adjusting(options))
        }
    }

    /// Returns the place of a listing: where a later run goes on, or where this one does.
    ///
    /// - Throws: `ResumeError` when what is stored cannot be used.
    public func resumePoint(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(), isResuming: Bool,
        onNote: @escaping @Sendable (ResumeNote) -> Void = { _ in }
    ) throws(ResumeError) -> ResumePoint {
        let key = ResumeKey(
            listing, providers: providerNames(for: listing, names), options: settings.answers.adjusting(options),
            instance: instance?.description)
        let notices = notices
        let store = SQLiteResumeStore(
            path: "\(settings.stateFolder)/resume.sqlite", warning: { notices.post(.warning($0)) })
        return try ResumePoint(
            key, in: store, isResuming: isResuming,
            revision: { ($0 as? ScopedSource)?.provider.revision }, onNote: onNote)
    }

    /// Returns the providers that names stand for: `all` is every one there is, none at all the default ones.
    public func providerNames(for names: [String]) -> [String] {
        guard !names.isEmpty else { return settings.defaultProviders }
        var resolved: [String] = []
        for name in names {
            let all = name == Configuration.allProviders ? directory.entries().map(\.file.id.description) : []
            // Where there is none at all, the name `all` is an unknown provider.
            for name in all.isEmpty ? [name] : all where !resolved.contains(name) { resolved.append(name) }
        }
        return resolved
    }

    private func providerNames(for listing: Listing, _ names: [String]) -> [String] {
        // A collection is of one provider.
        if names.isEmpty, case .collection(let item) = listing { return [item.provider.description] }
        return providerNames(for: names)
    }
}

// MARK: Items

extension ImageEngine {
    /// Returns the item that `reference` stands for, with no more than its id: the source itself is not asked.
    public func item(for reference: String) async throws -> Item {
        try await ReferenceResolver(directory: directory, providers: providers).resolve(reference).1
    }

    /// Returns the collection of everything by an item's author, where the provider can list it.
    public func authorCollection(of item: Item) async -> Item? {
        guard let page = item.author?.url?.description,
            // The item's provider was found when the item was listed; without it there is no collection either.
            let provider = try? await providers.provider(named: item.provider.description),
            provider.manifest.description(of: .collection) != nil,
            let collection = provider.item(matching: page), collection.type == .collection
        else { return nil }
        return collection
    }

    /// Returns what `reference` stands for: `provider:id`, a provider's short form such as `unsplash:user:anna`, or a page
    /// URL.
    ///
    /// An image comes with everything its source says; a collection only with its id, for ``Listing/collection(_:)``. A
    /// source that has no details of single images is an error: nothing would be known but the id that was asked for.
    public func details(of reference: String) async throws -> Item {
        let (provider, item) = try await ReferenceResolver(directory: directory, providers: providers).resolve(
            reference)
        try await checkInstance(isTakenByAnyOf: [provider.manifest])
        guard item.type == .image else { return item }
        guard provider.manifest.description(of: .details) != nil else {
            throw ProviderError(
                .unsupported, provider: provider.manifest.id.description,
                message: "\(provider.manifest.name) has no details of single images",
                hint: .listDetails)
        }
        return try await provider.details(of: item)
    }

    /// Returns everything an item's source says about it, the item itself where the source gives no details.
    public func details(of item: Item) async throws -> Item {
        let provider = try await providers.provider(named: item.provider.description)
        guard item.type == .image, provider.manifest.description(of: .details) != nil else { return item }
        return try await provider.details(of: item)
    }
}
