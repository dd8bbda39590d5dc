import Glibc

/// The lock on `NAME.lock` under which processes create, migrate and replace a database one after another.
///
/// SQLite's own locks protect what is in the file, not which file is there.
struct OpeningLock: ~Copyable {
    enum Kind {
        /// While opening a file whose schema is current.
        case shared
        /// While a file is created, migrated or moved aside.
        case exclusive
    }

    private let descriptor: Int32

    init(path: String, kind: Kind, timeout: Duration) throws(LocalDatabaseError) {
        let file = Self.file(for: path)
        descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .link(file, of: path) }
            throw LocalDatabaseError(errno: errno, path: path, doing: "could not open \(file)")
        }
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        let end = ContinuousClock.now + timeout
        while flock(descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
                Glibc.close(descriptor)
                throw LocalDatabaseError(
                    .locked,
                    path: path,
                    message: "the database \(path) is locked by another process that opens or repairs it"
                )
            }
            usleep(1_000)
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Whether the lock's file exists.
    static func exists(for path: String) -> Bool { access(file(for: path), F_OK) == 0 }

    /// Removes the lock's file.
    static func remove(for path: String) { unlink(file(for: path)) }

    private static func file(for path: String) -> String { path + ".lock" }

    /// Releases the lock.
    consuming func release() {}
}
