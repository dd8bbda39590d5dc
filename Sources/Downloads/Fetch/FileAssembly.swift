import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// One file as its segments arrive: what has come of it, and the digest of that.
///
/// Bytes go straight into the unfinished file on the transport's thread. A file of ordinary size is hashed there, too, while
/// its bytes are in the processor's cache; a large one would keep that thread busy alone, and is hashed beside.
final class FileAssembly: Sendable {
    /// From this length on a file keeps a state that another run can go on with.
    private static let stateLimit = 256 << 10
    /// From this length on a file is hashed beside its arrival.
    private static let largeLimit = 4 << 20
    /// How long after it came a block is saved at the latest: a program that is killed loses no more.
    private static let saveDelay = Duration.milliseconds(750)

    private struct State {
        /// Counts the fresh starts: what was fetched for an earlier one no longer belongs to the file.
        var start = 0
        var total: Int?
        var validator: RangeValidator?
        var hasRanges = false
        /// Whether all of it is from one answer, whose end the server announced.
        var isOneAnswer = false
        var digest: PromisedDigest?
        /// The name that the server gave the file, without its ending.
        var fileName: String?
        /// The server's `Last-Modified`, in seconds since 1970.
        var modified: Int?
        var blocks: BlockMap?
        /// The digest of what has come in order, of a file of ordinary size.
        var hasher: ContentHasher?
        var hashedLength = 0
        var background: BackgroundHash?
        /// How far a file of unknown length has come.
        var length = 0
        var isAtEnd = false
        /// Whether the file is one that another run can resume.
        var isResumable = false
        /// The save that is to come, and why the last one failed.
        var save: Task<Void, Never>?
        var saveFailure: DownloadError?
    }

    let part: PartFile
    /// Where the file comes from, without the query.
    let url: String
    private let state: Mutex<State>
    /// What was saved; nil where the file cannot be resumed.
    ///
    /// Locked before ``state``, and while the file is given another length: no save writes behind the end of a file that is
    /// begun anew or finished.
    private let saved: Mutex<PartState?>
    private let meter: DownloadMeter
    private let computesSHA256: Bool
    private let hasFooter: Atomic<Bool>
    private let isFinished = Atomic(false)

    /// Goes on with what the unfinished file holds, where it is of the same URL and as it came.
    init(
        _ part: PartFile, url: String, meter: DownloadMeter, computesSHA256: Bool
    ) async throws {
        self.part = part
        self.url = url
        self.meter = meter
        self.computesSHA256 = computesSHA256
        hasFooter = Atomic(part.lengthAtOpening > 0)
        var state = State()
        var known = try PartState(atEndOf: part, length: part.lengthAtOpening)
        if known?.url != url { known = nil }
        try await known?.dropDamagedBlocks(of: part)
        if let known {
            state.total = known.blocks.total
            state.validator = known.validator
            state.hasRanges = true
            state.blocks = known.blocks
            state.isResumable = true
            meter.expect(known.blocks.total)
            meter.set(known.blocks.presentBytes)
        }
        self.state = Mutex(state)
        saved = Mutex(known)
    }

    deinit { state.withLock { $0.save?.cancel() } }

    /// The file's length, where it is known.
    var total: Int? { state.withLock { $0.total } }

    var validator: RangeValidator? { state.withLock { $0.validator } }

    /// The digest that the server promised.
    var digest: PromisedDigest? { state.withLock { $0.digest } }

    /// The name that the server gave the file, without its ending.
    var fileName: String? { state.withLock { $0.fileName } }

    /// The server's `Last-Modified`, in seconds since 1970.
    var modified: Int? { state.withLock { $0.modified } }

    /// Which start the file is in.
    var start: Int { state.withLock { $0.start } }

    /// Whether what has come can be resumed.
    var canResume: Bool { state.withLock { $0.validator != nil && $0.blocks != nil } }

    /// Whether another run can resume it, which knows only what is on disk.
    var canResumeLater: Bool { saved.withLock { $0?.blocks.presentBytes ?? 0 > 0 } }

    /// Whether segments may be fetched side by side.
    var canSplit: Bool { state.withLock { $0.hasRanges && $0.validator != nil && $0.blocks != nil } }

    /// Whether it came in one piece, as long as the server said: another request would bring the same.
    var isAsAnnounced: Bool { state.withLock { $0.isOneAnswer } }

    /// Whether the server says where the file ends: a connection may be closed for any reason.
    var hasKnownEnd: Bool { state.withLock { $0.isOneAnswer || $0.blocks != nil } }

    var isComplete: Bool { state.withLock { $0.isAtEnd || $0.blocks?.isComplete ?? false } }

    /// How many bytes have come.
    var presentBytes: Int { state.withLock { $0.blocks?.presentBytes ?? $0.length } }

    /// The bytes that are missing first; nil when all of them are.
    var firstGap: Range<Int>? {
        state.withLock { state in
            guard let gap = state.blocks?.firstGap, gap != 0..<(state.total ?? 0) else { return nil }
            return gap
        }
    }

    // MARK: Writing

