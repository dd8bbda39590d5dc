import Glibc

/// A file that one process at a time may hold; the kernel gives it free when the process ends, however it ends.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the file, at most as long as `patience`.
    init(path: String, patience: Duration = .seconds(60)) throws(PackError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFiles.failure(path, "cannot be opened") }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
                close(descriptor)
                throw PackError(
                    .busy, "another imgscript is installing packs and has not ended", subject: path,
                    hint: "try again when it has")
            }
            usleep(2_000)
        }
    }

    /// Lets the next one in.
    func release() { close(descriptor) }
}
