import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct RetryingTransportTests {
    private let clock = SkippingClock()
    private let now = DateTime(http: "Sun, 06 Nov 1994 08:49:00 GMT")!.secondsSince1970

    private func send(
        _ answers: [ScriptedTransport.Answer],
        method: HTTPRequest.Method = .get,
        policy: RetryPolicy = RetryPolicy(),
        finalStatuses: [Int] = [],
        notices: Notices = Notices()
    ) async -> (Result<TransportResponse, any Error>, sent: Int) {
        let base = ScriptedTransport(answers)
        let transport = RetryingTransport(
            over: base,
            policy: policy,
            clock: clock,
            now: { [now] in now },
            random: { 1 },
            onWait: { notices.add($0) }
        )
        var request = TransportRequest(method: method, url: try! WebURL("https://images.example/a"), scope: .everywhere)
        request.finalStatuses = finalStatuses
        do { return (.success(try await transport.send(request)), base.requests.count) } catch {
            return (.failure(error), base.requests.count)
        }
    }

    @Test func statusThatIsAnAnswerIsNotTriedAgain() async throws {
        let (result, sent) = await send([.response(500, [:])], finalStatuses: [500])
        #expect(try result.get().status == 500)
        #expect(sent == 1)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func temporaryStatusIsTriedAgain(status: Int) async throws {
        let (result, sent) = await send([.response(status, [:]), .response(200, [:])])
        #expect(try result.get().status == 200)
        #expect(sent == 2)
        #expect(clock.sleeps == [.milliseconds(500)])
    }

    @Test(arguments: [200, 204, 301, 400, 401, 403, 404, 410, 501])
    func otherStatusIsAnAnswer(status: Int) async throws {
        let (result, sent) = await send([.response(status, [:])])
        #expect(try result.get().status == status)
        #expect(sent == 1)
    }

    @Test func waitsDoubleAndEndWithTheAttempts() async throws {
        let (result, sent) = await send([.response(503, [:])])
        #expect(try result.get().status == 503)
        #expect(sent == 4)
        #expect(clock.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func connectionFailureIsTriedAgain() async throws {
        let failure = TransportError(.connection, message: "gone", isRetriable: true)
        let (result, sent) = await send([.error(failure), .error(failure), .response(200, [:])])
        #expect(try result.get().status == 200)
        #expect(sent == 3)
    }

    @Test func lastingFailureIsNot() async {
        let (result, sent) = await send([.error(TransportError(.tls, message: "no"))])
        #expect(throws: TransportError.self) { try result.get() }
        #expect(sent == 1)
    }

    @Test func cancellationIsNoFailureToTryAgain() async {
        let (result, sent) = await send([.cancellation])
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(sent == 1)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, 2), (.head, 2), (.put, 2), (.delete, 2), (.options, 2), (.post, 1), (.patch, 1),
    ])
    func onlyIdempotentMethodsAreTriedAgain(method: HTTPRequest.Method, expected: Int) async {
        let (_, sent) = await send([.response(503, [:]), .response(200, [:])], method: method)
        #expect(sent == expected)
    }

    @Test(arguments: [
        "37", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func retryAfterIsHonouredAndReported(value: String) async throws {
        let notices = Notices()
        let (result, _) = await send([.response(429, [.retryAfter: value]), .response(200, [:])], notices: notices)
        #expect(try result.get().status == 200)
        #expect(clock.sleeps == [.seconds(37)])
        #expect(notices.texts == ["tested: waiting 37 s (429 from https://images.example)"])
    }

    @Test(arguments: ["3600", "99999999999999999999999999", "9223372036854775807", "Sun, 06 Nov 2094 08:49:37 GMT"])
    func absurdRetryAfterIsNotWaitedFor(value: String) async throws {
        let (result, sent) = await send([.response(429, [.retryAfter: value])])
        #expect(try result.get().status == 429)
        #expect(sent == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "Sun, 99 Nov 1994 08:49:37 GMT"])
    func unreadableRetryAfterIsIgnored(value: String) async throws {
        _ = await send([.response(429, [.retryAfter: value]), .response(200, [:])])
        #expect(clock.sleeps == [.milliseconds(500)])
    }

    @Test func pastDateIsNoLeaveToAskWithoutPause() async throws {
        _ = await send([.response(503, [.retryAfter: "Sun, 06 Nov 1994 08:00:00 GMT"]), .response(200, [:])])
        #expect(clock.sleeps == [.milliseconds(500)])
    }

    @Test func waitsNeverPassTheBudget() async throws {
        var policy = RetryPolicy()
        policy.attempts = 100
        policy.budget = .seconds(10)
        _ = await send([.response(503, [:])], policy: policy)
        #expect(clock.sleeps.reduce(.zero, +) <= .seconds(10))
        #expect(clock.sleeps.count == 4)
    }

    @Test func shortWaitsAreNotReported() async throws {
        let notices = Notices()
        _ = await send([.response(503, [:])], notices: notices)
        #expect(notices.texts.isEmpty)
    }

    @Test(arguments: [(0.0, Duration.milliseconds(250)), (0.5, .milliseconds(375)), (1.0, .milliseconds(500))])
    func jitterStaysWithinHalfTheWait(jitter: Double, wait: Duration) {
        let decision = RetryDecision(
            for: .get,
            after: .answer(status: 503, retryAfter: nil),
            .init(count: 1, elapsed: .zero, jitter: jitter),
            under: RetryPolicy()
        )
        #expect(decision == .wait(wait))
    }
}

final class Notices: Sendable {
    private let notices = Mutex<[String]>([])

    var texts: [String] { notices.withLock { $0 } }

    func add(_ notice: WaitNotice) { notices.withLock { $0.append(notice.description) } }
}
