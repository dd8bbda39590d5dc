import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct CacheModeTests {
    private let headers = [("Cache-Control", "max-age=2"), ("ETag", "\"a\"")]

    @Test func refreshAsksAndUpdates() async throws {
        let session = CacheSession(settings: CachingSettings(mode: .refresh))
        session.origin.reply(.init(headers: headers), .init(headers: headers, isConditional: true))
        try await session.send()
        #expect(try await session.send().origin == .revalidated)
        session.cache.mode = .default
        #expect(try await session.send().isCached)
    }

    @Test func bypassNeitherReadsNorWrites() async throws {
        let session = CacheSession([.init(headers: headers)], settings: CachingSettings(mode: .bypass))
        try await session.send()
        session.cache.mode = .default
        #expect(try await session.send().isCached == false)
        session.cache.mode = .bypass
        #expect(try await session.send().isCached == false)
        #expect(session.origin.requests.count == 3)
    }

    @Test(arguments: ["max-age=2", "max-age=2, must-revalidate", "no-cache"])
    func offlineGivesWhatIsStoredAndMarksIt(control: String) async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", control)])])
        try await session.send()
        session.clock.advance(1e7)
        session.cache.mode = .offline
        let answer = try await session.send()
        #expect(answer.isStale && answer.text == "body")
        #expect(session.origin.requests.count == 1)
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .post])
    func offlineSaysWhatIsNotStored(method: HTTPRequest.Method) async throws {
        let session = CacheSession(settings: CachingSettings(mode: .offline))
        let error = await #expect(throws: TransportError.self) { try await session.send(method, "/x?q=coffee") }
        #expect(error?.code == .notStored)
        #expect(error?.message.contains("http://origin.example/x?q=coffee") == true)
        #expect(error?.hint == .goOnline)
        #expect(session.origin.requests.isEmpty)
    }

    @Test func getWithABodyIsNeverAnsweredFromTheStore() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=900")])])
        try await session.send()
        #expect(try await session.send { $0.body = [1] }.isCached == false)
        #expect(try await session.send { $0.body = [2] }.isCached == false)
    }

    @Test func finishedCacheCanBeUsedOn() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=900")])])
        try await session.send()
        await session.cache.finish()
        #expect(try await session.send().isCached)
        #expect(session.warnings.texts.isEmpty)
    }

    @Test func nothingOutsideTheScopeIsAnswered() async throws {
        let session = CacheSession([.init(headers: headers)])
        try await session.send()
        let scope = RequestScope(provider: ProviderID("other")!, hosts: [HostPattern("elsewhere.example")!])
        let request = TransportRequest(url: try WebURL("http://origin.example/"), scope: scope)
        let transport = RedirectingTransport(over: session.cache)
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.code == .refusedHost)
    }

    @Test func memoryStorageServesAndRevalidates() async throws {
        let clock = TestClock()
        let reply = Origin.Reply(headers: [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], isConditional: true)
        let origin = Origin([reply], clock: clock)
        let cache = CachingTransport(over: origin, storage: MemoryCacheStorage(), now: { clock.now })
        let request = TransportRequest(url: try WebURL("http://origin.example/"), scope: .anywhere)
        #expect(try await cache.send(request).origin == .network)
        let stored = try await cache.send(request)
        #expect(stored.isCached)
        clock.advance(61)
        let revalidated = try await cache.send(request)
        #expect(revalidated.origin == .revalidated)
        #expect(revalidated.body == stored.body)
        #expect(origin.requests.count == 2)
    }

    @Test func memoryStorageEvictsTheLeastRecentlyUsed() async throws {
        let clock = TestClock()
        let reply = Origin.Reply(
            headers: [("Cache-Control", "max-age=900")], body: String(repeating: "x", count: 3_000))
        let origin = Origin([reply], clock: clock)
        let cache = CachingTransport(over: origin, storage: MemoryCacheStorage(limit: 10_000), now: { clock.now })
        for path in ["/1", "/2", "/3", "/4"] {
            clock.advance(1)
            _ = try await cache.send(
                TransportRequest(url: try WebURL("http://origin.example\(path)"), scope: .anywhere))
        }
        let last = TransportRequest(url: try WebURL("http://origin.example/4"), scope: .anywhere)
        #expect(try await cache.send(last).isCached)
        let first = TransportRequest(url: try WebURL("http://origin.example/1"), scope: .anywhere)
        #expect(try await !cache.send(first).isCached)
    }
}

