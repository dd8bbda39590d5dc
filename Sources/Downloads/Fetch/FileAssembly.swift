import HTTPTransport
import HTTPTypes
import Synchronization

/// One file as its parts arrive.
///
/// Pieces go straight into the unfinished file, and into the digest, on the transport's thread: there they are still in
/// the processor's cache, which is worth more than a second thread. A large file would keep that thread busy alone: its
/// pieces are handed on to be hashed beside. A small one stays in memory until it is whole, is written at once then, and
/// looked at where it lies; one that comes in one piece is never copied.
final class FileAssembly: Sendable {
    /// From this length on a file keeps a state to be gone on with.
    private static let stateLimit = 256 << 10
    /// From this length on there is work to do beside a file's arrival.
    private static let largeLimit = 4 << 20
    /// How many bytes may come before the state is written again.
    private static let saveInterval = 1 << 20

    fileprivate struct State {
        /// Counts the fresh starts: what was fetched for an earlier one no longer belongs to the file.
        var start = 0
        var total: Int?
        var validator: RangeValidator?
        var hasRanges = false
        var digest: PromisedDigest?
        var blocks: BlockMap?
        /// The digest of what has come, as long as it came in order and nothing computes it beside.
        var hasher: ContentHasher?
        var hashedLength = 0
        /// What is known of the file where it is a small one.
        var small: SmallFile?
        /// What has come of a file whose length is unknown, or that is small.
        var length = 0
        var isAtEnd = false
        var unsaved = 0
        var isLarge = false
        /// What whoever computes a large file's digest follows.
        var feed: HashFeed?
    }

    let part: PartFile
    /// Where the file comes from, without the query.
    let place: String
    private let state: Mutex<State>
    private let counter: DownloadCounter
    private let buffers: FileBuffers
    private let computesSHA256: Bool
    private let judge: @Sendable (BorrowedContent) throws(DownloadError) -> ImageCheck?
    private let becomesLarge: @Sendable (FileAssembly) -> Void

    /// Goes on with what the unfinished file holds, where it is of the same place.
    ///
    /// `judge` looks at a small file, and `becomesLarge` is called once when a file turns out to be large, both on the
    /// transport's thread.
    init(
        _ part: PartFile,
        place: String,
        counter: DownloadCounter,
        buffers: FileBuffers,
        computesSHA256: Bool,
        judge: @escaping @Sendable (BorrowedContent) throws(DownloadError) -> ImageCheck?,
        becomesLarge: @escaping @Sendable (FileAssembly) -> Void
    ) throws(DownloadError) {
        self.part = part
        self.judge = judge
        self.becomesLarge = becomesLarge
        self.place = place
        self.counter = counter
        self.buffers = buffers
        self.computesSHA256 = computesSHA256
        var fresh = State()
        if var known = try PartState(atEndOf: part, length: part.lengthAtOpening), known.place == place {
            try known.dropLostBlocks(of: part)
            fresh.total = known.blocks.total
            fresh.validator = known.validator
            fresh.hasRanges = true
            fresh.blocks = known.blocks
            counter.expect(known.blocks.total)
            counter.set(known.blocks.presentBytes)
        }
        state = Mutex(fresh)
    }

    /// The file's length, where it is known.
    var total: Int? { state.withLock { $0.total } }

    var validator: RangeValidator? { state.withLock { $0.validator } }

    var digest: PromisedDigest? { state.withLock { $0.digest } }

    /// Which start the file is in.
    var start: Int { state.withLock { $0.start } }

    /// Whether an attempt that broke off can be gone on with.
    var canGoOn: Bool { state.withLock { $0.validator != nil && ($0.blocks != nil || $0.small?.missing != nil) } }

    /// Whether another run can, which knows only what is on disk.
    var canGoOnLater: Bool { state.withLock { $0.validator != nil && $0.blocks != nil } }

    /// Whether parts may be fetched side by side.
    var canSplit: Bool { state.withLock { $0.hasRanges && $0.validator != nil && $0.blocks != nil } }

