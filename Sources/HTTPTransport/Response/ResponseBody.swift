import HTTPTypes
import ProviderModel

/// Receives the body of one response: decodes it, enforces its limit, keeps it or passes it to the caller's sink.
final class ResponseBody {
    private let url: WebURL
    private let requestedSink: (any BodySink)?
    private let decoding: DecodingPolicy
    private let limit: Int
    private let deadline: ContinuousClock.Instant
    private let timeout: Duration
    private var sink: (any BodySink)?
    private var bytesToSink = 0
    private var decoder: BodyDecoder?
    /// What was kept; empty where a sink took it.
    private(set) var bytes: [UInt8] = []

    /// A body from this URL for a sink; for the response itself where there is none.
    init(from url: WebURL, into sink: (any BodySink)?, _ decoding: DecodingPolicy, limit: Int, timeout: Duration) {
        self.url = url
        requestedSink = sink
        self.decoding = decoding
        self.limit = limit
        self.timeout = timeout
        deadline = .now + timeout
    }

    /// Makes ready for the body of this response.
    func begin(
        _ head: ResponseHead, _ framing: BodyFraming, resume: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        if let length = framing.length, length > (framing.coding == nil ? limit : encodedLimit) {
            throw tooLarge("announced \(length) bytes")
        }
        decoder = framing.coding.flatMap { BodyDecoder($0) }
        guard (200..<300).contains(head.status), let requestedSink else {
            // As far as the announcement is believable.
            if let length = framing.length, decoder == nil { bytes.reserveCapacity(min(length, 1 << 20)) }
            return
        }
        try requestedSink.begin(head, resume: resume)
        sink = requestedSink
    }

    /// Takes a chunk as it came from the network.
    func take(_ chunk: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard let decoder else { return try deliver(chunk) }
        do throws(BodyDecoder.Failure) {
            let demand = try decoder.take(chunk) { (piece) throws(TransportError) in try deliverDecoded(piece) }
            guard decoder.received <= encodedLimit else { throw .error(tooLarge("sent more than \(limit) bytes")) }
            return demand
        } catch {
            switch error {
            case .error(let error): throw error
            case .fault where decoding == .unrequested && decoder.received == 0:
                // A body that was not requested encoded, and cannot be decoded from its first byte on, is taken as it is.
                self.decoder = nil
                return try deliver(chunk)
            case .fault(let fault):
                throw TransportError(
                    .invalidAnswer, url: url,
                    message: "\(url.origin) sent a damaged \(decoder.coding.rawValue) body (\(fault.message))",
                    hint: "try again later, or report it to the source")
            }
        }
    }

    /// Checks that a body that came to its end is whole.
    func finish() throws(TransportError) {
        guard let decoder, !decoder.isComplete else { return }
        throw TransportError(
            .connection, url: url,
            message:
                "\(url.origin) sent an incomplete \(decoder.coding.rawValue) body (ended after \(decoder.received) bytes)",
            hint: "try again later", isRetriable: true)
    }

    /// Encoding makes nothing much longer, but encoded bytes without any content may be endless.
    private var encodedLimit: Int { limit > .max - (limit / 1_000 + 1_024) ? .max : limit + limit / 1_000 + 1_024 }

    /// libcurl's own timer does not run while a chunk is being decoded.
    private func deliverDecoded(_ piece: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard ContinuousClock.now < deadline else {
            throw TransportError(
                .timeout, url: url, message: "\(url.origin) sent more than could be decoded within \(timeout)",
                hint: "request fewer results at a time")
        }
        return try deliver(piece)
    }

    private func deliver(_ piece: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        guard let sink else {
            guard piece.count <= limit - bytes.count else { throw tooLarge("sent more than \(limit) bytes") }
            bytes.append(contentsOf: piece)
            return .more
        }
        guard piece.count <= limit - bytesToSink else { throw tooLarge("sent more than \(limit) bytes") }
        guard try sink.write(piece) == .more else { return .pause }
        bytesToSink += piece.count
        return .more
    }

    private func tooLarge(_ found: String) -> TransportError {
        TransportError(
            .tooLarge, url: url, message: "\(url.origin) \(found) (expected at most \(limit))",
            hint: .several(["request fewer results at a time", .raiseBodyLimit]))
    }
}
