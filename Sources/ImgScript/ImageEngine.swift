public import HTTPCaching
import HTTPTransport
import LocalDatabase
@_exported public import ProviderModel
import ProviderRuntime
@_exported public import Search

/// Searches and downloads images of any number of sources, each a small script in a sandbox.
///
/// An engine has one transport, one cache and one pool of workers, and serves any number of calls at the same time.
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
    /// The page of the program, by which sources know who asks.
    public static let homepage = "https://github.com/imgscript/imgscript"
    /// The libraries that it runs with, each with its version: `libcurl/7.88.1`.
    package static var libraryVersions: [String] { [CurlLibrary.version, "SQLite/\(LocalDatabase.libraryVersion)"] }

    /// Loads image files into memory, through the engine's cache and checks.
    public let images: ImageLoader
    let settings: Configuration
    let directory: ProviderDirectory
    let secrets: SecretStore
    /// The server that the user chose, for software that runs on many.
    let instance: WebURL?
    /// The servers that the user chose, for all providers and for single ones.
    let instances: ChosenInstances
    let providers: LoadedProviders
    let notices: NoticeCenter
    /// Where the cookies of logins come from besides those that are stored.
    let cookies: (any CookieSource)?
    /// Where the tokens of logins are kept.
    let logins: LoginStorage
    let stack: TransportStack

    /// Creates an engine; workers start and connections open with the first call.
    ///
    /// - Parameter configuration: folders, cache, network, limits and callbacks.
    /// - Throws: `TransportError` with the code `badRequest` when `allowedHosts` or `instance` is not valid, `tls` when
    ///   `certificateFile` cannot be read, or `secrets` when `cookies` cannot.
    public init(_ configuration: Configuration = Configuration()) throws {
        settings = configuration
        notices = NoticeCenter(configuration)
        directory = configuration.directory
        secrets = SecretStore(folder: configuration.configurationFolder, environment: configuration.environment)
        let worker = configuration.workerSettings(notices)
        let pool = WorkerPool(settings: worker)
        logins = LoginStorage(in: configuration.secrets ?? secrets, lockFolder: configuration.configurationFolder)
        stack = try TransportStack(configuration, directory: directory, notices: notices, logins: logins)
        cookies = try configuration.cookieSource(configuration.cookies, notices)
        var environment = ScriptProvider.Environment(
            pool: pool, transport: stack.transport(seenBy: configuration.onExchange),
            credentials: configuration.answers.credentials(from: configuration.secrets ?? secrets, cookies: cookies))
        environment.recordedInstance = stack.recordedInstance
        environment.answersAreSamples = configuration.answers == .samples
        environment.beginsSessions = configuration.cacheMode != .offline
        environment.results = configuration.usesKeptResults ? stack.results : nil
        environment.trace = configuration.onTrace.map { TraceRecorder($0) }
        environment.refused = stack.refused
        environment.failed = configuration.onFailure
        environment.knownUpdate = { [shipped = directory.shipped, knownUpdate = configuration.knownUpdate] file in
            // A file that its author works on is no version of a pack.
            guard file.installed != nil || shipped.contains(file.folder), let pack = file.pack else { return nil }
            return knownUpdate(pack.name, pack.version)
        }
        environment.leftOut = { [notices] in notices.post(.leftOut(provider: $0.description, faults: $1)) }
        environment.prewarmTransport = stack.prewarm
        environment.fetchImage = { [transport = stack.transport] in try await SearchImage.fetch($0, over: transport) }
        instance = try configuration.instance.map { text throws(TransportError) in try WebURL(server: text) }
        environment.instance = instance
        environment.instances = try configuration.providers.compactMapValues { settings throws(TransportError) in
            try settings.network.instance.map { text throws(TransportError) in try WebURL(server: text) }
        }
        instances = ChosenInstances(common: instance, byProvider: environment.instances)
        providers = LoadedProviders(directory: directory, environment: environment)
        images = ImageLoader(
            transport: stack.transport, providers: providers, isSample: configuration.answers == .samples)
    }

    /// Ends all workers, and closes all connections and files.
    ///
    /// Calls under way are cancelled, and later requests fail.
    public func shutdown() async {
        await providers.close()
        await finish()
        await stack.shutdown()
    }

    /// Waits until the cache is written; for a process that ends next, and its workers with it.
    package func finish() async {
        await stack.finish()
        guard settings.storesCookies else { return }
        for (owner, cookies) in stack.cookies.changed {
            do throws(TransportError) {
                try secrets.set(AuthenticationMethod.cookieSecret, of: owner, to: CookieText.json(cookies))
            } catch { notices.post(.warning("could not store the cookies of \(owner): \(error.message)")) }
        }
    }

    /// Returns the cache's storage, for statistics, verification and cleaning.
    ///
    /// - Returns: the storage.
    /// - Throws: `ProviderError` with the code `unsupported` when the configuration has no cache.
    public func cacheStore() throws -> SQLiteCacheStorage {
        guard let store = settings.cacheStore(notices) else {
            throw ProviderError(.unsupported, provider: "", message: "this configuration has no cache")
        }
        return store
    }
}

