import HTTPTransport
import ProviderModel
import Synchronization
import WorkerProtocol

/// A provider's script as an image source: runs its operations in a worker and sends their requests.
package struct ScriptProvider: ImageSource {
    /// The provider's manifest.
    package let manifest: ProviderManifest
    /// The provider's file.
    package let file: ProviderFile
    /// One for each page whose requests are under way; nil for any number.
    package var permits: PagePermits?
    private let source: ScriptSource
    private let environment: Environment
    private let cache: ResultCache?
    private let sessions: SessionCache
    private let pages: PageMatcher

    /// Evaluates a provider's file.
    package init(_ file: ProviderFile, in environment: Environment) async throws {
        self.file = file
        self.environment = environment
        var source = try file.source()
        let cache = environment.results.map { ResultCache(of: &source, in: $0, worker: environment.pool.executable) }
        self.cache = cache
        self.source = source
        var manifest: ProviderManifest
        if let known = cache?.manifest() {
            manifest = known
        } else {
            manifest = try await Self.load(file, source, in: environment)
            cache?.keep(manifest)
        }
        guard manifest.id == file.id else {
            throw ProviderError(
                .provider, provider: file.id.description, location: SourceLocation(file: source.file), path: "id",
                message:
                    "expected \(file.id.description.quoted), as the file is named, found \(manifest.id.description.quoted)"
            )
        }
        try file.installed?.check(manifest)
        manifest.limits = try environment.credentials.limits(for: manifest, on: environment.instance(of: manifest))
        self.manifest = manifest
        sessions = SessionCache(manifest: manifest)
        pages = PageMatcher(manifest, instance: environment.instance(of: manifest))
    }

    private static func load(
        _ file: ProviderFile, _ source: ScriptSource, in environment: Environment
    ) async throws -> ProviderManifest {
        let start = ContinuousClock.now
        environment.prewarmTransport()
        do {
            // By path: two files of one id are two scripts.
            let manifest = try await environment.pool.load(source, as: file.path)
            environment.trace?.loaded(file.id, file: file.path, bytes: source.text.utf8.count, since: start)
            return manifest
        } catch var error as ProviderError {
            error.provider = file.id.description
            throw error
        }
    }

    /// A digest of the file's text.
    package var revision: String { Fingerprint.of(texts: [source.text]).hexadecimal }

    /// Requests one page of a listing.
    package func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        var query = query
        query.instance = query.instance ?? instance
        permits?.enter(query.page)
        defer { permits?.leave(query.page) }
        let call: OperationCall =
            switch listing {
            case .search: .search(query)
            case .feed: .feed(query)
            case .collection(let item): .collection(item, query)
            case .similar(let image): .similar(try await self.query(query, with: image))
            }
        guard case .page(var page) = try await result(of: call) else { throw unexpectedResult(of: call) }
        for index in page.items.indices { page.items[index].provider = manifest.id }
        return page
    }

    /// The query with an image in the form that the source takes: its address, or its file.
    private func query(_ query: ProviderQuery, with image: SearchImage) async throws -> ProviderQuery {
        let kinds = manifest.description(of: .similar)?.imageKinds ?? []
        var (query, image) = (query, image)
        if let url = image.url, !kinds.contains(.url), image.content.isEmpty {
            image = try await environment.fetchImage(url)
            image.url = url
        } else if image.url == nil, !kinds.isEmpty, !kinds.contains(.file) {
            throw ProviderError(
                .unsupported, provider: manifest.id.description, operation: .similar,
                message: "takes the address of an image only (found the file \(image.name.quoted))")
        }
        query.image = image
        return query
    }

    /// Requests everything that the source has about one item.
    package func details(of item: Item) async throws -> Item {
        let call = OperationCall.details(item, instance: instance)
        let answer: OperationResult
        do {
            answer = try await result(of: call)
        } catch let error as ProviderError
            where environment.answersAreSamples && error.code == .notFound && error.hint == nil
        {
            return try await sample(of: item)
        }
        guard case .item(var found) = answer else { throw unexpectedResult(of: call) }
        found.provider = manifest.id
        guard environment.answersAreSamples, found.id != item.id else { return found }
        return try await sample(of: item)
    }

    /// The image as the sample of a list has it: the nearest sample of details is of another image.
    private func sample(of item: Item) async throws -> Item {
        for listing in [Listing.search("coffee"), .feed] where manifest.description(of: listing.operation) != nil {
            var query = ProviderQuery(text: listing.text)
            query.limit = manifest.limits.pageSize.default
            let parameters = manifest.description(of: listing.operation)?.parameters ?? []
            query.parameters = parameters.compactMap { parameter in
                // A default that is no value was refused when the provider was loaded.
                let value = parameter.default.flatMap { try? parameter.value(from: $0) }
                return value.map { ProviderQuery.Parameter(parameter.name, $0) }
            }
            // A provider may have samples of one list and none of the other.
            let items = (try? await page(of: listing, for: query))?.items ?? []
            if let found = items.first(where: { $0.id == item.id }) { return found }
        }
        throw ProviderError(
            .notFound, provider: manifest.id.description, operation: .details,
            message: "\(item.id) is not among the samples", hint: .omitSamples)
    }

    /// Runs the operation `download`, which gives the final file; the media itself where the provider has none.
    package func resolved(_ media: Media, of item: Item) async throws -> Media {
        guard manifest.description(of: .download) != nil else { return media }
        let call = OperationCall.download(media, item, instance: instance)
        guard case .download(let resolved) = try await run(EncodedCall(call), credentials(), record()).result else {
            throw unexpectedResult(of: call)
        }
        return resolved ?? media
    }

    /// Runs the operation `session`, whatever session there is.
    package func begunSession() async throws -> SessionResult {
        let call = OperationCall.session(instance: instance)
        guard case .session(let result) = try await run(EncodedCall(call), credentials()).result else {
            throw unexpectedResult(of: call)
        }
        return result
    }

    /// The credentials for files on the provider's own hosts; nil where none are needed.
    package func fileCredentials() async throws -> Credentials? {
        guard var keys = try credentials() else { return nil }
        if keys.method.needsSession { keys.session = try await sessionValues(UsedSession()) }
        return keys
    }

    /// The chosen server, for software that runs on many.
    package var server: WebURL? { instance }

    /// The item that a page URL or a short form stands for.
    package func item(matching text: String) -> Item? { pages.item(matching: text) }

    /// The item that a page shows.
    package func item(at url: WebURL) -> Item? { pages.item(for: PagePattern.Subject(url)) }

    /// Whether the provider needs a server and none is chosen.
    package var isWithoutInstance: Bool { manifest.instance != nil && instance == nil }

    /// Whether the provider requires a key that is missing.
    package var lacksKey: Bool {
        get throws {
            guard manifest.needsKey, case .user = environment.credentials else { return false }
            return try credentials() == nil
        }
    }

    /// The responses to requests of the provider's script, sent as those of its operations.
    package func answers(
        to requests: [ProviderRequest], of operation: ProviderOperation
    ) async throws -> [ProviderResponse] {
        if isWithoutInstance { throw missingInstance(for: operation) }
        do {
            return try await sender(credentials(), UsedSession()).answers(to: requests, of: operation, ReceiptRecord())
        } catch {
            throw located(error, operation)
        }
    }

    /// Throws when the provider requires a key that is missing.
    package func checkKey() throws {
        if try lacksKey { throw environment.credentials.missingKey(of: manifest, on: instance) }
    }

    // MARK: Operations

    /// The result that was kept of the same call, else that of the script.
    private func result(of call: OperationCall) async throws -> OperationResult {
        try environment.pool.checkIsOpen(for: manifest.id.description)
        let call = EncodedCall(call)
        let credentials = try credentials()
        guard let cache else { return try await run(call, credentials, record()).result }
        let identity = credentials?.identityMaterial ?? []
        // In strict mode the script runs again, to report the position of the fault.
        if let known = cache.result(of: call, identity: identity), known.faults.isEmpty || !environment.pool.isStrict {
            environment.trace?.begin(call.call, of: manifest.id).record(
                .known(known.result.summary(of: call.call, paging: manifest.paging)))
            report(known.faults)
            return known.result
        }
        let receipts = record()
        let result = try await run(call, credentials, receipts)
        if let receipts = receipts.complete { cache.keep(result, of: call, identity: identity, from: receipts) }
        return result.result
    }

    private func report(_ faults: [ResultFault]) {
        if !faults.isEmpty { environment.leftOut(manifest.id, faults) }
    }

    private func run(
        _ encoded: EncodedCall, _ credentials: Credentials?, _ receipts: ReceiptRecord = ReceiptRecord()
    ) async throws -> EncodedResult {
        if isWithoutInstance { throw missingInstance(for: encoded.call.operation) }
        return try await sessions.call { try await run(encoded, credentials, receipts, in: $0) }
    }

    private func run(
        _ encoded: EncodedCall, _ credentials: Credentials?, _ receipts: ReceiptRecord, in used: UsedSession
    ) async throws -> EncodedResult {
        let call = encoded.call
        environment.prewarmTransport()
        let trace = environment.trace?.begin(call, of: manifest.id)
        var sender = sender(credentials, used)
        sender.image = call.image
        let page = call.page
        do {
            let result = try await environment.pool.run(
                encoded, of: source, as: file.path, manifest: manifest
            ) { requests in
                let script = trace?.pauseScript()
                defer { trace?.resumeScript() }
                // Only pages need permits: a session is begun for a request that has one already.
                if let page { try await permits?.wait(for: page) }
                defer { if page != nil { permits?.signal() } }
                return try await sender.answers(
                    to: requests, of: call.operation, receipts, trace.map { ($0, script ?? .zero) })
            }
            trace?.finish(result.result, of: call, paging: manifest.paging)
            report(result.faults)
            return result
        } catch {
            if (error as? ProviderError)?.code == .rate, let (request, response) = receipts.lastExchange {
                await environment.refused(request, response)
            }
            let error = located(error, call.operation)
            trace?.record(.failed("\(error)"))
            if let error = error as? ProviderError { environment.failed?(error, receipts.exchanges) }
            throw error
        }
    }

    private func record() -> ReceiptRecord { ReceiptRecord(keepsExchanges: environment.failed != nil) }

    private func missingInstance(for operation: ProviderOperation) -> ProviderError {
        ProviderError(
            .unsupported, provider: manifest.id.description, operation: operation,
            message: "no server given: this software runs on many servers",
            hint: .several([.nameInstance] + (manifest.instance?.help.map { [.plain($0)] } ?? [])))
    }

    /// The error with the provider and the operation it is of.
    private func located(_ error: any Error, _ operation: ProviderOperation) -> any Error {
        switch error {
        case var error as ProviderError:
            error.provider = manifest.id.description
            error.operation = error.operation ?? operation
            error.hint = error.hint ?? loginHint(of: error) ?? keyHint(of: error) ?? reportHint(of: error)
            return notingDeprecation(error)
        case let error as TransportError:
            return notingDeprecation(ProviderError(error, provider: manifest.id, operation: operation))
        default: return error
        }
    }

    /// A login, where the source refused what a key or a guest may not see.
    private func loginHint(of error: ProviderError) -> Hint? {
        guard error.code == .auth, case .user = environment.credentials,
            manifest.authentication.contains(where: \.hasLogin), (try? credentials())?.method.hasLogin != true
        else { return nil }
        let server = manifest.instance == nil ? nil : instance?.origin
        return .logIn(provider: manifest.id.description, server: server)
    }

    /// A key, where the source refused what it allows with one.
    private func keyHint(of error: ProviderError) -> Hint? {
        guard error.code == .blocked, case .user = environment.credentials, !manifest.needsKey,
            manifest.keyMethod != nil, (try? credentials()) ?? nil == nil
        else { return nil }
        let server = manifest.instance == nil ? nil : instance?.origin
        return .storeKey(provider: manifest.id.description, server: server, variables: [])
    }

    /// Where to report an answer that the script does not understand.
    private func reportHint(of error: ProviderError) -> Hint? {
        guard [.script, .result, .changed].contains(error.code), case .user = environment.credentials else {
            return nil
        }
        let report = Hint.reportFault(
            provider: manifest.id.description, version: manifest.version,
            place: manifest.bugs?.description ?? file.bugs)
        return environment.knownUpdate(file).map { .several([$0, report]) } ?? report
    }

    /// The error with what is said of a source that ends.
    private func notingDeprecation(_ error: ProviderError) -> ProviderError {
        guard let note = manifest.deprecated, [.auth, .blocked, .notFound, .unsupported, .changed].contains(error.code)
        else { return error }
        var error = error
        error.hint = .several([error.hint, .plain("\(manifest.name) is \(note)")].compactMap(\.self))
        return error
    }

    private var instance: WebURL? { environment.instance(of: manifest) }

    /// The user's key without a session; nil where requests go without.
    private func credentials() throws -> Credentials? {
        try environment.credentials.credentials(for: manifest, on: instance, session: SessionValues())
    }

    private func sender(_ credentials: Credentials?, _ used: UsedSession) -> RequestSender {
        RequestSender(
            manifest: manifest, instance: instance, installed: file.installed,
            transport: environment.transport,
            source: environment.credentials, credentials: credentials, session: { try await sessionValues(used) })
    }

    private func sessionValues(_ used: UsedSession) async throws -> SessionValues {
        if case .user = environment.credentials, environment.beginsSessions {
            return try await sessions.values(for: used) { try await begunSession() }
        }
        return SessionValues([:])
    }

    private func unexpectedResult(of call: OperationCall) -> ProviderError {
        ProviderError(
            .worker, provider: manifest.id.description, operation: call.operation,
            message: "the worker sent another kind of result than requested")
    }
}

