import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import RateLimits

@Suite struct RateLimitedTransportTests {
    private let clock = SkippingClock()
    private let notices = RecordedTexts()

    private var now: @Sendable () -> Timestamp { { [clock] in .start + clock.now.offset } }

    private func transport<C: Clock<Duration>>(
        over base: any Transport,
        limits: Limits?,
        maximumWait: Duration = .seconds(600),
        clock: C
    ) -> DeclaringTransport {
        DeclaringTransport(
            base: RateLimitedTransport(
                over: base,
                store: MemoryRateLimitStore(now: now),
                maximumWait: maximumWait,
                clock: clock,
                calendar: .universal,
                onWait: { [notices] in notices.add($0.description) }
            ), limits: limits)
    }

    @Test func requestsWaitForTheirSlotsAndTheUserIsNotified() async throws {
        let base = AnsweringTransport(now: now)
        let transport = transport(over: base, limits: .of("2/60s"), clock: clock)
        for _ in 0..<5 { _ = try await transport.send(.of()) }
        let offsets = base.moments.map { ($0 - .start).components.seconds }
        #expect(offsets == [0, 0, 61, 61, 122])
        #expect(
            notices.all == [
                "tested: waiting 61 s (limit of 2 requests in 60 s)",
                "tested: waiting 61 s (limit of 2 requests in 60 s)",
            ])
    }

    @Test func shortWaitsAreNotReported() async throws {
        let transport = transport(over: AnsweringTransport(now: now), limits: .of("1/1s"), clock: clock)
        for _ in 0..<3 { _ = try await transport.send(.of()) }
        #expect(clock.sleeps.count == 2)
        #expect(notices.all.isEmpty)
    }

    @Test func waitBeyondTheMaximumIsAClearError() async throws {
        let transport = transport(over: AnsweringTransport(now: now), limits: .of("9/1s", "1/1d"), clock: clock)
        _ = try await transport.send(.of())
        let error = await #expect(throws: ProviderError.self) { try await transport.send(.of()) }
        #expect(error?.code == .rate)
        #expect(error?.provider == "tested")
        #expect(
            error?.message
                == "the limit of 1 request in 1 day is reached; the next request is allowed at 2026-11-22 07:00, in 1 day 1 h"
        )
        #expect(error?.hint?.description.isEmpty == false)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func waitForASlotIsNoPartOfARetriesTime() async throws {
        let base = AnsweringTransport(now: now) { $0 == 2 ? (503, [:]) : (200, [:]) }
        let limited = transport(over: base, limits: .of("1/120s"), clock: clock)
        let transport = RetryingTransport(over: limited, clock: clock, now: { 0 }, random: { 1 })
        _ = try await transport.send(.of())
        // Its slot comes after two minutes, longer than all attempts may take.
        #expect(try await transport.send(.of()).status == 200)
        #expect(base.moments.count == 3)
    }

    @Test func refusalClosesTheBucketForTheNextRequest() async throws {
        let base = AnsweringTransport(now: now) { $0 == 1 ? (429, [.retryAfter: "30"]) : (200, [:]) }
        let transport = transport(over: base, limits: .of(), clock: clock)
        #expect(try await transport.send(.of()).status == 429)
        #expect(try await transport.send(.of()).status == 200)
        #expect(clock.sleeps == [.seconds(30)])
        #expect(notices.all == ["tested: waiting 30 s (the server requested a pause)"])
    }

    @Test func absurdPauseIsAnErrorAndNotAWait() async throws {
        let base = AnsweringTransport(now: now) { _ in (429, [.retryAfter: "99999999999999999999"]) }
        let transport = transport(over: base, limits: .of(), clock: clock)
        _ = try await transport.send(.of())
        let error = await #expect(throws: ProviderError.self) { try await transport.send(.of()) }
        #expect(
            error?.message
                == "the server refused more requests for now; the next request is allowed at 2026-11-22 07:00, in 1 day"
        )
    }

    @Test func retryCostsAToken() async throws {
        let base = AnsweringTransport(now: now) { ($0 == 1 ? 503 : 200, [:]) }
        let limited = transport(over: base, limits: .of("1/60s"), clock: clock)
        let retrying = RetryingTransport(over: limited, clock: clock, now: { [now] in now().seconds })
        #expect(try await retrying.send(.of()).status == 200)
        let offsets = base.moments.map { ($0 - .start).components.seconds }
        #expect(offsets == [0, 61])
    }

    @Test func requestsThatDoNotCountPass() async throws {
        let base = AnsweringTransport(now: now) { _ in (429, [.retryAfter: "30"]) }
        let transport = transport(over: base, limits: .of("1/1d"), clock: clock)
        for _ in 0..<5 { _ = try await transport.send(.of("free")) }
        #expect(base.moments.count == 5)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func oneProvidersWaitDelaysNoOther() async throws {
        let stopped = StoppedClock()
        let transport = transport(over: AnsweringTransport(now: now), limits: .of("1/60s"), clock: stopped)
        _ = try await transport.send(.of("one"))
        let waiting = Task { try await transport.send(.of("one")) }
        await stopped.sleepers(1)
        #expect(try await transport.send(.of("two")).status == 200)
        waiting.cancel()
        _ = await waiting.result
    }

    @Test(.timeLimit(.minutes(1))) func cancelledWaiterGivesItsSlotBack() async throws {
        let stopped = StoppedClock()
        let base = AnsweringTransport(now: now)
        let transport = transport(over: base, limits: .of("1/60s"), maximumWait: .seconds(70), clock: stopped)
        _ = try await transport.send(.of())
        for _ in 0..<3 {
            // With the slot of the one before still taken, this would be longer than the maximum.
            let waiting = Task { try await transport.send(.of()) }
            await stopped.sleepers(1)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(base.moments.count == 1)
    }

    @Test func cancelledRequestTakesNoSlot() async throws {
        let base = AnsweringTransport(now: now)
        let transport = transport(over: base, limits: .of("1/60s"), clock: clock)
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(.of())
        }
        await #expect(throws: CancellationError.self) { try await request.value }
        _ = try await transport.send(.of())
        #expect(clock.sleeps.isEmpty)
        #expect(base.moments.count == 1)
    }

    @Test func failedRequestKeepsItsError() async throws {
        let base = AnsweringTransport(now: now) { _ in throw TransportError(.connection, message: "gone") }
        let transport = transport(over: base, limits: .of("5/60s"), clock: clock)
        await #expect(throws: TransportError.self) { try await transport.send(.of()) }
    }
}

/// A clock on which every sleep lasts until it is cancelled.
private final class StoppedClock: Clock, Sendable {
    private let inner = SkippingClock()
    private let state = Mutex((sleeping: 0, waiting: [(count: Int, gate: Gate)]()))

    var now: SkippingClock.Instant { inner.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: SkippingClock.Instant, tolerance: Duration?) async throws {
        change(by: 1)
        defer { change(by: -1) }
        let gate = Gate()
        await withTaskCancellationHandler {
            await gate.opened()
        } onCancel: {
            gate.open()
        }
        throw CancellationError()
    }

    /// Suspends until so many sleep, or the test has taken too long.
    func sleepers(_ count: Int) async {
        let gate = Gate()
        state.withLock { $0.waiting.append((count, gate)) }
        change(by: 0)
        await withTaskCancellationHandler {
            await gate.opened()
        } onCancel: {
            gate.open()
        }
    }

    private func change(by step: Int) {
        state.withLock { state in
            state.sleeping += step
            for waiter in state.waiting where waiter.count <= state.sleeping { waiter.gate.open() }
            state.waiting.removeAll { $0.count <= state.sleeping }
        }
    }
}
