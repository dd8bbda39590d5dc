import Glibc

/// The lock on `NAME.lock` under which processes open, make, migrate and replace a database one after another.
///
/// SQLite's own locks protect what is in the file, not which file is there.
struct OpeningLock: ~Copyable {
    enum Kind {
        /// While opening a file that is as it should be.
        case shared
        /// While a file is made, migrated or moved aside.
        case exclusive
    }

    private let descriptor: Int32

    init(path: String, kind: Kind, patience: Duration) throws(LocalDatabaseError) {
        let file = Self.file(for: path)
        descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LocalDatabaseError(errno: errno, path: path, doing: "\(file) cannot be opened")
        }
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        let end = ContinuousClock.now + patience
        while flock(descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
                Glibc.close(descriptor)
                throw LocalDatabaseError(
                    .locked,
                    path: path,
                    message: "the database \(path) is being opened or repaired by another process; "
                        + "try again when that has ended"
                )
            }
            usleep(1_000)
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Whether the lock's file is there.
    static func isThere(for path: String) -> Bool { access(file(for: path), F_OK) == 0 }

    /// Removes the lock's file.
    static func remove(for path: String) { unlink(file(for: path)) }

    private static func file(for path: String) -> String { path + ".lock" }

    /// Lets the others in.
    consuming func release() {}
}

extension LocalDatabaseError {
    /// What a failed system call means to a caller.
    init(errno code: Int32, path: String, doing what: String) {
        let said = "\(what): \(String(cString: strerror(code)))"
        switch code {
        case ENOSPC, EDQUOT:
            self.init(.full, path: path, message: "no room is left for \(path) (\(said)); free some space")
        case EACCES, EPERM, EROFS:
            self.init(.readOnly, path: path, message: "\(path) may not be written (\(said)); check the permissions")
        default: self.init(.unavailable, path: path, message: "the database \(path) cannot be used (\(said))")
        }
    }
}
