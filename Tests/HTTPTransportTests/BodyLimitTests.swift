import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct BodyLimitTests {
    @Test(arguments: [(9, false), (10, true), (11, true)])
    func limitCountsBytes(limit: Int, fits: Bool) async throws {
        let server = try LoopbackServer { _ in .answer(text: "0123456789") }
        var request = server.request()
        request.bodyLimit = limit
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        #expect(error?.code == (fits ? nil : .tooLarge))
    }

    @Test func announcedLengthBeyondTheLimitIsRefusedUnread() async throws {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\nx") }
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .tooLarge)
    }

    @Test func endlessChunksEnd() async throws {
        let chunk = "400\r\n" + String(repeating: "x", count: 1_024) + "\r\n"
        let server = try LoopbackServer { _ in
            LoopbackReply(
                [.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))]
                    + Array(repeating: .send(Array(chunk.utf8)), count: 200) + [.stall]
            )
        }
        let transport = CurlTransport(settings: try .loopback { $0.bodyLimit = 100_000 })
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .tooLarge)
    }

    @Test func gzipBombEnds() async throws {
        let server = try LoopbackServer { _ in .answer(headers: [("Content-Encoding", "gzip")], body: GzipSample.zeros)
        }
        let transport = CurlTransport(settings: try .loopback { $0.bodyLimit = 100_000 })
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .tooLarge)
    }

    @Test func compressedBodyIsGivenAsItWas() async throws {
        let server = try LoopbackServer { _ in .answer(headers: [("Content-Encoding", "gzip")], body: GzipSample.zeros)
        }
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.body.count == GzipSample.length)
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == nil)
    }

    @Test func callerThatNamesItsEncodingGetsTheBytesAsTheyAre() async throws {
        let server = try LoopbackServer { _ in .answer(headers: [("Content-Encoding", "gzip")], body: GzipSample.zeros)
        }
        var request = server.request()
        request.headers[.acceptEncoding] = "gzip"
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.body == GzipSample.zeros)
        #expect(response.headers[.contentEncoding] == "gzip")
    }

    @Test func endlessHeaderLinesEnd() async throws {
        let lines = String(repeating: "X-Filler: \(String(repeating: "x", count: 500))\r\n", count: 20)
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n" + lines + "\r\n") }
        let transport = CurlTransport(settings: try .loopback { $0.headerLimit = 4_096 })
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .tooLarge)
    }

    @Test func tooManyShortHeaderLinesEnd() async throws {
        let lines = String(repeating: "a:\n", count: 70_000)
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n" + lines + "\r\n") }
        let error = await TransportError.of {
            _ = try await CurlTransport(settings: .loopback()).send(server.request())
        }
        #expect(error?.code == .tooLarge)
    }
}

/// A megabyte of zeros in a kilobyte, as gzip has it: three stored facts and one long repetition.
enum GzipSample {
    static let length = 258 * 4_000 + 1

    /// One block of fixed Huffman codes: a zero, then "258 bytes from one byte back" again and again.
    static let zeros: [UInt8] = {
        var bits = BitWriter()
        bits.append(0b1, count: 1)  // last block
        bits.append(0b01, count: 2)  // fixed codes
        bits.appendReversed(0x30, count: 8)  // literal 0
        for _ in 0..<4_000 {
            bits.appendReversed(0xc5, count: 8)  // length 258
            bits.appendReversed(0, count: 5)  // distance 1
        }
        bits.appendReversed(0, count: 7)  // end of block
        let checksum = crc32OfZeros(length)
        let trailer = [checksum, UInt32(length)].flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + bits.finished + trailer
    }()

    private static func crc32OfZeros(_ count: Int) -> UInt32 {
        var checksum = ~0 as UInt32
        for _ in 0..<count {
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xedb8_8320 : checksum >> 1 }
        }
        return ~checksum
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var used = 8

        var finished: [UInt8] { bytes }

        mutating func append(_ value: Int, count: Int) {
            for bit in 0..<count {
                if used == 8 { (bytes, used) = (bytes + [0], 0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
                used += 1
            }
        }

        mutating func appendReversed(_ value: Int, count: Int) {
            for bit in (0..<count).reversed() { append(value >> bit & 1, count: 1) }
        }
    }
}