// MARK: Listings

extension ImageEngine {
    /// Searches for images that match a text, fetched as they are iterated; ending the iteration cancels its requests.
    ///
    /// A provider that fails does not end the others.
    ///
    /// - Parameters:
    ///   - text: the search text.
    ///   - names: the providers' ids, or `all`; ``Configuration/defaultProviders`` if empty.
    ///   - options: how many images of each provider, and which.
    ///   - context: the name in logs and the receiver of notices.
    ///   - onFailure: called with the error of each provider that fails, once per provider; nil to have the first thrown at
    ///     the end, after the images of the others.
    /// - Returns: the images. Their iteration throws the first provider's error when every provider fails.
    public func search(
        _ text: String, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        context: EngineContext = EngineContext(), onFailure: (@Sendable (any Error) -> Void)? = nil
    ) -> ImageSequence {
        images(of: .search(text), in: names, options, context: context, onFailure: onFailure)
    }

    /// Lists the images of a search, a feed or a collection, as ``search(_:in:_:context:onFailure:)`` does.
    ///
    /// - Parameters:
    ///   - listing: a search, a feed or a collection.
    ///   - names: the providers' ids, or `all`; if empty, ``Configuration/defaultProviders``, or a collection's own provider.
    ///   - options: how many images of each provider, and which.
    ///   - context: the name in logs and the receiver of notices.
    ///   - onFailure: called with the error of each provider that fails, once per provider; nil to have the first thrown at
    ///     the end, after the images of the others.
    /// - Returns: the images. Their iteration throws the first provider's error when every provider fails.
    public func images(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        context: EngineContext = EngineContext(), onFailure: (@Sendable (any Error) -> Void)? = nil
    ) -> ImageSequence {
        ImageSequence(
            events(of: listing, in: names, options, context: context),
            providerCount: providerNames(for: listing, names).count,
            isFault: { error in
                // What lacks a key or the operation, and was not named, is no fault.
                if case .skipped = (error as? EngineError)?.code { false } else { true }
            }, onFailure: onFailure)
    }

    /// Lists images together with failures and the totals of each provider.
    ///
    /// Of the providers that `all` stands for, one that lacks a key, a server, the operation or a requested search around a
    /// point, or that is known to be broken, fails with ``EngineError/Code/skipped(_:)``.
    ///
    /// - Parameters:
    ///   - listing: a search, a feed or a collection.
    ///   - names: the providers' ids, or `all`; if empty, ``Configuration/defaultProviders``, or a collection's own provider.
    ///   - options: how many images of each provider, and which.
    ///   - resumePoint: stores the listing's position for a later run; see ``resumePoint(of:in:_:isResuming:onNote:)``.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the events. A provider's failure is one of them; the iteration never throws.
    public func events(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(),
        resumePoint: ResumePoint? = nil, context: EngineContext = EngineContext()
    ) -> MergedSearch {
        MergedSearch(
            sources(for: listing, names, options, context), listing: listing,
            options: options, for: settings.adjusting(options), resumePoint: resumePoint)
    }

    /// Lists the next images of a listing, at most ``SearchOptions/limit`` of each provider.
    ///
    /// - Parameters:
    ///   - listing: a search, a feed or a collection.
    ///   - names: the providers' ids, or `all`; if empty, ``Configuration/defaultProviders``, or a collection's own provider.
    ///   - cursor: the ``ListingPart/next(leavingOut:)`` of the previous part; nil for the first part.
    ///   - options: how many images of each provider, and which.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the part, whose events are fetched as they are iterated.
    /// - Throws: `ProviderError` with the code `unsupported` for a cursor of another listing: of another text, parameter or
    ///   filter.
    public func part(
        of listing: Listing, in names: [String] = [], after cursor: ListingCursor? = nil,
        _ options: SearchOptions = SearchOptions(), context: EngineContext = EngineContext()
    ) throws(ProviderError) -> ListingPart {
        try ListingPart(
            of: listing, from: sources(for: listing, names, options, context), after: cursor,
            settings.answers.adjusting(options), for: settings.adjusting(options),
            on: instances.servers(of: providerNames(for: listing, names)))
    }

