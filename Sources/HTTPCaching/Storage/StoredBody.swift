import Glibc
import LocalDatabase
import ProviderModel
import Synchronization

/// A body being stored: in memory while it is small, then in a file.
package final class BodyWriter: Sendable {
    /// A complete body.
    struct Finished: Sendable {
        let length: Int
        let checksum: UInt64
        /// The bytes of a small body; nil when they are in the file.
        let bytes: [UInt8]?
        /// The name of the file of a large one, still under its unfinished name.
        let file: String?
    }

    private struct State {
        var buffer: [UInt8] = []
        var length = 0
        var checksum = Checksum()
        var file: String?
        var descriptor: Int32 = -1
        var failure: String?
    }

    private let files: CacheFiles?
    private let limit: Int
    private let state = Mutex(State())

    /// A writer that gives up past `limit` bytes; without files everything is kept in memory.
    init(files: CacheFiles?, limit: Int) {
        self.files = files
        self.limit = limit
    }

    deinit { discard() }

    /// Discards what came so far: a request that is sent again begins anew.
    func discard() {
        state.withLock { state in
            Self.close(&state, files)
            state = State()
        }
    }

    /// Takes the next piece; after a failure everything is ignored.
    func write(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.length += bytes.count
            guard state.length <= limit else { return fail(&state, "over the size limit of the cache") }
            state.checksum.update(bytes)
            if state.descriptor < 0, files == nil || state.length <= CacheFiles.inlineLimit {
                state.buffer.append(contentsOf: bytes)
                return
            }
            guard state.descriptor >= 0 || begin(&state) else {
                let reason = String(cString: strerror(errno))
                return fail(&state, "could not create its file: \(files?.bodiesRefusal ?? reason)")
            }
            guard state.descriptor.writeAll(bytes) else {
                return fail(&state, "could not write its file: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// What was written; nil when it could not be, with the reason.
    func finish() -> (body: Finished?, reason: String) {
        state.withLock { state in
            if let failure = state.failure { return (nil, failure) }
            let finished = Finished(
                length: state.length,
                checksum: state.checksum.value,
                bytes: state.file == nil ? state.buffer : nil,
                file: state.file
            )
            return (finished, "")
        }
    }

    /// Gives the file its final name, for a row of the database that is about to be; the lock on it ends.
    func keep() -> Bool {
        state.withLock { state in
            guard let files, let file = state.file else { return true }
            guard rename(files.unfinishedPath(of: file), files.path(of: file)) == 0 else { return false }
            Glibc.close(state.descriptor)
            state.descriptor = -1
            state.file = nil
            return true
        }
    }

    private func begin(_ state: inout State) -> Bool {
        guard let files, files.prepareBodies() else { return false }
        let name = CacheFiles.newName()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        state.descriptor = open(files.unfinishedPath(of: name), flags, 0o600)
        guard state.descriptor >= 0 else { return false }
        state.file = name
        _ = flock(state.descriptor, LOCK_SH)
        let isWritten = state.buffer.withUnsafeBytes { state.descriptor.writeAll($0) }
        state.buffer = []
        return isWritten
    }

    private func fail(_ state: inout State, _ reason: String) {
        state.failure = reason
        Self.close(&state, files)
    }

    private static func close(_ state: inout State, _ files: CacheFiles?) {
        guard state.descriptor >= 0 else { return }
        Glibc.close(state.descriptor)
        state.descriptor = -1
        if let files, let file = state.file { _ = unlink(files.unfinishedPath(of: file)) }
        state.file = nil
    }
}

// MARK: - Reading

/// The bytes of a stored body, with a verified checksum.
package final class BodyReader: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(Int32)
    }

    /// How many bytes there are.
    let length: Int
    private let source: Source
    private static let pieceLength = 256 << 10

    /// A body from the database; nil when the bytes are others.
    init?(bytes: [UInt8], length: Int, checksum: UInt64) {
        guard bytes.count == length, Checksum.of(bytes) == checksum else { return nil }
        self.length = length
        source = .bytes(bytes)
    }

    /// A body in a file; nil when it is gone, or has other bytes.
    init?(path: String, length: Int, checksum: UInt64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        self.length = length
        source = .file(descriptor)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_size == length, currentChecksum() == checksum else { return nil }
    }

    deinit {
        if case .file(let descriptor) = source { close(descriptor) }
    }

    /// A piece as one array; nil when the file ended early.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        switch source {
        case .bytes(let bytes): return range == 0..<length ? bytes : Array(bytes[range])
        case .file(let descriptor):
            var isComplete = false
            let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
                isComplete = Self.read(descriptor, at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
                count = isComplete ? range.count : 0
            }
            return isComplete ? bytes : nil
        }
    }

    /// Where the pieces of a range begin and end when it is handed on bit by bit.
    static func pieces(of range: Range<Int>) -> [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: pieceLength).map {
            $0..<min($0 + pieceLength, range.upperBound)
        }
    }

    /// The checksum of all bytes, read in pieces.
    private func currentChecksum() -> UInt64? {
        var checksum = Checksum()
        for piece in Self.pieces(of: 0..<length) {
            guard let bytes = bytes(piece) else { return nil }
            bytes.withUnsafeBytes { checksum.update($0) }
        }
        return checksum.value
    }

    private static func read(_ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