extension ScriptProvider {
    /// What all providers of a run share.
    package struct Environment: Sendable {
        /// The workers.
        package let pool: WorkerPool
        /// What answers requests.
        package let transport: any Transport
        /// Where credentials come from.
        package let credentials: CredentialSource
        /// The server the user chose, for software that runs on many.
        package var instance: WebURL?
        /// The servers that the user chose for single providers, by their ids.
        package var instances: [String: WebURL] = [:]
        /// Whether providers log in; not offline, where stored responses are found without a session.
        package var beginsSessions = true
        /// Where manifests and pages are kept; nil to run the scripts each time.
        package var results: (any DerivedStore)?
        /// Called for every step; nil without tracing.
        package var trace: TraceRecorder?
        /// Fetches an image that a source takes as a file.
        package var fetchImage: @Sendable (WebURL) async throws -> SearchImage = { SearchImage(url: $0) }
        /// Called when a script is about to run, which takes its worker some time: requests come next.
        package var prewarmTransport: @Sendable () -> Void = {}
        /// Called for an answer in which a script found that there were too many requests.
        package var refused: @Sendable (TransportRequest, TransportResponse) async -> Void = { _, _ in }
        /// Called for a call that failed, with the requests that were answered; nil where nobody wants them.
        package var failed: (@Sendable (ProviderError, [(TransportRequest, TransportResponse)]) -> Void)?
        /// Called with what was left out of each result, cached ones included.
        package var leftOut: @Sendable (ProviderID, [ResultFault]) -> Void = { _, _ in }
        /// A newer version of the pack that a file belongs to; nil where none is known.
        package var knownUpdate: @Sendable (ProviderFile) -> Hint? = { _ in nil }
        /// Whether answers are samples, of which the nearest to a request is taken.
        package var answersAreSamples = false
        /// The server of a provider that names none itself: that of its recorded answers.
        package var recordedInstance: @Sendable (ProviderID) -> WebURL? = { _ in nil }

        /// Creates an environment without a cache of results.
        package init(pool: WorkerPool, transport: any Transport, credentials: CredentialSource) {
            self.pool = pool
            self.transport = transport
            self.credentials = credentials
        }

        /// The server that a provider is asked on: the user's choice, else the usual one; nil for a single service.
        package func instance(of manifest: ProviderManifest) -> WebURL? {
            manifest.instance.flatMap {
                instances[manifest.id.description] ?? instance ?? $0.default ?? recordedInstance(manifest.id)
            }
        }
    }
}

