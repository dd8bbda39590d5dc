import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("A head that contradicts itself is an error, and excess bytes belong to no response")
struct FramingTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
        ("Content-Length: 5\r\nContent-Length: 10", "the Content-Length 5 and 10"),
        ("Content-Length: 5, 10", "the Content-Length 5 and 10"),
        ("Content-Length: 5abc", "the Content-Length \"5abc\""),
        ("Content-Length: +5", "the Content-Length \"+5\""),
        ("Content-Length: 99999999999999999999999", "the Content-Length \"99999999999999999999999\""),
        ("Transfer-Encoding: gzip, chunked", "Transfer-Encoding \"gzip, chunked\""),
        ("Transfer-Encoding: identity\r\nContent-Length: 5", "Transfer-Encoding \"identity\""),
        ("Transfer-Encoding: chunked, chunked", "Transfer-Encoding \"chunked, chunked\""),
        ("Content-Encoding: gzip, gzip", "Content-Encoding \"gzip, gzip\""),
        ("Content-Encoding: gzip\r\nContent-Encoding: br", "Content-Encoding \"gzip, br\""),
    ])
    func contradiction(lines: String, found: String) async throws {
        let server = try RawServer.answering(Self.ok + lines + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        FaultExpectation(.invalidAnswer, found: found).check(try await CurlTransport.error(of: server.request()))
    }

    @Test(arguments: ["Content-Length: -5", "Content-Length: many", "Content-Length:"])
    func lengthThatLibcurlRefusesToo(line: String) async throws {
        let server = try RawServer.answering(Self.ok + line + "\r\n\r\nhello")
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.invalidAnswer, found: "Content-Length").check(error)
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "Content-Length: 5, 5\r\n\r\nhello",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: Chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Trailer: x\r\n\r\n",
        "Content-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
    ])
    func repetitionIsNoContradiction(rest: String) async throws {
        let server = try RawServer.answering(Self.ok + rest)
        #expect(try await CurlTransport(settings: .loopback()).send(server.request()).text == "hello")
    }

    @Test func unknownContentCodingGoesOnAsItIs() async throws {
        let server = try RawServer.answering(Self.ok + "Content-Encoding: compress\r\nContent-Length: 5\r\n\r\nhello")
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.text == "hello")
        #expect(response.headers[.contentEncoding] == "compress")
    }

    @Test func carriageReturnWithinAFieldIsASpace() async throws {
        let server = try RawServer.answering(Self.ok + "Server: a\rb\r\nContent-Length: 5\r\n\r\nhello")
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.text == "hello")
        #expect(response.headers[.server] == "a b")
    }

    @Test func unknownTransferCodingGoesOnAsItIs() async throws {
        let server = try RawServer.answering(Self.ok + "Transfer-Encoding: made-up\r\n\r\nhello")
        #expect(try await CurlTransport(settings: .loopback()).send(server.request()).text == "hello")
        #expect(server.received.count == 1)
    }

    /// What follows must not be taken for the next answer.
    @Test(arguments: [
        (200, "Content-Length: 5\r\n\r\nhello" + evil, "hello"), (204, "Content-Length: 5\r\n\r\n" + evil, ""),
        (204, "\r\nhello", ""), (304, "Content-Length: 5\r\n\r\n" + evil, ""),
        (200, "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + evil, "hello"),
    ])
    func excessIsNotTheNextAnswer(status: Int, rest: String, expected: String) async throws {
        let server = try RawServer(
            [.read, .text("HTTP/1.1 \(status) Status\r\n\(rest)"), .read, .text(Self.next)], [.read, .text(Self.next)])
        let transport = CurlTransport(settings: try .loopback())
        let first = try await transport.send(server.request("/first"))
        #expect(first.status == status)
        #expect(first.text == expected)
        #expect(try await transport.send(server.request("/second")).text == "next")
    }

    /// The same, when it comes after the answer was given; to a POST too, of which nothing has gone out.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func lateExcessIsNotTheNextAnswer(method: HTTPRequest.Method) async throws {
        let answered = Gate()
        let sent = Gate()
        let server = try RawServer(
            [
                .read, .text(Self.ok + "Content-Length: 5\r\n\r\nhello"), .wait(answered), .text(Self.evil),
                .open(sent), .stall,
            ], [.read, .text(Self.next), .read, .text(Self.next), .stall])
        let transport = CurlTransport(settings: try .loopback())
        #expect(try await transport.send(server.request()).text == "hello")
        answered.open()
        await sent.opened()
        #expect(try await transport.send(server.request(method: method)).text == "next")
        #expect(try await transport.send(server.request()).text == "next")
        #expect(server.received.count == 2)
    }

    @Test(arguments: [
        "garbage, not HTTP\r\n\r\n", "\u{16}\u{3}\u{1}", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/3.7 200 OK\r\n\r\n",
        "HTTP/1.1 099 Odd\r\n\r\n", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", "<html></html>",
    ])
    func otherThanHTTP(text: String) async throws {
        let server = try RawServer.answering(text)
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.invalidAnswer, found: "sent no HTTP response").check(error)
    }

    @Test(arguments: ["-5", "zz", "FFFFFFFFFFFFFFFFFF"])
    func chunkSizeThatIsNone(size: String) async throws {
        let body = "\(size)\r\nhello\r\n0\r\n\r\n"
        let server = try RawServer.answering(Self.ok + "Transfer-Encoding: chunked\r\n\r\n" + body)
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.connection, retriable: true, found: "hexadecimal").check(error)
    }

    @Test func emptyBodyIsAnAnswer() async throws {
        let server = try RawServer.answering(Self.ok + "Content-Length: 0\r\n\r\n")
        #expect(try await CurlTransport(settings: .loopback()).send(server.request()).body.isEmpty)
    }

    @Test(
        arguments: [
            ("application/json; charset=utf-16", [0xff, 0xfe, 0x7b, 0x00]),
            ("text/plain; charset=nonsense", [0x80, 0xff]),
            ("application/json", [0x22, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x00, 0x22]),
        ] as [(String, [UInt8])])
    func bytesOfTheBodyAreLeftAsTheyAre(type: String, body: [UInt8]) async throws {
        let head = Self.ok + "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
        let server = try RawServer([.read, .text(head), .send(body)])
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.body == body)
        #expect(response.headers[.contentType] == type)
    }

    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
    private static let next = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"
}

