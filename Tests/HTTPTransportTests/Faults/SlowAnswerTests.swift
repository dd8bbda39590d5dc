import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("However slow a server is, a request ends by its deadline")
struct SlowAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
    private static let drip = "HTTP/1.1 200 OK\r\n\r\n"

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX-A: b", "HTTP/1.1 103 Early\r\n\r\n", ok, ok + "begin"])
    func deadlineHoldsWhereverItStops(text: String) async throws {
        let server = try RawServer([.read, .text(text), .stall])
        var request = try server.request()
        request.deadline = .milliseconds(40)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.timeout, found: "timed out").check(error)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX-A: b", ok, ok + "begin"])
    func stallIsNoticedBeforeTheDeadline(text: String) async throws {
        let server = try RawServer([.read, .text(text), .stall])
        let error = try await CurlTransport.error(of: server.request()) {
            $0.connection.stallDeadline = .milliseconds(40)
        }
        FaultExpectation(.timeout, found: "sent nothing for 0.04 seconds").check(error)
    }

    @Test func deadlineHoldsInTheHandshake() async throws {
        let server = try RawServer([.stall])
        var request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        request.deadline = .milliseconds(40)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.timeout, found: "timed out").check(error)
    }

    @Test func handshakeHasALimitOfItsOwn() async throws {
        let server = try RawServer([.stall])
        let request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request) { $0.connection.connectDeadline = .milliseconds(40) }
        FaultExpectation(.timeout, found: "timed out").check(error)
    }

    @Test func deadlineHoldsWhileTheSinkTakesNothing() async throws {
        let server = try RawServer([.read, .text(Self.ok + "begin"), .stall])
        var error: TransportError?
        var sink: OpeningSink
        repeat {
            sink = OpeningSink(Gate(), pausing: true)
            var request = try server.request(sink: sink)
            request.deadline = .milliseconds(60)
            error = try await CurlTransport.error(of: request) { $0.connection.stallDeadline = .milliseconds(10) }
            // A server that is slow to begin, on a busy machine, is what the other deadline is for.
        } while !sink.wasAsked
        FaultExpectation(.timeout, found: "timed out").check(error)
    }

    @Test func dripThatNeverStopsIsGivenUp() async throws {
        let server = try RawServer([.read, .text(Self.drip), .sendForEver([0x20])])
        let error = try await CurlTransport.error(of: server.request()) {
            $0.minimumSpeed = 1 << 40
            $0.minimumSpeedTime = .milliseconds(40)
        }
        FaultExpectation(.timeout, found: "sent only").check(error)
    }

    @Test func answerThatIsLongInComingIsNotMeasured() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
        let server = try RawServer([.read, .text(head), .wait(gate), .text("late")])
        var settings = try TransportSettings.loopback()
        settings.minimumSpeed = 1 << 40
        settings.minimumSpeedTime = .milliseconds(1)
        let transport = CurlTransport(settings: settings)
        let other = try RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        async let response = transport.send(server.request())
        // Long enough for a measurement to be over, had one begun.
        for _ in 0..<10 { _ = try await transport.send(other.request()) }
        gate.open()
        #expect(try await response.text == "late")
    }

    @Test func redirectsShareOneDeadline() async throws {
        let location = "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer([.read, .text(location), .read, .text(location), .stall])
        var request = try server.request()
        request.deadline = .milliseconds(80)
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        let start = ContinuousClock.now
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        FaultExpectation(.timeout, found: "127.0.0.1").check(error)
        #expect(ContinuousClock.now - start < .milliseconds(80) + TimeTolerance.default)
    }

    @Test func redirectsThatEatTheTimeAreALateAnswer() async throws {
        let clock = SkippingClock()
        let start = ContinuousClock.now
        let base = SlowTransport(clock: clock) {
            TransportResponse(status: 302, url: $0.url, headers: [.location: "/again"])
        }
        let transport = RedirectingTransport(
            over: base, deadline: .seconds(10), now: { start + clock.now.offset })
        let request = TransportRequest(url: try WebURL("https://images.example/"), scope: .of("images.example"))
        let error = await TransportError.of { _ = try await transport.send(request) }
        FaultExpectation(.timeout, found: "redirected for").check(error)
        #expect(base.deadlines == [nil, .seconds(6), .seconds(2)])
    }

    @Test func attemptsShareOneDeadline() async throws {
        let clock = SkippingClock()
        let base = SlowTransport(clock: clock) { _ in
            throw TransportError(.connection, message: "gone", isRetriable: true)
        }
        let transport = RetryingTransport(over: base, clock: clock, now: { 0 }, random: { 1 })
        var request = TransportRequest(url: try WebURL("https://images.example/"), scope: .everywhere)
        request.deadline = .seconds(30)
        _ = await TransportError.of { [request] in _ = try await transport.send(request) }
        // 4 s for each attempt, and 0.5, 1 and 2 s between them.
        #expect(base.deadlines == [.seconds(30), .milliseconds(25_500), .milliseconds(20_500), .milliseconds(14_500)])
    }
}
