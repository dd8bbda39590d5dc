import Glibc
import Synchronization

/// A body on its way into the store: in memory while it is small, in a file from then on.
final class BodyWriter: Sendable {
    /// A body that is all there.
    struct Finished: Sendable {
        let length: Int
        let checksum: UInt64
        /// The bytes of a small body; nil when they lie in the file.
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

    private let files: CacheFiles
    private let limit: Int
    private let state = Mutex(State())

    /// A writer that gives up past `limit` bytes.
    init(files: CacheFiles, limit: Int) {
        self.files = files
        self.limit = limit
    }

    deinit { discard() }

    /// Forgets what came so far: a request that is sent again begins anew.
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
            guard state.length <= limit else { return fail(&state, "it is larger than the cache allows") }
            state.checksum.update(bytes)
            if state.descriptor < 0, state.length <= CacheFiles.inlineLimit {
                state.buffer.append(contentsOf: bytes)
                return
            }
            guard state.descriptor >= 0 || begin(&state) else {
                return fail(&state, "its file cannot be made: \(String(cString: strerror(errno)))")
            }
            guard Self.writeAll(bytes, to: state.descriptor) else {
                return fail(&state, "its file cannot be written: \(String(cString: strerror(errno)))")
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
            guard let file = state.file else { return true }
            guard rename(files.unfinishedPath(of: file), files.path(of: file)) == 0 else { return false }
            Glibc.close(state.descriptor)
            state.descriptor = -1
            state.file = nil
            return true
        }
    }

    private func begin(_ state: inout State) -> Bool {
        guard files.prepareBodies() else { return false }
        let name = CacheFiles.newName()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        state.descriptor = open(files.unfinishedPath(of: name), flags, 0o600)
        guard state.descriptor >= 0 else { return false }
        state.file = name
        _ = flock(state.descriptor, LOCK_SH)
        let isWritten = state.buffer.withUnsafeBytes { Self.writeAll($0, to: state.descriptor) }
        state.buffer = []
        return isWritten
    }

    private func fail(_ state: inout State, _ reason: String) {
        state.failure = reason
        Self.close(&state, files)
    }

    private static func close(_ state: inout State, _ files: CacheFiles) {
        guard state.descriptor >= 0 else { return }
        Glibc.close(state.descriptor)
        state.descriptor = -1
        if let file = state.file { _ = unlink(files.unfinishedPath(of: file)) }
        state.file = nil
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
