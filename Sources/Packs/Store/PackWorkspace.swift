import Glibc

/// A folder of one installation's own, on the same file system as the packs; it goes away with its last reference.
///
/// One whose process was killed is taken away by the next: its lock is free then.
package final class PackWorkspace: Sendable {
    /// The folder.
    package let path: String
    private let descriptor: Int32

    init(in parent: String) throws(PackError) {
        try StoreFiles.make(parent)
        Self.removeAbandoned(in: parent)
        var name = Array("\(parent)/install-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw StoreFiles.failure(parent, "takes no new folder") }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreFiles.failure(path, "cannot be used")
        }
    }

    deinit {
        StoreFiles.removeAll(path)
        close(descriptor)
    }

    private static func removeAbandoned(in parent: String) {
        for name in StoreFiles.names(in: parent) {
            let path = "\(parent)/\(name)"
            let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { continue }
            // Another's may stand between its making and its lock for a moment: only what is older is taken.
            var facts = stat()
            let isOld = fstat(folder, &facts) == 0 && facts.st_mtim.tv_sec + 60 < time(nil)
            if isOld, flock(folder, LOCK_EX | LOCK_NB) == 0 { StoreFiles.removeAll(path) }
            close(folder)
        }
    }
}
