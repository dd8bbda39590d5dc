import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("A packed body is given whole and unpacked, or not at all")
struct PackedBodyTests {
    private func server(_ coding: String, _ body: [UInt8], announcing length: Int? = nil) throws -> RawServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(length ?? body.count)\r\n\r\n"
        return try RawServer([.read, .text(head), .send(body)])
    }

    @Test(arguments: PackedSample.hello.indices)
    func everyCodingIsUnpacked(index: Int) async throws {
        let sample = PackedSample.hello[index]
        let server = try server(sample.coding, sample.bytes)
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.text == "hello", "\(sample.coding)")
        #expect(response.headers[.contentEncoding] == nil)
        #expect(server.received[0].contains("Accept-Encoding: gzip, deflate, br, zstd\r\n"))
    }

    /// libcurl's own decoders take each of these for a whole answer.
    @Test(arguments: PackedSample.hello.indices)
    func cutThatItsLengthHidesIsNoticed(index: Int) async throws {
        let sample = PackedSample.hello[index]
        for cut in 1..<sample.bytes.count {
            let server = try server(sample.coding, Array(sample.bytes.dropLast(cut)))
            let error = try await CurlTransport.error(of: server.request())
            FaultExpectation(.connection, retriable: true, found: "sent an incomplete ").check(error)
        }
    }

    @Test func cutInTheMiddleOfALongBodyIsNoticed() async throws {
        let server = try server("gzip", Array(GzipSample.zeros.dropLast(500)))
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.connection, retriable: true, found: "an incomplete gzip body").check(error)
    }

    @Test func everyBrokenByteOfGzipIsNoticed() async throws {
        // Byte 4 to 7 and 9 are a time and a system, which mean nothing to the content.
        for index in PackedSample.gzip.indices where !(3...9).contains(index) {
            var body = PackedSample.gzip
            body[index] ^= 0x55
            let server = try server("gzip", body)
            let error = try await CurlTransport.error(of: server.request())
            #expect([.invalidAnswer, .connection].contains(error?.code), "byte \(index)")
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func plainTextIsNotPacked(coding: String) async throws {
        let server = try server(coding, Array("{\"plain\": true, \"text\": 1234567890}".utf8))
        let error = try await CurlTransport.error(of: server.request())
        FaultExpectation(.invalidAnswer, found: "sent a damaged \(coding) body").check(error)
    }

    @Test(arguments: PackedSample.hello.indices)
    func unrequestedCodingIsDecodedToo(index: Int) async throws {
        let sample = PackedSample.hello[index]
        let server = try server(sample.coding, sample.bytes)
        var request = try server.request()
        request.headers[.acceptEncoding] = "identity"
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.text == "hello", "\(sample.coding)")
        #expect(response.headers[.contentEncoding] == nil && response.headers[.contentLength] == nil)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
    func unrequestedCodingMayBeInNameOnly(coding: String) async throws {
        let text = "{\"plain\": true, \"text\": 1234567890}"
        let server = try server(coding, Array(text.utf8))
        var request = try server.request()
        request.headers[.acceptEncoding] = "identity"
        #expect(try await CurlTransport(settings: .loopback()).send(request).text == text)
    }

    @Test func partOfAPackedBodyIsGivenAsItIs() async throws {
        let part = Array(PackedSample.gzip[5...])
        let head = "HTTP/1.1 206 Partial\r\nContent-Encoding: gzip\r\nContent-Length: \(part.count)\r\n\r\n"
        let server = try RawServer([.read, .text(head), .send(part)])
        var request = try server.request()
        request.headers[.acceptEncoding] = "identity"
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.body == part)
        #expect(response.headers[.contentEncoding] == "gzip")
    }

    @Test func noBodyNeedsNoPacking() async throws {
        let server = try server("gzip", [])
        #expect(try await CurlTransport(settings: .loopback()).send(server.request()).body.isEmpty)
    }

    @Test func answerToHeadHasNothingToUnpack() async throws {
        let server = try server("gzip", [], announcing: 1_000)
        let response = try await CurlTransport(settings: .loopback()).send(server.request(method: .head))
        #expect(response.status == 200)
    }

    @Test func membersAreOneBodyAndWhatFollowsIsNone() async throws {
        let server = try server("gzip", PackedSample.gzip + PackedSample.gzip + Array("\n<!-- -->".utf8))
        #expect(try await CurlTransport(settings: .loopback()).send(server.request()).text == "hellohello")
    }

    @Test func bombIsStoppedAtTheLimit() async throws {
        let server = try server("gzip", GzipSample.zeros)
        let error = try await CurlTransport.error(of: server.request()) { $0.bodyLimit = 100_000 }
        FaultExpectation(.tooLarge, found: "sent more than 100000 bytes").check(error)
    }

    @Test func packedBytesWithoutContentAreLimitedToo() async throws {
        let blocks = Array(repeating: PackedSample.emptyBlock, count: 1_000).flatMap(\.self)
        let server = try RawServer([
            .read, .text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), .send(PackedSample.gzipHead),
            .sendForEver(blocks),
        ])
        let error = try await CurlTransport.error(of: server.request()) { $0.bodyLimit = 100_000 }
        FaultExpectation(.tooLarge, found: "sent more").check(error)
    }

    @Test func unpackingEndsWithTheDeadlineToo() async throws {
        let server = try server("gzip", GzipSample.zeros)
        let sink = OpeningSink(Gate())
        let request = try server.request(sink: sink)
        let body = ResponseBody(from: request.url, into: request.sink, .accepted, limit: .max, timeout: .zero)
        try body.begin(
            ResponseHead(status: 200, headers: [:]), BodyFraming(coding: .gzip), resume: {})
        let error = #expect(throws: TransportError.self) {
            try GzipSample.zeros.withUnsafeBytes { _ = try body.take($0) }
        }
        FaultExpectation(.timeout, found: "could be decoded within 0.0 seconds").check(error)
    }

    @Test func sinkThatPausesGetsEveryByteOnce() async throws {
        let server = try server("gzip", GzipSample.zeros)
        let sink = PausingSink()
        let response = try await CurlTransport(settings: .loopback()).send(server.request(sink: sink))
        #expect(response.status == 200)
        #expect(sink.count == GzipSample.length)
        #expect(sink.pauses > 10)
    }
}
