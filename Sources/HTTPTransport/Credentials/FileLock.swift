import Glibc
import ProviderModel

/// A lock that processes hold one after another; the kernel releases that of a process that ends.
struct FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Takes the lock; nil where another process has it.
    init?(ifFree path: String) throws(TransportError) {
        let descriptor = OwnFile.open(path, O_RDWR | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            if code == EWOULDBLOCK || code == EINTR { return nil }
            throw Self.failure(path)
        }
        self.descriptor = descriptor
    }

    /// Waits for the lock, which others hold for moments.
    init(waitingFor path: String) throws(TransportError) {
        descriptor = OwnFile.open(path, O_RDWR | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure(path) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure(path) }
        }
    }

    /// Lets the next one have it.
    func release() { close(descriptor) }

    private static func failure(_ path: String) -> TransportError {
        TransportError(.secrets, message: "could not lock \(path): \(String(cString: strerror(errno)))")
    }
}
