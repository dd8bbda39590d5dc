import HTTPTransport
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import RateLimits

@Suite(.timeLimit(.minutes(1))) struct ConcurrentRequestsTests {
    private func transport(over base: HoldingTransport) -> DeclaringTransport {
        var limits = Limits()
        limits.concurrent = 2
        let store = MemoryRateLimitStore(now: { .start })
        return DeclaringTransport(
            base: RateLimitedTransport(over: base, store: store, clock: ContinuousClock()), limits: limits)
    }

    @Test func requestsAreUnderWayInTheNumberThatIsDeclared() async throws {
        let base = HoldingTransport()
        let transport = transport(over: base)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try await transport.send(.of()) } }
            for _ in 0..<3 {
                await base.held(2)
                base.letGo()
            }
            try await group.waitForAll()
        }
        #expect(base.most == 2)
    }

    @Test func othersAreNotHeldUp() async throws {
        let base = HoldingTransport()
        let transport = transport(over: base)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = try await transport.send(.of()) } }
            for name in ["free", "free", "free", "other"] {
                group.addTask { _ = try await transport.send(.of(name)) }
            }
            await base.held(6)
            base.letGo()
            await base.held(1)
            base.letGo()
            try await group.waitForAll()
        }
    }

    @Test func whoIsCalledOffGivesUpItsPlaceInTheLine() async throws {
        let base = HoldingTransport()
        let transport = transport(over: base)
        let running = (0..<2).map { _ in Task { try await transport.send(.of()) } }
        await base.held(2)
        let waiting = Task { try await transport.send(.of()) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let last = Task { try await transport.send(.of()) }
        base.letGo()
        await base.held(1)
        base.letGo()
        for task in running + [last] { _ = try await task.value }
        #expect(base.count == 3)
    }
}

/// Answers nothing before the test lets it.
private final class HoldingTransport: Transport {
    private struct State {
        var held: [CheckedContinuation<Void, Never>] = []
        var most = 0
        var count = 0
    }

    private let state = Mutex(State())

    /// The most requests that were held at once.
    var most: Int { state.withLock(\.most) }
    /// How many came.
    var count: Int { state.withLock(\.count) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.held.append(continuation)
                state.most = max(state.most, state.held.count)
                state.count += 1
            }
        }
        return TransportResponse(status: 200, url: request.url)
    }

    /// Returns once so many requests are held.
    func held(_ count: Int) async {
        while state.withLock({ $0.held.count }) < count { await Task.yield() }
    }

    /// Answers those that are held.
    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