    /// The providers that names stand for, each opened within a context when its first page is wanted.
    private func sources(
        for listing: Listing, _ names: [String], _ options: SearchOptions, _ context: EngineContext
    ) -> [(name: String, open: @Sendable () async throws -> any ImageSource)] {
        // One of many that lacks a key is skipped; one that is named itself fails.
        let asked = names.isEmpty ? settings.defaultProviders : names
        let isForMany = asked.contains { $0 == Configuration.allProviders || $0.hasPrefix("@") }
        let health = health
        return providerNames(for: listing, names).map { name in
            let isWanted = asked.contains(name) || !isForMany
            return (
                name,
                {
                    try await context.run {
                        try checkGroup(name)
                        let provider = try await providers.provider(named: name)
                        if !isWanted { try provider.checkApplicable(to: listing, options) }
                        try check(provider, isWanted: isWanted, by: health)
                        return ContextualSource(provider, context, pagesInFlight: options.pagesInFlight)
                    }
                }
            )
        }
    }

    /// Requests one page of a provider's listing.
    ///
    /// - Parameters:
    ///   - listing: a search, a feed or a collection.
    ///   - provider: the provider's id.
    ///   - cursor: the ``ListingPage/next`` of the previous page; nil for the first page.
    ///   - options: which images; the page's size is ``SearchOptions/pageSize``, or without it ``SearchOptions/limit``, within
    ///     the provider's bounds.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the page and the cursor of the next one.
    /// - Throws: `ProviderError`, with the code `transport` when the source cannot be reached, `unsupported` for a cursor of
    ///   another listing; an error of ``Configuration/secrets``; `CancellationError` when the task is cancelled.
    public func page(
        of listing: Listing, in provider: String, after cursor: PageCursor? = nil,
        _ options: SearchOptions = SearchOptions(), context: EngineContext = EngineContext()
    ) async throws -> ListingPage {
        try await context.run {
            try await ListingPage(
                of: listing, from: try await providers.provider(named: provider), after: cursor,
                settings.adjusting(options)(provider), on: instances[provider]?.description)
        }
    }

    /// Opens the stored position of a listing, for ``events(of:in:_:resumePoint:context:)``.
    ///
    /// - Parameters:
    ///   - listing: a search, a feed or a collection.
    ///   - names: the providers, as they are passed to `events`.
    ///   - options: the options passed there; a position is stored for each listing, set of providers, and parameters.
    ///   - isResuming: whether to begin at the stored position; a run from the first page replaces it.
    ///   - onNote: called with what a user should know, such as that no position is stored.
    /// - Returns: the resume point.
    /// - Throws: `ResumeError` with the code `damaged` or `storage` when the stored position cannot be used.
    public func resumePoint(
        of listing: Listing, in names: [String] = [], _ options: SearchOptions = SearchOptions(), isResuming: Bool,
        onNote: @escaping @Sendable (ResumeNote) -> Void = { _ in }
    ) throws(ResumeError) -> ResumePoint {
        let names = providerNames(for: listing, names)
        var keyed = settings.answers.adjusting(options)
        for name in names {
            keyed.parametersByProvider[name] = settings.adjusting(options)(name).parametersByProvider[name]
        }
        let key = ResumeKey(listing, providers: names, options: keyed, servers: instances.servers(of: names))
        let notices = notices
        let store = SQLiteResumeStore(
            path: "\(settings.stateFolder)/resume.sqlite", warning: { notices.post(.warning($0)) })
        return try ResumePoint(
            key, in: store, isResuming: isResuming,
            revision: { ($0 as? ContextualSource)?.provider.revision }, onNote: onNote)
    }

    /// Resolves providers' names without loading them.
    ///
    /// - Parameter names: ids, `all` for every installed provider, or `@name` for a group of ``Configuration/providerGroups``;
    ///   ``Configuration/defaultProviders`` if empty.
    /// - Returns: the ids in this order, each once. An unknown id or group is returned unchanged; using it fails.
    public func providerNames(for names: [String]) -> [String] {
        var resolved: [String] = []
        var groups: Set<String> = []
        func add(_ names: [String]) {
            for name in names {
                let members =
                    name == Configuration.allProviders
                    ? directory.entries().map(\.file.id.description)
                    : name.hasPrefix("@") ? settings.providerGroups[String(name.dropFirst())] ?? [] : []
                // Where there is no provider at all, the name `all` is an unknown one.
                guard !members.isEmpty else {
                    if !resolved.contains(name) { resolved.append(name) }
                    continue
                }
                // A group may name one that it is itself a member of.
                if groups.insert(name).inserted { add(members) }
            }
        }
        add(names.isEmpty ? settings.defaultProviders : names)
        return resolved
    }

    /// Checks that a name is not that of a group, which would have been resolved.
    private func checkGroup(_ name: String) throws(ProviderError) {
        guard name.hasPrefix("@") else { return }
        let known = settings.providerGroups.keys.sorted().map { "@\($0)" }
        let expected = known.isEmpty ? "a provider's name; there are no groups" : known.joined(separator: ", ")
        throw ProviderError(
            .provider, provider: "",
            message: "unknown group \(name.quoted)\(name.suggestion(among: known, expected: expected))",
            hint: .configureGroups)
    }