extension OperationCall {
    /// The number of the page, for a listing.
    fileprivate var page: Int? {
        switch self {
        case .search(let query), .feed(let query), .collection(_, let query), .similar(let query): query.page
        case .details, .download, .session: nil
        }
    }

    /// The image that may be uploaded.
    fileprivate var image: SearchImage? { if case .similar(let query) = self { query.image } else { nil } }
}

extension ProviderError {
    /// A transport's error as one of a provider's.
    fileprivate init(_ error: TransportError, provider: ProviderID, operation: ProviderOperation) {
        let code: Code = error.code == .authorization || error.code == .secrets ? .auth : .transport
        self.init(
            code, provider: provider.description, operation: operation, message: error.message, hint: error.hint)
    }
}

/// The session that the requests of one call were sent with.
package final class UsedSession: Sendable {
    private struct State {
        var number: Int?
        var isNew = false
    }

    private let state = Mutex(State())

    /// The number of the last one; nil where none was used.
    var number: Int? { state.withLock(\.number) }
    /// Whether it was begun for this call.
    var isNew: Bool { state.withLock(\.isNew) }

    /// Notes a session; one that was begun for the call stays so.
    func note(_ number: Int, isNew: Bool) {
        state.withLock { $0 = State(number: number, isNew: isNew || $0.isNew && $0.number == number) }
    }
}

