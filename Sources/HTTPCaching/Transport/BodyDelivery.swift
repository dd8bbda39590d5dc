import HTTPTransport
import ProviderModel

/// Delivers a stored body to a sink as a transport does: in chunks, waiting while the sink is paused.
struct BodyDelivery {
    private let sink: any BodySink
    private let url: WebURL

    /// A delivery of a response from this URL.
    init(to sink: any BodySink, url: WebURL) {
        self.sink = sink
        self.url = url
    }

    /// Delivers a part of the body; throws what the sink throws.
    func deliver(_ body: BodyReader, _ range: Range<Int>, head: ResponseHead) async throws {
        let (resumes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        var resumed = resumes.makeAsyncIterator()
        try sink.begin(head) { continuation.yield() }
        for piece in BodyReader.pieces(of: range) {
            try Task.checkCancellation()
            guard let bytes = body.bytes(piece) else {
                throw TransportError(
                    .sink,
                    url: url,
                    message: "the cached response of \(url.origin) was truncated",
                    hint: "ask again"
                )
            }
            while true {
                if try Self.write(bytes, to: sink) == .more { break }
                // One that came before is kept: then the sink is asked once too often.
                await resumed.next()
                try Task.checkCancellation()
            }
        }
    }

    private static func write(_ bytes: [UInt8], to sink: any BodySink) throws -> BodyDemand {
        try bytes.withUnsafeBytes { try sink.write($0) }
    }
}
