import HTTPTransport
import ProviderModel
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import ProviderRuntime

@Suite("A session is begun when it is needed and kept while it holds")
struct SessionCacheTests {
    private static var manifest: ProviderManifest {
        var manifest = ProviderManifest(id: ProviderID("made")!, name: "Made", version: "1.0.0")
        manifest.authentication = [AuthenticationMethod(placement: .header([NamedValue("X-Guest", "{session.token}")]))]
        return manifest
    }

    /// Sessions with the tokens 1, 2, 3 and so on.
    private final class Service: Sendable {
        private let begun = Mutex(0)

        func begin(expiresIn: Int? = nil) -> SessionResult {
            let number = begun.withLock { count in
                count += 1
                return count
            }
            return SessionResult(values: [NamedValue("token", "\(number)")], expiresIn: expiresIn)
        }
    }

    private let service = Service()

    @Test func providerWithoutSessionNeedsNone() async throws {
        let manifest = ProviderManifest(id: ProviderID("made")!, name: "Made", version: "1.0.0")
        let sessions = SessionCache(manifest: manifest)
        let values = try await sessions.values(for: UsedSession()) { throw CancellationError() }
        #expect(values == SessionValues())
    }

    @Test func sessionThatIsOverIsBegunAgain() async throws {
        let clock = Mutex(ContinuousClock.now)
        let sessions = SessionCache(manifest: Self.manifest) { clock.withLock { $0 } }
        var tokens: [String?] = []
        for seconds in [0, 59, 1, 1] {
            clock.withLock { $0 += .seconds(seconds) }
            tokens.append(
                try await sessions.values(for: UsedSession()) { [service] in service.begin(expiresIn: 60) }.values[
                    "token"])
        }
        #expect(tokens == ["1", "1", "2", "2"])
    }

    @Test func sessionWithoutLifetimeIsKept() async throws {
        let clock = Mutex(ContinuousClock.now)
        let sessions = SessionCache(manifest: Self.manifest) { clock.withLock { $0 } }
        for _ in 1...2 {
            let values = try await sessions.values(for: UsedSession()) { [service] in service.begin() }
            #expect(values.values["token"] == "1")
            clock.withLock { $0 += .seconds(1_000_000) }
        }
    }

    /// A listing asks for pages side by side: when the source ends the session, it refuses all of them.
    @Test func everyCallThatWasRefusedWithTheSameSessionIsMadeOnceMore() async throws {
        let clock = Mutex(ContinuousClock.now)
        let sessions = SessionCache(manifest: Self.manifest) { clock.withLock { $0 } }
        _ = try await sessions.values(for: UsedSession()) { [service] in service.begin() }
        clock.withLock { $0 += .seconds(10) }
        let start = sessions.now()
        let calls = [UsedSession(), UsedSession(), UsedSession()]
        for call in calls { _ = try await sessions.values(for: call) { [service] in service.begin() } }
        #expect(await sessions.discard(calls[0], begunBefore: start))
        #expect(await sessions.discard(calls[1], begunBefore: start), "refused before another is begun")
        clock.withLock { $0 += .seconds(1) }
        let again = sessions.now()
        let token = try await sessions.values(for: calls[0]) { [service] in service.begin() }.values["token"]
        #expect(token == "2")
        #expect(await sessions.discard(calls[2], begunBefore: start), "refused after another was begun")
        #expect(await !sessions.discard(calls[0], begunBefore: again), "the new one was begun for this call")
        let shared = try await sessions.values(for: calls[2]) { [service] in service.begin() }
        #expect(shared.values["token"] == "2")
    }

    @Test func callWithoutASessionIsNotMadeOnceMore() async {
        let sessions = SessionCache(manifest: Self.manifest)
        #expect(await !sessions.discard(UsedSession(), begunBefore: sessions.now()))
    }

    @Test func callerThatGivesUpDoesNotEndTheOthers() async throws {
        let sessions = SessionCache(manifest: Self.manifest)
        let (started, joined) = (Gate(), Gate())
        let first = Task {
            try await sessions.values(for: UsedSession()) { [service] in
                started.open()
                await joined.opened()
                try Task.checkCancellation()
                return service.begin()
            }
        }
        await started.opened()
        let second = Task { try await sessions.values(for: UsedSession()) { [service] in service.begin() } }
        first.cancel()
        joined.open()
        #expect(try await second.value.values["token"] == "1")
        await #expect(throws: CancellationError.self) { try await first.value }
    }
}
