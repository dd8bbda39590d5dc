import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("An answer that breaks off is an error that may be tried again, never half an answer")
struct BrokenOffTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
        ("nothing", "", "Empty reply"),
        ("half a header line", ok + "Content-Le", "without a response"),
        ("no end of the header", ok + "Content-Length: 5\r\n", "bytes remaining"),
        ("less than announced", ok + "Content-Length: 10\r\n\r\nhalf", "6 bytes remaining"),
        ("a chunk cut", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "outstanding read data"),
        ("no last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "outstanding read data"),
        ("a trailer cut", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", "outstanding read data"),
        ("interim answers only", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\n", "Empty reply"),
    ])
    func closedTooSoon(what: String, bytes: String, found: String) async throws {
        let server = try RawServer.answering(bytes)
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.connection, retriable: true, found: found).check(error)
    }

    @Test(arguments: ["", ok, ok + "Content-Length: 10\r\n\r\nhalf", ok + "\r\nclose-delimited"])
    func reset(after bytes: String) async throws {
        let arrived = Gate()
        let sink = OpeningSink(arrived)
        // The reset must not overtake what was sent before it.
        let isBody = bytes.contains("\r\n\r\n")
        let server = try RawServer([.read, .text(bytes)] + (isBody ? [.wait(arrived)] : []) + [.reset])
        let error = try await CurlTransport.error(of: server.request(sink: sink))
        FaultExpectation(.connection, retriable: true, found: "reset by peer").check(error)
    }

    @Test func connectionAcceptedAndClosedUnread() async throws {
        let server = try RawServer([])
        let error = try await CurlTransport.error(of: server.request())
        #expect(error?.code == .connection)
        #expect(error?.isRetriable == true)
    }

    @Test func noListener() async throws {
        let server = try RawServer([])
        server.close()
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.connection, retriable: true, found: "could not connect to").check(error)
    }

    @Test func nameWithoutAddress() async throws {
        let request = TransportRequest(url: try WebURL("http://nosuch.invalid/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request) { $0.connection.connectDeadline = .seconds(5) }
        // A resolver without a network may take its time to say so.
        #expect(error?.code == .connection || error?.code == .timeout)
        if error?.code == .connection {
            FaultExpectation(.connection, retriable: true, found: "nosuch.invalid").check(error)
        }
    }

    @Test func closeDelimitedAnswerOfHTTP10IsWhole() async throws {
        let server = try RawServer.answering("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it")
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.text == "all of it")
        #expect(response.version == "1.0")
    }

    @Test func cutBodyIsFetchedAgainAndOnlyTheWholeIsGiven() async throws {
        let server = try RawServer(
            [.read, .text(Self.ok + "Content-Length: 10\r\n\r\nhalf")],
            [.read, .text(Self.ok + "Content-Length: 10\r\n\r\n0123456789")])
        let sink = OpeningSink(Gate())
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: SkippingClock(), now: { 0 })
        #expect(try await transport.send(server.request(sink: sink)).status == 200)
        #expect(sink.text == "0123456789")
        #expect(server.received.count == 2)
    }

    @Test func cutAnswerToAPostIsNotAskedForAgain() async throws {
        let server = try RawServer([.read, .text(Self.ok + "Content-Length: 10\r\n\r\nhalf")])
        let transport = RetryingTransport(
            over: CurlTransport(settings: try .loopback()), clock: SkippingClock(), now: { 0 })
        let error = await TransportError.of { _ = try await transport.send(server.request(method: .post)) }
        FaultExpectation(.connection, retriable: true, found: "6 bytes remaining").check(error)
        #expect(server.received.count == 1)
    }

    @Test func connectionClosedWhileIdleCostsNothing() async throws {
        let one = Self.ok + "Content-Length: 3\r\n\r\n"
        let server = try RawServer([.read, .text(one + "one")], [.read, .text(one + "two")])
        let transport = CurlTransport(settings: try .loopback())
        #expect(try await transport.send(server.request()).text == "one")
        #expect(try await transport.send(server.request()).text == "two")
    }
}