    private func providerNames(for listing: Listing, _ names: [String]) -> [String] {
        // A collection is of one provider.
        if names.isEmpty, case .collection(let item) = listing { return [item.provider.description] }
        return providerNames(for: names)
    }
}

// MARK: Items

extension ImageEngine {
    /// Resolves a reference to an item without further fields; no request is sent.
    ///
    /// - Parameter reference: `provider:id`, a provider's short form such as `unsplash:user:anna`, or a page URL.
    /// - Returns: the item with its provider, id and kind.
    /// - Throws: `ProviderError` with the code `unsupported` for an invalid reference, `provider` for an unknown provider,
    ///   `notFound` for a page of no provider.
    public func item(for reference: String) async throws -> Item { try await resolve(reference).item }

    /// Finds the collection of everything by an item's author.
    ///
    /// - Parameter item: an image with an author's URL.
    /// - Returns: the collection; nil where the provider cannot list it.
    public func authorCollection(of item: Item) async -> Item? {
        guard let page = item.author?.url?.description,
            // The item's provider was found when the item was listed; without it there is no collection either.
            let provider = try? await providers.provider(named: item.provider.description),
            provider.manifest.description(of: .collection) != nil,
            let collection = provider.item(matching: page), collection.type == .collection
        else { return nil }
        return collection
    }

    /// Requests everything that the source has about a referenced image.
    ///
    /// A collection is returned without a request, for ``Listing/collection(_:)``.
    ///
    /// - Parameters:
    ///   - reference: `provider:id`, a provider's short form such as `unsplash:user:anna`, or a page URL.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the item.
    /// - Throws: `ProviderError` with the code `unsupported` for an invalid reference or a provider without details, `provider`
    ///   for an unknown provider, `notFound` when there is no such image or page, `transport` when the source cannot be
    ///   reached; an error of ``Configuration/secrets``; `CancellationError` when the task is cancelled.
    public func details(of reference: String, context: EngineContext = EngineContext()) async throws -> Item {
        try await context.run {
            let (provider, item) = try await resolve(reference)
            try await checkInstance(isTakenByAnyOf: [provider.manifest])
            guard item.type != .collection else { return item }
            try check(provider, isWanted: true, by: health)
            guard provider.manifest.description(of: .details) != nil else {
                throw ProviderError(
                    .unsupported, provider: provider.manifest.id.description,
                    message: "\(provider.manifest.name) has no details of single images",
                    hint: .listDetails)
            }
            return try await provider.details(of: item)
        }
    }

    /// Requests everything that the source has about an item.
    ///
    /// - Parameters:
    ///   - item: an item of a listing.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the item with its details; unchanged if it is a collection or the provider has no details.
    /// - Throws: `ProviderError`, with the code `transport` when the source cannot be reached; an error of
    ///   ``Configuration/secrets``; `CancellationError` when the task is cancelled.
    public func details(of item: Item, context: EngineContext = EngineContext()) async throws -> Item {
        try await context.run {
            let provider = try await providers.provider(named: item.provider.description)
            guard item.type != .collection, provider.manifest.description(of: .details) != nil else { return item }
            return try await provider.details(of: item)
        }
    }

    /// Finds the provider and the item of `provider:id`, a short form, or a page URL.
    private func resolve(_ reference: String) async throws -> (provider: ScriptProvider, item: Item) {
        guard !reference.isWebAddress else { return try await resolve(page: reference) }
        guard let colon = reference.firstIndex(of: ":"), colon > reference.startIndex, !reference.contains("://") else {
            throw ProviderError(
                .unsupported, provider: "",
                message: "\"\(reference)\" is not a valid reference (expected PROVIDER:ID or a page URL)")
        }
        let provider = try await providers.provider(named: String(reference[..<colon]))
        let id = String(reference[reference.index(after: colon)...])
        guard !id.isEmpty else {
            throw ProviderError(
                .unsupported, provider: provider.manifest.id.description,
                message: "\(reference.quoted) has no id (expected PROVIDER:ID)")
        }
        return (provider, provider.item(matching: id) ?? Item(provider: provider.manifest.id, id: id))
    }

    private func resolve(page: String) async throws -> (provider: ScriptProvider, item: Item) {
        // What is no URL is a page of no provider.
        if let url = try? WebURL(page) {
            // Only files that name its domain are evaluated.
            let names = PageCandidates(directory.entries(), instances: instances).names(for: url)
            for provider in await providers.usable(of: names) {
                if let item = provider.item(at: url) { return (provider, item) }
            }
        }
        throw ProviderError(
            .notFound, provider: "", message: "no provider knows the page \(page.quoted)",
            hint: .several([.listProviders, "an image's own URL needs no provider"]))
    }
}