    var isComplete: Bool { state.withLock { $0.isAtEnd || $0.blocks?.isComplete ?? false } }

    /// How many bytes are there.
    var presentBytes: Int { state.withLock { $0.blocks?.presentBytes ?? $0.length } }

    /// The bytes that are missing first; nil when nothing is known of the file.
    var firstGap: Range<Int>? { state.withLock { $0.blocks?.firstGap ?? $0.small?.missing } }

    /// Begins anew with the answer of a server; returns which start that is.
    func begin(_ head: ResponseHead) throws(DownloadError) -> Int {
        let total = head.headers[.contentLength].flatMap { Int($0) }
        // A large one has its name from the beginning, so that it is found again.
        let small = total.flatMap { SmallFile(total: $0) }
        if small == nil { try part.make() }
        // Nothing can be in a file that was empty when it was opened and has not been begun.
        if part.lengthAtOpening > 0 || start > 0 { try part.setLength(0) }
        counter.set(0)
        counter.expect(total)
        return state.withLock { state in
            state.beginAnew()
            state.total = total
            state.validator = RangeValidator(head.headers)
            state.hasRanges = head.headers[.acceptRanges]?.lowercased() == "bytes"
            state.digest = PromisedDigest.strongest(in: head.headers, isWhole: true)
            state.small = small
            if let total, small == nil { state.blocks = BlockMap(total: total) }
            if total ?? 0 < Self.largeLimit {
                state.hasher = ContentHasher(withSHA256: computesSHA256, besides: state.digest?.algorithm)
            }
            return state.start
        }
    }

    /// Notes that the host's answers share a connection.
    func noteSharing() { counter.noteSharing() }

    /// Forgets what is there.
    func discard() {
        state.withLock { $0.beginAnew() }
        counter.set(0)
    }

    /// Takes in what the answer to a range promises of the whole.
    func take(digestOf head: ResponseHead) {
        guard let digest = PromisedDigest.strongest(in: head.headers, isWhole: false) else { return }
        state.withLock { $0.digest = $0.digest ?? digest }
    }

    /// Whether the file is not kept in memory until it is whole, so that what comes is best written in large pieces.
    var takesPieces: Bool { state.withLock { $0.small == nil } }

    /// Memory for a piece; nil where other files have all that there is for this.
    func emptyPiece() -> [UInt8]? { buffers.lend() }

    /// Writes a piece of the start it belongs to.
    func write(_ piece: consuming [UInt8], at offset: Int, start: Int) throws(DownloadError) {
        let piece = piece
        let feed: HashFeed?
        do throws(DownloadError) {
            feed = try piece.withUnsafeBufferPointer { (piece) throws(DownloadError) in
                let bytes = UnsafeRawBufferPointer(piece)
                let feed = try state.withLock { (state) throws(DownloadError) in
                    try state.expect(start)
                    state.hash(bytes, at: offset)
                    return state.feed
                }
                try part.write(bytes, at: offset)
                return feed
            }
        } catch {
            buffers.takeBackLent(piece)
            throw error
        }
        if let feed { feed.keep(piece, at: offset) } else { buffers.takeBackLent(piece) }
    }

