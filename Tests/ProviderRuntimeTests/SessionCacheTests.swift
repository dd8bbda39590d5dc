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
        let sessions = SessionCache(manifest: Self.manifest)
        let calls = [UsedSession(), UsedSession(), UsedSession()]
        for call in [UsedSession()] + calls {
            _ = try await sessions.values(for: call) { [service] in service.begin() }
        }
        #expect(await sessions.discard(calls[0]))
        #expect(await sessions.discard(calls[1]), "refused before another is begun")
        let token = try await sessions.values(for: calls[0]) { [service] in service.begin() }.values["token"]
        #expect(token == "2")
        #expect(await sessions.discard(calls[2]), "refused after another was begun")
        #expect(await !sessions.discard(calls[0]), "the new one was begun for this call")
        let shared = try await sessions.values(for: calls[2]) { [service] in service.begin() }
        #expect(shared.values["token"] == "2")
        #expect(await sessions.discard(calls[2]), "it was not begun for this call, however long the call waited before")
    }

    /// A call that sends several requests is not made again and again with sessions of its own.
    @Test func sessionOfAnEarlierRequestOfTheCallIsItsOwn() async throws {
        let sessions = SessionCache(manifest: Self.manifest)
        let attempts = Mutex(0)
        await #expect(throws: ProviderError.self) {
            try await sessions.call { [service] used in
                attempts.withLock { $0 += 1 }
                for _ in 1...2 { _ = try await sessions.values(for: used) { service.begin() } }
                throw ProviderError(.auth, provider: "made", message: "no")
            }
        }
        #expect(attempts.withLock(\.self) == 1)
        // The session that it leaves was not begun for the next one.
        await #expect(throws: ProviderError.self) {
            try await sessions.call { [service] used in
                attempts.withLock { $0 += 1 }
                _ = try await sessions.values(for: used) { service.begin() }
                throw ProviderError(.auth, provider: "made", message: "no")
            }
        }
        #expect(attempts.withLock(\.self) == 3)
    }

    /// Of many calls that wait for one session the source may answer some, and end it before the others.
    @Test func sessionThatHasWorkedIsRenewedEvenForACallThatBeganIt() async throws {
        let sessions = SessionCache(manifest: Self.manifest)
        let tokens = Mutex<[String?]>([])
        try await sessions.call { [service] used in
            let values = try await sessions.values(for: used) { service.begin() }
            let isFirst = tokens.withLock { tokens in
                tokens.append(values.values["token"])
                return tokens.count == 1
            }
            guard isFirst else { return }
            // Another call is answered with it.
            try await sessions.call { other in _ = try await sessions.values(for: other) { service.begin() } }
            throw ProviderError(.auth, provider: "made", message: "over")
        }
        #expect(tokens.withLock(\.self) == ["1", "2"])
    }

    /// One page that the source never shows costs a few sessions, whatever else it answers.
    @Test func callIsNotMadeForEver() async throws {
        let sessions = SessionCache(manifest: Self.manifest)
        let attempts = Mutex(0)
        await #expect(throws: ProviderError.self) {
            try await sessions.call { [service] used in
                attempts.withLock { $0 += 1 }
                _ = try await sessions.values(for: used) { service.begin() }
                try await sessions.call { other in _ = try await sessions.values(for: other) { service.begin() } }
                throw ProviderError(.auth, provider: "made", message: "never")
            }
        }
        #expect(attempts.withLock(\.self) == 4)
    }

    @Test func callWithoutASessionIsNotMadeOnceMore() async {
        let sessions = SessionCache(manifest: Self.manifest)
        #expect(await !sessions.discard(UsedSession()))
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
