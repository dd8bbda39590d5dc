import Glibc
import ProviderModel

/// A folder for one installation, which is removed with its last reference.
package final class PackWorkspace: Sendable {
    /// The folder.
    package let path: String
    private let descriptor: Int32

    /// A folder on the file system of the packs, so that what is in it can be put into place by one rename.
    ///
    /// One whose process was killed is removed by the next: its lock is free then.
    convenience init(in name: String, below folder: String) throws(PackError) {
        let parent = "\(folder)/\(name)"
        try FileSystem.makeFolder(name, below: folder)
        Self.removeAbandoned(in: parent)
        try self.init(named: "install", in: parent)
    }

    /// A folder for packs that are only inspected, away from the installed ones.
    package static func temporary(in environment: [String: String]) throws(PackError) -> PackWorkspace {
        let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return try PackWorkspace(named: "imgscript-pack", in: folder)
    }

    private init(named prefix: String, in parent: String) throws(PackError) {
        var name = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw FileSystem.failure("write", parent) }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw FileSystem.failure("lock", path)
        }
    }

    deinit {
        FileSystem.remove(path)
        close(descriptor)
    }

    private static func removeAbandoned(in parent: String) {
        // A folder that cannot be listed has nothing that could be removed.
        for name in (try? FileSystem.names(in: parent)) ?? [] {
            let path = "\(parent)/\(name)"
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // Between its creation and its lock a folder looks abandoned: only older ones are removed.
            var status = stat()
            let isOld = fstat(descriptor, &status) == 0 && FileSystem.isAbandoned(status)
            if isOld, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { FileSystem.remove(path) }
            close(descriptor)
        }
    }
}

/// A lock file that one process at a time holds; the kernel releases it when the process ends.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the file, at most as long as `timeout`.
    init(path: String, timeout: Duration = .seconds(60)) throws(PackError) {
        descriptor = OwnFile.open(path, O_RDWR | O_CREAT)
        guard descriptor >= 0 else { throw FileSystem.failure("open", path) }
        let deadline = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                throw PackError(
                    .busy, "another process is installing packs", subject: path, hint: "try again later")
            }
            usleep(2_000)
        }
    }

    /// Releases the file.
    func release() { close(descriptor) }
}