/// The values of a provider's `session` operation, until they expire.
package actor SessionCache {
    private struct Session {
        let number: Int
        let values: SessionValues
        let until: ContinuousClock.Instant?
        /// Whether the source has answered a call with it.
        var hasWorked = false
    }

    /// How often a call is made at most.
    private static let maximumAttempts = 4

    private let isNeeded: Bool
    private let executor: (any TaskExecutor)?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var current: Session?
    private var lastNumber = 0
    private var underWay: Task<SessionResult, any Error>?

    package init(
        manifest: ProviderManifest, on executor: (any TaskExecutor)? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        isNeeded = manifest.authentication.contains(where: \.needsSession)
        self.executor = executor
        self.now = now
    }

    /// Makes a call, and makes it again where the source has ended the session before its time.
    package nonisolated func call<Result: Sendable>(
        _ body: (UsedSession) async throws -> Result
    ) async throws -> Result {
        var attempts = 0
        while true {
            let used = UsedSession()
            attempts += 1
            do {
                let result = try await body(used)
                await confirm(used)
                return result
            } catch {
                guard attempts < Self.maximumAttempts, (error as? ProviderError)?.code == .auth, await discard(used)
                else { throw error }
            }
        }
    }

    /// The values, fetched by `begin` when there are none or they are over; callers at the same time share one fetch.
    package func values(
        for used: UsedSession, _ begin: @escaping @Sendable () async throws -> SessionResult
    ) async throws -> SessionValues {
        guard isNeeded else { return SessionValues([:]) }
        if let current, current.until.map({ $0 > now() }) ?? true {
            used.note(current.number, isNew: false)
            return current.values
        }
        while true {
            // A caller that gives up ends the fetch for all who share it; the others begin another.
            do { try await fetch(begin) } catch is CancellationError where !Task.isCancelled { continue }
            // Even one that is over at once holds for this request.
            guard let current else { continue }
            used.note(current.number, isNew: true)
            return current.values
        }
    }

    private func fetch(_ begin: @escaping @Sendable () async throws -> SessionResult) async throws {
        let task = underWay ?? Task(executorPreference: executor) { try await begin() }
        underWay = task
        let result = try await withTaskCancellationHandler {
            do { return try await task.value } catch {
                if underWay == task { underWay = nil }
                throw error
            }
        } onCancel: {
            task.cancel()
        }
        // Of those who share a fetch the first keeps its result.
        guard underWay == task else { return }
        underWay = nil
        lastNumber += 1
        let values = SessionValues(Dictionary(result.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        current = Session(number: lastNumber, values: values, until: result.expiresIn.map { now() + .seconds($0) })
    }

    /// Notes that the source has answered a call.
    func confirm(_ used: UsedSession) { if current?.number == used.number { current?.hasWorked = true } }

    /// Forgets the session of a call that the source refused; whether the call may be made once more.
    ///
    /// Not with a session that was begun for it and that no call was answered with: what is refused with that is refused with
    /// any. A session that is no longer the current one was refused for another call, too.
    func discard(_ used: UsedSession) -> Bool {
        guard let number = used.number else { return false }
        guard let current, current.number == number else { return true }
        guard !used.isNew || current.hasWorked else { return false }
        self.current = nil
        return true
    }
}
