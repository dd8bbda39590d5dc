import HTTPTypes
import ProviderModel

/// Takes the body of one answer: unpacks it, holds it to its limit, keeps it or gives it to the caller's sink.
final class BodyIntake {
    private let url: WebURL
    private let wanted: (any BodySink)?
    private let unpacking: Unpacking
    private let limit: Int
    private let endsAt: ContinuousClock.Instant
    private let deadline: Duration
    private var buffer: BoundedBuffer
    private var sink: (any BodySink)?
    private var bytesToSink = 0
    private var decoding: BodyDecoding?

    /// A body from this URL for a sink; for the answer itself where there is none.
    init(of url: WebURL, for sink: (any BodySink)?, _ unpacking: Unpacking, limit: Int, deadline: Duration) {
        self.url = url
        wanted = sink
        self.unpacking = unpacking
        self.limit = limit
        self.deadline = deadline
        endsAt = .now + deadline
        buffer = BoundedBuffer(limit: limit)
    }

    /// What was kept.
    var bytes: [UInt8] { buffer.bytes }

    /// Makes ready for the body of this answer.
    func begin(
        _ head: ResponseHead, _ framing: BodyFraming, resume: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        if let length = framing.length {
            guard length <= (framing.coding == nil ? limit : packedLimit) else {
                throw refusal("announces an answer of \(length) bytes, expected at most \(limit)")
            }
        }
        decoding = framing.coding.flatMap { BodyDecoding($0) }
        guard (200..<300).contains(head.status), let wanted else {
            if let length = framing.length, framing.coding == nil { buffer.expect(length) }
            return
        }
        try wanted.begin(head, resume: resume)
        sink = wanted
    }

    /// Takes a chunk as it came from the network.
    func take(_ chunk: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard let decoding else { return try deliver(chunk) }
        do throws(BodyRefusal) {
            let demand = try decoding.take(chunk) { piece throws(BodyRefusal) in
                do throws(TransportError) { return try deliverOnTime(piece) } catch { throw .error(error) }
            }
            guard decoding.received <= packedLimit else { throw .error(tooLong) }
            return demand
        } catch {
            switch error {
            case .error(let error): throw error
            case .fault where unpacking == .unasked && decoding.received == 0:
                // What nobody asked to be packed, and cannot be unpacked from its first byte on, is what it is.
                self.decoding = nil
                return try deliver(chunk)
            case .fault(let fault):
                throw TransportError(
                    .invalidAnswer, url: url,
                    message: "\(url.origin) sent a broken \(decoding.coding.rawValue) body (\(fault.message)), "
                        + "expected one that can be unpacked; try again later, or report it to the source")
            }
        }
    }

    /// Checks that a body that came to its end is whole.
    func finish() throws(TransportError) {
        guard let decoding, !decoding.isComplete else { return }
        throw TransportError(
            .connection, url: url,
            message: "\(url.origin) ended its \(decoding.coding.rawValue) body early "
                + "(after \(decoding.received) bytes), expected all of it; try again later",
            isRetriable: true)
    }

    /// Packing makes nothing much longer, but packed bytes without any content may be endless.
    private var packedLimit: Int { limit > .max - (limit / 1_000 + 1_024) ? .max : limit + limit / 1_000 + 1_024 }

    /// libcurl's own timer does not run while a chunk is being unpacked.
    private func deliverOnTime(_ piece: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard ContinuousClock.now < endsAt else {
            throw TransportError(
                .timeout, url: url,
                message: "\(url.origin) sent more than can be unpacked within \(deadline), "
                    + "expected a whole answer by then; ask for less at once")
        }
        return try deliver(piece)
    }

    private func deliver(_ piece: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard let sink else {
            guard buffer.append(piece) else { throw tooLong }
            return .more
        }
        guard piece.count <= limit - bytesToSink else { throw tooLong }
        guard try sink.write(piece) == .more else { return .pause }
        bytesToSink += piece.count
        return .more
    }

    private var tooLong: TransportError { refusal("sent more than \(limit) bytes, expected a smaller answer") }

    private func refusal(_ found: String) -> TransportError {
        TransportError(
            .tooLarge, url: url,
            message: "\(url.origin) \(found); ask for less at once, or raise the limit with --max-body")
    }
}
