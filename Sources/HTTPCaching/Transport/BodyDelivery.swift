import HTTPTransport
import ProviderModel
import Synchronization

/// Hands a stored body to a sink as the transport would: piece by piece, waiting while the sink cannot take more.
struct BodyDelivery {
    private let sink: any BodySink
    private let url: WebURL

    /// A delivery of an answer from this URL.
    init(to sink: any BodySink, url: WebURL) {
        self.sink = sink
        self.url = url
    }

    /// Delivers a part of the body; throws what the sink throws.
    func deliver(_ body: BodyReader, _ range: Range<Int>, head: ResponseHead) async throws {
        let signal = ResumeSignal()
        try sink.begin(head) { signal.give() }
        for piece in BodyReader.pieces(of: range) {
            try Task.checkCancellation()
            guard let bytes = body.bytes(piece) else {
                throw TransportError(
                    .sink,
                    url: url,
                    message: "the stored answer of \(url.origin) was cut off while it was read; ask again"
                )
            }
            while true {
                signal.clear()
                if try Self.write(bytes, to: sink) == .more { break }
                try await signal.given()
            }
        }
    }

    private static func write(_ bytes: [UInt8], to sink: any BodySink) throws -> BodyDemand {
        try bytes.withUnsafeBytes { try sink.write($0) }
    }
}

/// A sink's word that it can take more, which may come before anybody waits for it.
private final class ResumeSignal: Sendable {
    private struct State {
        var isGiven = false
        var isCancelled = false
        var waiting: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    func clear() { state.withLock { $0.isGiven = false } }

    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func given() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if state.isGiven { return .success(()) }
                    state.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(throwing: CancellationError())
        }
    }
}
