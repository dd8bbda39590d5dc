/// Decodes the chunks of a body, and delivers what they contain.
///
/// A chunk that was not taken whole comes again whole; what the decoder has had of it by then is passed over, and what
/// it produced of that is delivered again first.
final class BodyDecoder {
    /// Why a body goes no further.
    enum Failure: Error {
        /// It cannot be decoded.
        case fault(DecodingFault)
        /// It may not go on, or its sink is closed.
        case error(TransportError)
    }

    let coding: ContentCoding
    /// The bytes that came in, encoded.
    private(set) var received = 0
    private let decoder: any ContentDecoder
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// How much of the buffer still has to be delivered.
    private var pending = 0
    /// How many bytes of the chunk that comes again the decoder has had.
    private var consumedBefore = 0

    /// A decoder; nil when there is no memory for one.
    init?(_ coding: ContentCoding) {
        guard let decoder = coding.makeDecoder() else { return nil }
        self.coding = coding
        self.decoder = decoder
    }

    deinit { buffer.deallocate() }

    /// Whether the body that came so far is whole; none at all is.
    var isComplete: Bool { received == 0 || decoder.isAtEnd }

    /// Delivers the content of a chunk piece by piece, until `deliver` takes no more for now.
    func take(
        _ chunk: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand
    ) throws(Failure) -> BodyDemand {
        let skipped = min(consumedBefore, chunk.count)
        var rest = UnsafeRawBufferPointer(rebasing: chunk[skipped...])
        if pending > 0 {
            guard try pass(pending, to: deliver) == .more else { return .pause }
            pending = 0
        }
        while true {
            let (consumed, produced) = try decode(rest)
            received += consumed
            rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
            if produced > 0 {
                guard try pass(produced, to: deliver) == .more else {
                    pending = produced
                    consumedBefore = chunk.count - rest.count
                    return .pause
                }
            }
            if rest.isEmpty && produced < buffer.count || consumed == 0 && produced == 0 { break }
        }
        consumedBefore -= skipped
        return .more
    }

    private func pass(
        _ count: Int, to deliver: (UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand
    ) throws(Failure) -> BodyDemand {
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        do throws(TransportError) { return try deliver(piece) } catch { throw .error(error) }
    }

    private func decode(_ input: UnsafeRawBufferPointer) throws(Failure) -> (consumed: Int, produced: Int) {
        do throws(DecodingFault) { return try decoder.decode(input, into: buffer) } catch { throw .fault(error) }
    }
}
