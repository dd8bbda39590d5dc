import HTTPTransport
import HTTPTypes
import Synchronization

/// One file as its parts arrive.
///
/// Bytes go straight into the unfinished file, and into the digest, on the transport's thread: there they are still in
/// the processor's cache, which is worth more than a second thread. A small file stays in memory until it is whole.
final class FileAssembly: Sendable {
    /// Up to this length a file that broke off is begun anew.
    private static let restartLimit = 128 << 10
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
        /// What has come of a file that would be begun anew anyway: it is written at once when it is whole.
        var kept: [UInt8]?
        /// What has come of a file whose length is unknown, or that is small.
        var length = 0
        var isAtEnd = false
        var unsaved = 0
        var isLarge = false
    }

    let part: PartFile
    private let place: String
    private let state: Mutex<State>
    private let counter: DownloadCounter
    private let buffers: FileBuffers
    private let prefixes: AsyncStream<Int>.Continuation
    private let becomesLarge: @Sendable (FileAssembly) -> Void
    /// Tells that more of the file's beginning is there.
    let prefixUpdates: AsyncStream<Int>

    /// Goes on with what the unfinished file holds, where it is of the same place.
    ///
    /// `becomesLarge` is called once when a file turns out to be large, on the transport's thread.
    init(
        _ part: PartFile,
        place: String,
        counter: DownloadCounter,
        buffers: FileBuffers = FileBuffers(),
        becomesLarge: @escaping @Sendable (FileAssembly) -> Void = { _ in }
    ) throws(DownloadError) {
        self.part = part
        self.becomesLarge = becomesLarge
        self.place = place
        self.counter = counter
        self.buffers = buffers
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
        (prefixUpdates, prefixes) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The file's length, where it is known.
    var total: Int? { state.withLock { $0.total } }

    var validator: RangeValidator? { state.withLock { $0.validator } }

    var digest: PromisedDigest? { state.withLock { $0.digest } }

    /// Which start the file is in.
    var start: Int { state.withLock { $0.start } }

    /// Whether an attempt that broke off can be gone on with.
    var canGoOn: Bool { state.withLock { $0.validator != nil && $0.blocks != nil } }

    /// Whether parts may be fetched side by side.
    var canSplit: Bool { state.withLock { $0.hasRanges && $0.validator != nil && $0.blocks != nil } }

    var isComplete: Bool { state.withLock { $0.isAtEnd || $0.blocks?.isComplete ?? false } }

    /// How many bytes are there.
    var presentBytes: Int { state.withLock { $0.blocks?.presentBytes ?? $0.length } }

    /// The bytes that are missing first; nil when nothing is known of the file.
    var firstGap: Range<Int>? { state.withLock { $0.blocks?.firstGap } }

    /// How far the file goes from its beginning without a gap.
    var prefix: Int {
        state.withLock { state in state.blocks.map { $0.firstGap?.lowerBound ?? $0.total } ?? state.length }
    }

    /// Begins anew with the answer of a server; returns which start that is.
    func begin(_ head: ResponseHead) throws(DownloadError) -> Int {
        let total = head.headers[.contentLength].flatMap { Int($0) }
        // Nothing can be in a file that was empty when it was opened and has not been begun.
        if part.lengthAtOpening > 0 || start > 0 { try part.setLength(0) }
        counter.set(0)
        counter.expect(total)
        return state.withLock { state in
            // One digest is followed at most: a file that was begun anew is read at its end.
            state = State(start: state.start + 1, isLarge: state.isLarge)
            state.total = total
            state.validator = RangeValidator(head.headers)
            state.hasRanges = head.headers[.acceptRanges]?.lowercased() == "bytes"
            state.digest = PromisedDigest.strongest(in: head.headers, isWhole: true)
            if let total, total > Self.restartLimit { state.blocks = BlockMap(total: total) }
            // All have room for any small file, so that each will do for the next one.
            if let total, total <= Self.restartLimit { state.kept = buffers.take(Self.restartLimit) }
            if total ?? 0 < Self.largeLimit { state.hasher = ContentHasher(besides: state.digest?.algorithm) }
            return state.start
        }
    }

    /// Forgets what is there.
    func discard() {
        state.withLock { $0 = State(start: $0.start + 1, isLarge: $0.isLarge) }
        counter.set(0)
    }

    /// Takes in what the answer to a range promises of the whole.
    func take(digestOf head: ResponseHead) {
        guard let digest = PromisedDigest.strongest(in: head.headers, isWhole: false) else { return }
        state.withLock { $0.digest = $0.digest ?? digest }
    }

    /// Writes bytes of the start they belong to.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, start: Int) throws(DownloadError) {
        let isKept = try state.withLock { (state) throws(DownloadError) in
            guard state.start == start else { throw DownloadError(.changing, "the file was begun anew meanwhile") }
            state.hash(bytes, at: offset)
            return state.keep(bytes, at: offset)
        }
        if !isKept { try part.write(bytes, at: offset) }
        counter.add(bytes.count)
    }

    /// Writes what was kept in memory, and returns it; nil where the content is in the file already.
    func settle() throws(DownloadError) -> MemoryContent? {
        guard let kept = state.withLock({ $0.kept }) else { return nil }
        var failure: DownloadError?
        kept.withUnsafeBytes { bytes in
            do throws(DownloadError) { try part.write(bytes, at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        return MemoryContent(kept)
    }

    /// Gives the memory back that a small file was put together in, now that it is written.
    func releaseKept() {
        if let kept = state.withLock({ $0.kept.take() }) { buffers.takeBack(kept) }
    }

    /// Notes what was written, from the first to the last byte of one segment, and saves the state now and then.
    func note(_ range: Range<Int>, adding count: Int, start: Int) throws(DownloadError) {
        let (save, prefix, isNew) = state.withLock { state -> (PartState?, Int?, Bool) in
            guard state.start == start else { return (nil, nil, false) }
            state.length = max(state.length, range.upperBound)
            state.blocks?.insert(bytes: range)
            state.unsaved += count
            guard state.unsaved >= Self.saveInterval else { return (nil, nil, false) }
            state.unsaved = 0
            let isNew = !state.isLarge && state.total ?? 0 >= Self.largeLimit
            if isNew { state.isLarge = true }
            return (partState(state), state.blocks?.firstGap?.lowerBound, isNew)
        }
        if let save { try write(save) }
        if isNew { becomesLarge(self) }
        if let prefix { prefixes.yield(prefix) }
    }

    /// Notes that the answer came to its end.
    func end(start: Int) {
        state.withLock { state in
            guard state.start == start, state.blocks == nil else { return }
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
    var digests: (sha256: [UInt8], other: [UInt8]?)? {
        state.withLock { state in
            guard let hasher = state.hasher, state.hashedLength == state.total else { return nil }
            return hasher.finish()
        }
    }

    /// Whether something may stand behind the file's last byte: the state of it, or what was there before.
    var hasRemainder: Bool {
        part.lengthAtOpening > 0 || state.withLock { $0.start > 1 || $0.total ?? .max >= Self.stateLimit }
    }

    /// Ends what follows the file's beginning.
    func finishUpdates() { prefixes.finish() }

    private func partState(_ state: State) -> PartState? {
        guard let blocks = state.blocks, let validator = state.validator, blocks.total >= Self.stateLimit
        else { return nil }
        return PartState(place: place, validator: validator, blocks: blocks)
    }

    private func write(_ state: PartState) throws(DownloadError) {
        let bytes = state.encoded
        var failure: DownloadError?
        bytes.withUnsafeBytes { buffer in
            do throws(DownloadError) { try part.write(buffer, at: state.blocks.total) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension FileAssembly.State {
    fileprivate mutating func hash(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard hasher != nil else { return }
        guard offset == hashedLength else {
            hasher = nil
            return
        }
        hasher?.update(bytes)
        hashedLength += bytes.count
    }

    /// Keeps bytes in memory; false when they have to be written.
    fileprivate mutating func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard kept != nil else { return false }
        precondition(offset == kept?.count, "a small file comes in one piece")
        kept?.append(contentsOf: bytes)
        return true
    }
}