@Suite struct DemandedCachingTests {
    @Test(arguments: ["no-store", "no-cache", "private, max-age=0", "max-age=1", ""])
    func termsOfTheSourceWin(control: String) async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", control)])])
        let demand = { (request: inout TransportRequest) in request.cacheAtLeast = .seconds(86_400) }
        try await session.send(change: demand)
        session.clock.advance(86_399)
        let second = try await session.send(change: demand)
        #expect(second.isCached && !second.isStale)
        #expect(second.receipt?.freshUntil == 1_800_086_400)
        session.clock.advance(2)
        #expect(try await session.send(change: demand).isCached == false)
    }

    @Test(arguments: ["no-store", "no-store, max-age=900"])
    func whatWasKeptForTheTermsIsNothingToOthers(control: String) async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", control)])])
        try await session.send { $0.cacheAtLeast = .seconds(86_400) }
        #expect(try await session.send().isCached == false)
    }

    @Test func termsDoNotHoldForErrors() async throws {
        let session = CacheSession([.init(status: 500)])
        try await session.send { $0.cacheAtLeast = .seconds(86_400) }
        #expect(try await session.send { $0.cacheAtLeast = .seconds(86_400) }.isCached == false)
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func answerFromElsewhereIsKeptOnlyForTheTerms(demanded: Duration?) async throws {
        let elsewhere = try WebURL("http://origin.example/elsewhere")
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=900")], url: elsewhere)])
        try await session.send { $0.cacheAtLeast = demanded }
        #expect(try await session.send { $0.cacheAtLeast = demanded }.isCached == (demanded != nil))
    }

    @Test func longerFreshnessOfTheAnswerStays() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=1000")])])
        try await session.send { $0.cacheAtLeast = .seconds(10) }
        session.clock.advance(500)
        #expect(try await session.send { $0.cacheAtLeast = .seconds(10) }.isCached)
    }
}

@Suite struct LongestStayTests {
    private let allowed = { (request: inout TransportRequest) in request.cacheAtMost = .seconds(3_600) }

    @Test(arguments: [CacheMode.default, .offline])
    func answerIsNotUsedLongerThanTheTermsAllow(mode: CacheMode) async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=900000")])])
        try await session.send(change: allowed)
        session.cache.mode = mode
        session.clock.advance(3_599)
        let known = try await session.send(change: allowed)
        #expect(known.isCached && known.receipt?.freshUntil == 1_800_003_600)
        session.clock.advance(1)
        guard mode == .default else {
            await #expect(throws: TransportError.self) { try await session.send(change: allowed) }
            return
        }
        #expect(try await session.send(change: allowed).isCached == false)
    }

    @Test func answerIsRemovedWhenAnotherComes() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=900000")])])
        try await session.send(.get, "/bound", change: allowed)
        try await session.send(.get, "/free")
        session.clock.advance(3_600)
        try await session.send(.get, "/other")
        let stored = try session.store.list().map(\.url)
        #expect(Set(stored) == ["http://origin.example/free", "http://origin.example/other"])
    }
}

@Suite struct SharedFetchTests {
    private func fetches(_ reply: Origin.Reply, _ later: Origin.Reply, count: Int = 8) async throws -> Int {
        let session = CacheSession()
        let gate = Gate()
        var first = reply
        first.gate = gate
        session.origin.reply(first, later)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await session.send().text } }
            while session.origin.requests.isEmpty { await Task.yield() }
            await session.waiting(count - 1)
            gate.open()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts.count == count)
        return session.origin.requests.count
    }

    @Test func sameRequestsShareOneFetch() async throws {
        #expect(try await fetches(.init(headers: [("Cache-Control", "max-age=9")]), .init()) == 1)
    }

    @Test(arguments: ["no-store", "max-age=0"])
    func answersThatAreNotForSharingAreFetchedByEach(control: String) async throws {
        let reply = Origin.Reply(headers: [("Cache-Control", control)])
        #expect(try await fetches(reply, reply) == 8)
    }

    @Test func cancellingOneCancelsNoOther() async throws {
        let session = CacheSession()
        let gate = Gate()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=9")], gate: gate))
        let leader = Task { try await session.send() }
        while session.origin.requests.isEmpty { await Task.yield() }
        let followers = (0..<3).map { _ in Task { try await session.send() } }
        await session.waiting(3)
        followers[0].cancel()
        await #expect(throws: CancellationError.self) { try await followers[0].value }
        leader.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await leader.value }
        for follower in followers.dropFirst() { #expect(try await follower.value.text == "body") }
        #expect(session.origin.requests.count == 2)
    }

    @Test func failureIsTheFailureOfAll() async throws {
        let session = CacheSession()
        let gate = Gate()
        session.origin.reply(.init(failure: .connection, gate: gate))
        let tasks = (0..<4).map { _ in Task { try await session.send() } }
        while session.origin.requests.isEmpty { await Task.yield() }
        await session.waiting(3)
        gate.open()
        for task in tasks { await #expect(throws: TransportError.self) { try await task.value } }
        #expect(session.origin.requests.count == 1)
    }

    @Test func otherVariantsAreFetchedByEach() async throws {
        let session = CacheSession()
        let gate = Gate()
        let headers = [("Cache-Control", "max-age=9"), ("Vary", "Accept")]
        session.origin.reply(.init(headers: headers, body: "a", gate: gate), .init(headers: headers, body: "b"))
        async let first = session.send(.get, "/", [("Accept", "a")])
        while session.origin.requests.isEmpty { await Task.yield() }
        async let second = session.send(.get, "/", [("Accept", "b")])
        await session.waiting(1)
        gate.open()
        #expect(try await first.text == "a")
        #expect(try await second.text == "b")
    }
}

