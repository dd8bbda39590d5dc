/// A body on its way from the network through a decoder to whoever takes it.
///
/// A chunk that was not taken whole comes again whole; what the decoder has had of it by then is passed over, and what
/// it made of that is given again first.
final class BodyDecoding {
    let coding: ContentCoding
    /// The bytes that came in, packed.
    private(set) var received = 0
    private let decoder: any ContentDecoder
    private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var pending = 0
    private var known = 0

    /// nil when the coding's library is not installed.
    init?(_ coding: ContentCoding) {
        guard let decoder = coding.makeDecoder() else { return nil }
        self.coding = coding
        self.decoder = decoder
    }

    deinit { space.deallocate() }

    /// Whether the body that came so far is whole; none at all is.
    var isComplete: Bool { received == 0 || decoder.isAtEnd }

    /// Gives the content of a chunk on, piece by piece, until `deliver` will have no more for now.
    func take(
        _ chunk: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) throws(BodyRefusal) -> BodyDemand
    ) throws(BodyRefusal) -> BodyDemand {
        let passed = min(known, chunk.count)
        var rest = UnsafeRawBufferPointer(rebasing: chunk[passed...])
        if pending > 0 {
            guard try deliver(UnsafeRawBufferPointer(rebasing: space[..<pending])) == .more else { return .pause }
            pending = 0
        }
        while true {
            let (consumed, produced) = try decode(rest)
            received += consumed
            rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
            if produced > 0 {
                guard try deliver(UnsafeRawBufferPointer(rebasing: space[..<produced])) == .more else {
                    pending = produced
                    known = chunk.count - rest.count
                    return .pause
                }
            }
            if rest.isEmpty && produced < space.count || consumed == 0 && produced == 0 { break }
        }
        known -= passed
        return .more
    }

    private func decode(_ input: UnsafeRawBufferPointer) throws(BodyRefusal) -> (consumed: Int, produced: Int) {
        do throws(ContentFault) { return try decoder.decode(input, into: space) } catch { throw .fault(error) }
    }
}

/// Why a body goes no further.
enum BodyRefusal: Error {
    /// It cannot be unpacked.
    case fault(ContentFault)
    /// It may not go on, or nobody takes it.
    case error(TransportError)
}
