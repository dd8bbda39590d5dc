import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("A server that is busy or broken is asked again within the budget, then its answer is given")
struct RetryFaultTests {
    private let clock = SkippingClock()
    /// The time of day at Sun, 06 Nov 1994 08:49:00 GMT.
    private static let now = 784_111_740

    /// What the caller gets, how often the server was asked, and the waits between.
    private func outcome(
        of status: Int, retryAfter: String?
    ) async throws -> (status: Int, sent: Int, waits: [Duration]) {
        let headers = retryAfter.map { [("Retry-After", $0)] } ?? []
        let server = try LoopbackServer { _ in .answer(status, headers: headers, text: "busy") }
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: clock, now: { Self.now }, random: { 1 })
        let response = try await transport.send(server.request())
        #expect(response.text == "busy")
        return (response.status, server.requests.count, clock.sleeps)
    }

    @Test(arguments: [500, 502, 503, 504, 429])
    func faultForEverIsGivenAfterFourAttempts(status: Int) async throws {
        let outcome = try await outcome(of: status, retryAfter: nil)
        #expect(outcome.status == status)
        #expect(outcome.sent == 4)
        #expect(outcome.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test(arguments: [429, 503], ["7", "Sun, 06 Nov 1994 08:49:07 GMT"])
    func bothFormsAreWaitedFor(status: Int, value: String) async throws {
        let outcome = try await outcome(of: status, retryAfter: value)
        #expect(outcome.waits.first == .seconds(7))
        #expect(outcome.waits.reduce(.zero, +) < .seconds(60))
    }

    @Test(
        arguments: [429, 503],
        [
            "Fri, 31 Dec 9999 23:59:59 GMT", "1000000000000000000000000000000", "9223372036854775807", "61",
            "Sun, 06 Nov 1994 09:49:07 GMT",
        ])
    func moreThanTheBudgetIsNotWaitedFor(status: Int, value: String) async throws {
        let outcome = try await outcome(of: status, retryAfter: value)
        #expect(outcome.status == status)
        #expect(outcome.sent == 1)
        #expect(outcome.waits.isEmpty)
    }

    @Test(
        arguments: [429, 503],
        [
            "-5", "0", "soon", "", "1.5", "1e3", "0x10", "٣", "Sat, 05 Nov 1994 08:49:07 GMT",
            "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 99 Nov 1994 08:49:07 GMT", "Fri, 31 Dec 99999 23:59:59 GMT",
        ])
    func unreadableAndPastTimesNeverMeanWithoutPause(status: Int, value: String) async throws {
        let outcome = try await outcome(of: status, retryAfter: value)
        #expect(outcome.sent == 4)
        #expect(outcome.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func recoveryIsAnOrdinaryAnswer() async throws {
        let broken = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer(
            [.read, .reset], [.read, .text(broken)], [.read, .text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine")])
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: clock, now: { Self.now })
        #expect(try await transport.send(server.request()).text == "fine")
        #expect(server.received.count == 3)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch])
    func whatMayHaveHappenedIsNotAskedForAgain(method: HTTPRequest.Method) async throws {
        let server = try RawServer([.read, .reset])
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: clock, now: { Self.now })
        let error = await TransportError.of { _ = try await transport.send(server.request(method: method)) }
        #expect(error?.code == .connection)
        #expect(server.received.count == 1)
    }

    @Test func requestEndsWithItsOwnDeadlineAndNotWithTheBudget() async throws {
        let server = try LoopbackServer { _ in .answer(503, headers: [("Retry-After", "5")]) }
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: clock, now: { Self.now }, random: { 1 })
        var request = server.request()
        request.deadline = .seconds(4)
        #expect(try await transport.send(request).status == 503)
        #expect(clock.sleeps.isEmpty)
    }
}