@Suite("What has no end is stopped at its limit")
struct EndlessAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
        ("header lines", ok, "X-Filler: \(String(repeating: "x", count: 500))\r\n"),
        ("one header line", ok + "X: ", String(repeating: "x", count: 500)),
        ("interim answers", "", "HTTP/1.1 103 Early\r\nX: y\r\n\r\n"),
        ("trailers", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-Trailer: y\r\n"),
    ])
    func headerLines(what: String, start: String, rest: String) async throws {
        let server = try RawServer([.read, .text(start), .sendForEver(Array(rest.utf8))])
        let error = try await CurlTransport.error(of: server.request()) { $0.headerLimit = 50_000 }
        // libcurl itself refuses a single line of 100 KB.
        let isOneLine = what == "one header line"
        #expect(error?.code == (isOneLine ? .invalidAnswer : .tooLarge), "\(error?.message ?? "no error")")
        FaultExpectation.checkSentence(error?.message ?? "", at: #_sourceLocation)
    }

    @Test(arguments: [
        ("a close-delimited body", "\r\n", "0123456789abcdef"),
        ("chunks", "Transfer-Encoding: chunked\r\n\r\n", "10\r\n0123456789abcdef\r\n"),
    ])
    func body(what: String, start: String, rest: String) async throws {
        let bytes = Array(String(repeating: rest, count: 200).utf8)
        let server = try RawServer([.read, .text(Self.ok + start), .sendForEver(bytes)])
        let error = try await CurlTransport.error(of: server.request()) { $0.bodyLimit = 100_000 }
        FaultExpectation(.tooLarge, found: "sent more than 100000 bytes").check(error)
    }

    @Test func chunkExtension() async throws {
        let server = try RawServer([
            .read, .text(Self.ok + "Transfer-Encoding: chunked\r\n\r\n5;"), .sendForEver(Array("extension".utf8)),
        ])
        let error = try await CurlTransport.error(of: server.request()) {
            $0.connection.stallDeadline = .milliseconds(60)
        }
        #expect(error?.code == .timeout, "\(error?.message ?? "no error")")
    }

    @Test func announcementBeyondTheLimitIsNotWaitedFor() async throws {
        let server = try RawServer([.read, .text(Self.ok + "Content-Length: 209715200\r\n\r\n"), .stall])
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.tooLarge, found: "announced 209715200 bytes").check(error)
    }
}
