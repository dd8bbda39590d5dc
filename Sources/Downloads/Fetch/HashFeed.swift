import Synchronization

/// The beginning of a large file, on its way to whoever computes its digest.
///
/// What came last is handed over in memory: read back from the file, each byte would be copied once more, by another
/// processor than the one that has just had it in its cache.
final class HashFeed: Sendable {
    /// What comes next in the file.
    enum Next {
        /// Bytes, some of which may be known already.
        case bytes([UInt8], known: Int)
        /// Nothing that is in memory; the file has it, up to here.
        case file(end: Int)
        /// Bytes that are not all in the file yet.
        case later
    }

    fileprivate struct Piece {
        let offset: Int
        var bytes: [UInt8]

        var end: Int { offset + bytes.count }
    }

    fileprivate struct State {
        var pieces: [Piece] = []
        /// How far the file goes from its beginning without a gap.
        var prefix = 0
    }

    /// How far the file goes from its beginning without a gap, told again whenever it goes further.
    let prefixes: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private let state = Mutex(State())
    private let buffers: FileBuffers
    /// How far behind the file's beginning pieces may lie; those of another part lie further.
    private let window: Int

    /// A feed for a file that counts as being there block by block.
    init(blockLength: Int, _ buffers: FileBuffers) {
        self.buffers = buffers
        window = blockLength + (2 << 20)
        (prefixes, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit { state.withLock { $0.drop(from: 0, buffers) } }

    /// Keeps a piece that was written to the file, where it belongs to its beginning and there is room.
    func keep(_ bytes: consuming [UInt8], at offset: Int) {
        let piece = Piece(offset: offset, bytes: bytes)
        let isKept = state.withLock { state in
            guard offset < state.prefix + window else { return false }
            // What is fetched again may be other bytes.
            state.drop(from: offset, buffers)
            guard buffers.leave() else { return false }
            state.pieces.append(piece)
            return true
        }
        if !isKept { buffers.takeBackLent(piece.bytes) }
    }

    /// Notes how far the file goes from its beginning without a gap.
    func advance(to prefix: Int) {
        state.withLock { $0.prefix = prefix }
        continuation.yield(prefix)
    }

    /// Says that nothing more comes.
    func finish() { continuation.finish() }

    /// What follows after so many bytes, as far as the file's beginning goes.
    ///
    /// What lies further may yet be fetched again.
    func next(after position: Int, to end: Int) -> Next {
        state.withLock { state in
            while let end = state.pieces.first?.end, end <= position {
                buffers.takeBackKept(state.pieces.removeFirst().bytes)
            }
            guard let (offset, last) = state.pieces.first.map({ ($0.offset, $0.end) }) else { return .file(end: end) }
            guard offset <= position else { return .file(end: min(offset, end)) }
            guard last <= end else { return .later }
            return .bytes(state.pieces.removeFirst().bytes, known: position - offset)
        }
    }

    /// Takes back a piece that it gave out.
    func takeBack(_ bytes: consuming [UInt8]) { buffers.takeBackKept(bytes) }
}

extension HashFeed.State {
    /// Forgets what lies from there on.
    fileprivate mutating func drop(from offset: Int, _ buffers: FileBuffers) {
        while let last = pieces.indices.last, pieces[last].end > offset {
            guard pieces[last].offset < offset else {
                buffers.takeBackKept(pieces.removeLast().bytes)
                continue
            }
            pieces[last].bytes.removeLast(pieces[last].end - offset)
        }
    }
}