    /// Begins anew with the answer of a server; returns which start that is.
    func begin(_ head: ResponseHead) throws(DownloadError) -> Int {
        let total = head.headers[.contentLength].flatMap { Int($0) }
        let validator = RangeValidator(head.headers)
        let blocks = total.map { BlockMap(total: $0) }
        meter.set(0)
        meter.expect(total)
        return try saved.withLock { (saved) throws(DownloadError) in
            // Nothing can be in a file that was empty when it was opened and has not been begun.
            if part.lengthAtOpening > 0 || start > 0 { try part.setLength(0) }
            saved = nil
            if let blocks, blocks.total >= Self.stateLimit, let validator {
                saved = PartState(url: url, validator: validator, blocks: blocks)
            }
            return state.withLock { state in
                state = State(start: state.start + 1)
                state.total = total
                state.validator = validator
                state.hasRanges = head.headers[.acceptRanges]?.lowercased() == "bytes"
                state.isOneAnswer = total != nil || head.announcesEnd
                state.digest = PromisedDigest.strongest(in: head.headers, isWhole: true)
                state.fileName = head.fileName
                state.modified = head.modified
                state.blocks = blocks
                state.isResumable = saved != nil
                let hasher = ContentHasher(withSHA256: computesSHA256, besides: state.digest?.algorithm)
                if hasher.isEmpty { return state.start }
                if total ?? 0 >= Self.largeLimit {
                    state.background = BackgroundHash(part, hasher)
                } else {
                    state.hasher = hasher
                }
                return state.start
            }
        }
    }

    /// Discards what has come.
    func discard() {
        saved.withLock { saved in
            saved = nil
            state.withLock { $0 = State(start: $0.start + 1) }
        }
        meter.set(0)
    }

    /// Takes in the answer to a range, which may promise a digest of the whole file.
    func addRange(_ head: ResponseHead) {
        let digest = PromisedDigest.strongest(in: head.headers, isWhole: false)
        state.withLock { state in
            state.isOneAnswer = false
            state.digest = state.digest ?? digest
            state.fileName = state.fileName ?? head.fileName
            state.modified = state.modified ?? head.modified
        }
    }

    /// Writes bytes of the start they belong to.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, start: Int) throws(DownloadError) {
        try state.withLock { (state) throws(DownloadError) in
            guard state.start == start else { throw DownloadError(.changing, "the download was restarted") }
            if offset == state.hashedLength, state.hasher != nil {
                state.hasher?.update(bytes)
                state.hashedLength += bytes.count
            } else if offset < state.hashedLength {
                // What is fetched again may be other bytes: the file is read back at its end.
                (state.hasher, state.hashedLength) = (nil, 0)
            }
        }
        try part.write(bytes, at: offset)
        meter.add(bytes.count)
    }

    /// Adds what was written, from the first to the last byte of one segment, and has it saved soon.
    func add(_ range: Range<Int>, adding count: Int, start: Int) throws(DownloadError) {
        let failure = state.withLock { state -> DownloadError? in
            guard state.start == start else { return nil }
            state.length = max(state.length, range.upperBound)
            state.blocks?.insert(bytes: range, adding: count)
            if let blocks = state.blocks { state.background?.advance(to: blocks.prefix) }
            if state.isResumable, state.save == nil {
                // What was written is read back for it, which would hold up the transport's thread.
                state.save = Task { [weak self] in
                    try? await Task.sleep(for: Self.saveDelay)  // cancelled when there is nothing to save any more
                    if !Task.isCancelled { self?.saveInBackground() }
                }
            }
            return state.saveFailure
        }
        if let failure { throw failure }
    }

    // MARK: Saving

    /// Ends a file of unknown length with its answer.
    func end(start: Int) {
        state.withLock { state in
            guard state.start == start, state.blocks == nil else { return }
            state.isAtEnd = true
            state.total = state.length
        }
    }

    /// Saves the state, for a run that goes on: the blocks that have come, each with its checksum.
    func save() throws(DownloadError) {
        try saved.withLock { (saved) throws(DownloadError) in
            guard var known = saved, let present = state.withLock({ $0.blocks }) else { return }
            try known.add(present, of: part) { !isFinished.load(ordering: .relaxed) }
            guard known != saved, !isFinished.load(ordering: .relaxed) else { return }
            hasFooter.store(true, ordering: .relaxed)
            try part.write(known.encoded, at: known.blocks.total)
            saved = known
        }
    }

    private func saveInBackground() {
        // What comes from now on may be too late for this save, and has another one.
        state.withLock { $0.save = nil }
        do throws(DownloadError) { try save() } catch { state.withLock { $0.saveFailure = error } }
    }

    /// The digests of the whole file; what was not hashed as it came is read back.
    func digests(of total: Int) async throws -> ContentHasher.Result {
        let (background, hasher, position, algorithm) = state.withLock {
            ($0.background, $0.hasher, $0.hashedLength, $0.digest?.algorithm)
        }
        let wanted = ContentHasher(withSHA256: computesSHA256, besides: algorithm)
        if wanted.isEmpty { return wanted.finish() }
        var known = (hasher: hasher ?? wanted, position: hasher == nil ? 0 : position)
        if let background { known = try await background.finish() }
        // The answer to a range may promise a digest that the first answer did not.
        if known.hasher.algorithm != algorithm { known = (wanted, 0) }
        if known.position < total {
            try part.forEachChunk(of: known.position..<total) { known.hasher.update($0) }
            try Task.checkCancellation()
        }
        return known.hasher.finish()
    }

    /// Cuts off what stands behind the file's last byte: its state, or what was there before.
    func removeFooter(_ total: Int) throws(DownloadError) {
        isFinished.store(true, ordering: .relaxed)
        try saved.withLock { (saved) throws(DownloadError) in
            saved = nil
            if hasFooter.load(ordering: .relaxed) { try part.setLength(total) }
        }
    }
}

extension ResponseHead {
    fileprivate var modified: Int? { headers[.lastModified].flatMap { DateTime(http: $0)?.secondsSince1970 } }

    fileprivate var fileName: String? { headers[.contentDisposition].flatMap { ContentDisposition($0).stem } }

    /// Whether a body of unknown length has an end that shows (RFC 9112 §7.1, RFC 9113 §8.1).
    fileprivate var announcesEnd: Bool {
        version == "2" || version == "3" || headers[.transferEncoding]?.lowercased().hasSuffix("chunked") == true
    }
}
