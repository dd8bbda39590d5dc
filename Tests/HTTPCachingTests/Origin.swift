import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

/// Answers from a list, the last one for ever, and remembers the requests; obeys conditions when a reply says so.
final class Origin: Transport {
    struct Reply: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body = "body"
        /// Answers 304 with these lines when the request's conditions name the same validators.
        var isConditional = false
        /// Fails instead of answering.
        var failure: TransportError.Code?
        /// Waits here before answering.
        var gate: Gate?
        /// Where the answer comes from after redirects; nil for where the request went.
        var url: WebURL?
        /// How long answering takes, on the test's clock.
        var delay = 0.0
    }

    private struct State {
        var replies: [Reply]
        var requests: [TransportRequest] = []
    }

    private let state: Mutex<State>
    private let clock: TestClock

    init(_ replies: [Reply], clock: TestClock) {
        state = Mutex(State(replies: replies))
        self.clock = clock
    }

    var requests: [TransportRequest] { state.withLock(\.requests) }

    /// What is answered from now on, the last for ever.
    func reply(_ replies: Reply...) {
        state.withLock { state in state.replies = Array(repeating: Reply(), count: state.requests.count) + replies }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies[min(state.requests.count, state.replies.count) - 1]
        }
        if let gate = reply.gate { await gate.opened() }
        try Task.checkCancellation()
        clock.advance(reply.delay)
        if let failure = reply.failure { throw TransportError(failure, url: request.url, message: "no answer") }
        let fields = HTTPFields.lines(reply.headers)
        let isMatch = reply.isConditional && Self.names(request, fields)
        var answer = TransportResponse(
            status: isMatch ? 304 : reply.status,
            url: reply.url ?? request.url,
            headers: fields,
            body: isMatch || request.method == .head ? [] : Array(reply.body.utf8)
        )
        if let sink = request.sink, (200..<300).contains(answer.status) {
            try sink.begin(ResponseHead(status: answer.status, headers: fields)) {}
            for piece in answer.body.chunks(of: 7) { _ = try piece.withUnsafeBytes { try sink.write($0) } }
            answer.body = []
        }
        return answer
    }

    private static func names(_ request: TransportRequest, _ fields: HTTPFields) -> Bool {
        if let tag = request.headers[.ifNoneMatch] { return tag == fields[.eTag] }
        return request.headers[.ifModifiedSince].map { $0 == fields[.lastModified] } ?? false
    }
}

extension Array {
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