@Suite struct CacheSecretsTests {
    private let secret = "s3cret-key-0123456789"

    private func credentials(_ key: String) -> Credentials? {
        let way = AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))
        return Credentials(provider: ProviderID("tested")!, methods: [way], secrets: ["key": key])
    }

    @Test func eachKeyHasAnswersOfItsOwn() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=9")]
        session.origin.reply(.init(headers: headers, body: "a"), .init(headers: headers, body: "b"), .init(body: "c"))
        let (one, two) = (credentials(secret), credentials("another-key-0123"))
        #expect(try await session.send { $0.credentials = one }.text == "a")
        #expect(try await session.send { $0.credentials = two }.text == "b")
        #expect(try await session.send().text == "c")
        #expect(try await session.send { $0.credentials = one }.text == "a")
    }

    @Test func secretsOfTheTransportAreMaskedInWhatIsStored() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=9"), ("Link", "</?key=\(secret)>; rel=next")]
        session.origin.reply(.init(headers: headers, body: "you sent \(secret)"))
        let own = credentials(secret)
        try await session.send { $0.credentials = own }
        let second = try await session.send { $0.credentials = own }
        #expect(second.text == "you sent ***" && second.headers[line: "Link"] == "</?key=***>; rel=next")
        try expectNothing(of: secret, in: session)
    }

    @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization"])
    func secretLinesOfTheCallerAreStoredNowhere(name: String) async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=9"), ("Vary", "Authorization, Cookie, Proxy-Authorization")]
        session.origin.reply(.init(headers: headers), .init(headers: headers, body: "other"))
        let line = (name, "Bearer \(secret)")
        try await session.send(.get, "/", [line])
        #expect(try await session.send(.get, "/", [line]).isCached)
        #expect(try await session.send(.get, "/", [(name, "another")]).text == "other")
        try expectNothing(of: secret, in: session)
    }

    @Test(arguments: [("token=s3cret-key-0123456789", ""), ("x", "s3cret-key-0123456789")])
    func answerThatRepeatsTheCallersSecretIsNotStored(body: String, line: String) async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=9"), ("Echo", line)], body: body))
        try await session.send(.get, "/", [("Authorization", "Bearer \(secret)")])
        #expect(try await session.send(.get, "/", [("Authorization", "Bearer \(secret)")]).isCached == false)
        try expectNothing(of: secret, in: session)
    }

    @Test func streamedAnswerThatRepeatsASecretIsNotStored() async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=9")], body: "you sent \(secret), did you?"))
        let own = credentials(secret)
        try await session.send { ($0.credentials, $0.sink) = (own, CollectedBody()) }
        #expect(try await session.send { $0.credentials = own }.isCached == false)
    }

    /// RFC 9111 §3.5 binds shared caches only; a `Cookie` line makes a difference only where `Vary` says so.
    @Test func cookieAloneMakesNoDifference() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=9")])])
        try await session.send()
        #expect(try await session.send(.get, "/", [("Cookie", "a=b")]).isCached)
        #expect(try await session.send(.get, "/", [("Authorization", "a")]).isCached == false)
    }

    private func expectNothing(of secret: String, in session: CacheSession) throws {
        session.store.close()
        let files = FolderListing.allFiles(under: session.store.folder)
        #expect(!files.isEmpty)
        for file in files {
            #expect(!FolderListing.bytes(of: file).contains(Array(secret.utf8)), "found in \(file)")
            #expect(FolderListing.mode(of: file) == 0o600)
        }
    }
}

/// A sink that keeps everything, and can refuse a piece once.
final class CollectedBody: BodySink {
    private struct State {
        var head: ResponseHead?
        var bytes: [UInt8] = []
        var refusals = 0
        var resume: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(refusing refusals: Int = 0) { state = Mutex(State(refusals: refusals)) }

    var bytes: [UInt8] { state.withLock(\.bytes) }
    var head: ResponseHead? { state.withLock(\.head) }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError) {
        state.withLock { $0 = State(head: head, refusals: $0.refusals, resume: resume) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        let resume: (@Sendable () -> Void)? = state.withLock { state in
            guard state.refusals > 0 else {
                state.bytes.append(contentsOf: bytes)
                return nil
            }
            state.refusals -= 1
            return state.resume
        }
        guard let resume else { return .more }
        resume()
        return .pause
    }
}
