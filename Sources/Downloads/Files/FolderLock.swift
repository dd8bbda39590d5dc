import CSystemCalls
import Glibc

/// The lock under which a list of a folder is written anew, by one process at a time.
struct FolderLock {
    private let descriptor: Int32

    /// Waits until no other process has the lock of this name in the program's own folder.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        descriptor = open_below(folder.descriptor, name, O_RDWR | O_CREAT, 0o666)
        guard descriptor >= 0 else { throw folder.failure(errno, "open", "\(folder.path)/\(name)") }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let code = errno
                Glibc.close(descriptor)
                throw folder.failure(code, "lock", "\(folder.path)/\(name)")
            }
        }
    }

    /// Lets another process have it.
    func release() { Glibc.close(descriptor) }
}
