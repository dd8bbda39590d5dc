import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

@testable import Downloads

/// A file of a simulated server, and what comes of the requests for it.
struct SimulatedFile: Sendable {
    /// What comes of one request.
    enum Answer: Hashable, Sendable {
        /// The whole file, or the range that was asked for.
        case whole
        /// Without a length, in chunks.
        case chunked
        /// So many thousandths of the body, then the end of the connection.
        case cut(Int)
        /// The connection is lost before an answer.
        case lost
        /// An error status.
        case status(Int)
        /// Another kind of content, with status 200.
        case page
    }

    /// The path of its URL.
    let path: String
    /// The item whose file it is; nil for a bare URL.
    let item: Item?
    let content: [UInt8]
    /// The name in `Content-Disposition`.
    let name: String?
    /// The answers to one request after the other; the last one is that to all others.
    let answers: [Answer]

    /// Whether it can be had in the end.
    var isThere: Bool { [.whole, .chunked].contains(answers.last) }
}

/// A transport that answers without a network, as the files say.
final class ScriptedServer: Sendable {
    private struct State {
        var requests: [String: Int] = [:]
        var isSettled = false
    }

    static let origin = "https://cdn.example.com"

    private let files: [String: SimulatedFile]
    private let state = Mutex(State())

    init(_ files: [SimulatedFile]) {
        self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    }

    /// The number of requests for each path.
    var requests: [String: Int] { state.withLock(\.requests) }

    /// From now on each file has its last answer.
    func settle() { state.withLock { $0.isSettled = true } }

    fileprivate func answer(to path: String) -> (file: SimulatedFile, answer: SimulatedFile.Answer)? {
        guard let file = files[path] else { return nil }
        let number = state.withLock { state in
            defer { state.requests[path, default: 0] += 1 }
            return state.isSettled ? .max : state.requests[path, default: 0]
        }
        return (file, file.answers[min(number, file.answers.count - 1)])
    }

    /// The server as one process sees it, which asks nothing more when it has ended.
    struct Connection: Transport {
        let server: ScriptedServer
        let process: SimulatedProcess

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            await Task.yield()
            try Task.checkCancellation()
            guard !process.hasEnded, let (file, answer) = server.answer(to: request.url.path) else {
                throw Self.broken(request.url)
            }
            switch answer {
            case .lost: throw Self.broken(request.url)
            case .status(let status): return TransportResponse(status: status, url: request.url, version: "1.1")
            case .page: return try await send(Array("<!DOCTYPE html><title>gone</title>".utf8), of: file, to: request)
            case .whole: return try await send(file.content, of: file, to: request)
            case .chunked: return try await send(file.content, of: file, to: request, isChunked: true)
            case .cut(let thousandths):
                return try await send(file.content, of: file, to: request, part: Double(thousandths) / 1_000)
            }
        }

        private func send(
            _ content: [UInt8], of file: SimulatedFile, to request: TransportRequest, part: Double = 1,
            isChunked: Bool = false
        ) async throws -> TransportResponse {
            var headers: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes"]
            if let name = file.name { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
            var (status, body) = (200, content[...])
            if let text = request.headers[.range], let range = FileServer.bounds(text, content.count) {
                (status, body) = (206, content[range])
                headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            }
            if isChunked {
                headers[.transferEncoding] = "chunked"
            } else {
                headers[.contentLength] = String(body.count)
            }
            try request.sink?.begin(ResponseHead(status: status, headers: headers, version: "1.1")) {}
            let end = body.startIndex + Int(Double(body.count) * part)
            for start in stride(from: body.startIndex, to: end, by: 50_000) {
                guard !process.hasEnded else { throw Self.broken(request.url) }
                try body[start..<min(start + 50_000, end)].withUnsafeBytes { _ = try request.sink?.write($0) }
                await Task.yield()
                try Task.checkCancellation()
            }
            guard part == 1 else { throw Self.broken(request.url) }
            return TransportResponse(status: status, url: request.url, headers: headers, version: "1.1")
        }

        private static func broken(_ url: WebURL) -> TransportError {
            TransportError(.connection, url: url, message: "\(url.origin) closed the connection", isRetriable: true)
        }
    }
}
