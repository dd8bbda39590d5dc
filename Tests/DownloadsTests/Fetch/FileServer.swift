import Synchronization
import TestSupport

/// A loopback server of one file that keeps to HTTP, ranges included, and misbehaves on request.
final class FileServer: Sendable {
    /// What it does instead of what it should.
    typealias Fault = @Sendable (LoopbackRequest, Int) -> LoopbackReply?

    struct File: Sendable {
        var bytes: [UInt8]
        var tag: String? = "\"v1\""
        var headers: [(String, String)] = []
    }

    let server: LoopbackServer

    /// A server of these bytes; `fault` sees each request with its number, from 1.
    init(
        _ bytes: [UInt8], tag: String? = "\"v1\"", headers: [(String, String)] = [],
        fault: @escaping Fault = { _, _ in nil }
    )
        throws
    {
        let file = File(bytes: bytes, tag: tag, headers: headers)
        let count = Counter()
        server = try LoopbackServer { request in
            fault(request, count.next()) ?? Self.answer(request, file)
        }
    }

    var origin: String { server.origin }

    /// The `Range` header of each request; "none" where there was none.
    var ranges: [String] { server.requests.map { $0.header("range") ?? "none" } }

    static func answer(_ request: LoopbackRequest, _ file: File) -> LoopbackReply {
        var headers = file.headers + [("Accept-Ranges", "bytes")]
        if let tag = file.tag { headers.append(("ETag", tag)) }
        guard let range = request.header("range"),
            request.header("if-range") == nil || request.header("if-range") == file.tag,
            let bounds = Self.bounds(range, file.bytes.count)
        else { return .answer(headers: headers, body: file.bytes) }
        headers.append(("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(file.bytes.count)"))
        return .answer(206, headers: headers, body: Array(file.bytes[bounds]))
    }

    /// The whole file, broken off after so many bytes.
    static func brokenOff(_ file: File, after count: Int) -> LoopbackReply {
        var head = "HTTP/1.1 200 OK\r\nContent-Length: \(file.bytes.count)\r\nAccept-Ranges: bytes\r\n"
        if let tag = file.tag { head += "ETag: \(tag)\r\n" }
        return LoopbackReply([.send(Array((head + "\r\n").utf8) + file.bytes.prefix(count)), .close])
    }

    static func bounds(_ range: String, _ total: Int) -> Range<Int>? {
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first < total else { return nil }
        return first..<min((Int(ends[1]) ?? total - 1) + 1, total)
    }
}

/// Counts from 1.
final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Bytes that differ from place to place.
func patterned(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