    /// Takes bytes that are no piece: those of a small file are written when it is whole.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int, start: Int) throws(DownloadError) {
        let place = try state.withLock { (state) throws(DownloadError) in
            try state.expect(start)
            state.hash(bytes, at: offset)
            return state.small?.put(bytes, at: offset, buffers)
        }
        switch consume place {
        case nil: try part.write(bytes, at: offset)
        case .memory: break
        case .whole(nil): try settle(bytes)
        case .whole(let kept?):
            try kept.withUnsafeBufferPointer { (kept) throws(DownloadError) in
                try settle(UnsafeRawBufferPointer(kept))
            }
            buffers.takeBack(kept)
        }
    }

    /// Notes that bytes have come, also those that are still to be written.
    func count(_ bytes: Int) { counter.add(bytes) }

    /// Writes a small file that is whole, and looks at it while it is at hand.
    private func settle(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
        try part.writeWhole(bytes)
        let check = Result { () throws(DownloadError) in try judge(BorrowedContent(bytes)) }
        state.withLock { $0.small?.check = check }
    }

    /// What a small file turned out to be; nil where it has to be looked at.
    var check: Result<ImageCheck?, DownloadError>? { state.withLock { $0.small?.check } }

    /// Notes what was written, from the first to the last byte of one segment, and saves the state now and then.
    func note(_ range: Range<Int>, adding count: Int, start: Int) throws(DownloadError) {
        let (save, isNew) = state.withLock { state -> (PartState?, Bool) in
            guard state.start == start else { return (nil, false) }
            state.length = max(state.length, range.upperBound)
            state.blocks?.insert(bytes: range, adding: count)
            state.unsaved += count
            guard state.unsaved >= Self.saveInterval else { return (nil, false) }
            state.unsaved = 0
            state.advanceFeed()
            let isNew = !state.isLarge && state.total ?? 0 >= Self.largeLimit
            if isNew { state.isLarge = true }
            return (partState(state), isNew)
        }
        if let save { try write(save) }
        if isNew { becomesLarge(self) }
    }

    /// Notes that the answer came to its end.
    func end(start: Int) {
        state.withLock { state in
            // A server may send less of a part than it was asked for.
            guard state.start == start, state.blocks == nil, state.small?.missing == nil else { return }
            state.isAtEnd = true
            state.total = state.length
        }
    }

    /// Writes down what is there, for whoever goes on.
    func save() throws(DownloadError) {
        guard let save = state.withLock({ partState($0) }) else { return }
        try write(save)
    }

    /// The digests of the whole file; nil where it did not come in order from its first byte to its last.
    var digests: ContentHasher.Result? {
        state.withLock { state in
            state.hashedLength == state.total ? state.hasher?.finish() : nil
        }
    }

    /// What computes the digests of the whole file.
    func makeHasher() -> ContentHasher { ContentHasher(withSHA256: computesSHA256, besides: digest?.algorithm) }

    /// Whether something may stand behind the file's last byte: the state of it, or what was there before.
    var hasRemainder: Bool {
        part.lengthAtOpening > 0 || state.withLock { $0.start > 1 || $0.total ?? .max >= Self.stateLimit }
    }

    /// What a follower of the file's beginning gets from now on; nil for a file of unknown length.
    func feed() -> HashFeed? {
        state.withLock { state in
            state.feed = state.blocks.map { HashFeed(blockLength: $0.blockLength, buffers) }
            state.advanceFeed()
            return state.feed
        }
    }

    /// Ends what follows the file's beginning.
    func finishUpdates() { state.withLock { $0.feed?.finish() } }

    private func partState(_ state: State) -> PartState? {
        guard let blocks = state.blocks, let validator = state.validator, blocks.total >= Self.stateLimit
        else { return nil }
        return PartState(place: place, validator: validator, blocks: blocks)
    }

    private func write(_ state: PartState) throws(DownloadError) {
        try state.encoded.withUnsafeBufferPointer { (bytes) throws(DownloadError) in
            try part.write(UnsafeRawBufferPointer(bytes), at: state.blocks.total)
        }
    }
}

extension FileAssembly.State {
    /// Forgets what is there.
    fileprivate mutating func beginAnew() {
        // One digest is followed at most: a file that was begun anew is read at its end.
        feed?.finish()
        self = FileAssembly.State(start: start + 1, isLarge: isLarge)
    }

    fileprivate func expect(_ start: Int) throws(DownloadError) {
        guard self.start == start else { throw DownloadError(.changing, "the file was begun anew meanwhile") }
    }

    fileprivate mutating func hash(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard hasher != nil else { return }
        guard offset == hashedLength else {
            hasher = nil
            return
        }
        hasher?.update(bytes)
        hashedLength += bytes.count
    }

    /// Tells the follower how far the file's beginning is there.
    fileprivate func advanceFeed() {
        if let feed, let blocks { feed.advance(to: blocks.prefix) }
    }
}
