import Glibc

/// A folder of one installation's own, which goes away with its last reference.
package final class PackWorkspace: Sendable {
    /// The folder.
    package let path: String
    private let descriptor: Int32

    /// A folder on the file system of the packs, so that what is in it can be put into place by one rename.
    ///
    /// One whose process was killed is taken away by the next: its lock is free then.
    convenience init(in parent: String) throws(PackError) {
        try StoreFiles.make(parent)
        Self.removeAbandoned(in: parent)
        try self.init(named: "install", in: parent)
    }

    /// A folder for packs that are only looked at, which leaves the place of the installed ones alone.
    package static func temporary(in environment: [String: String]) throws(PackError) -> PackWorkspace {
        let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return try PackWorkspace(named: "imgscript-pack", in: folder)
    }

    private init(named prefix: String, in parent: String) throws(PackError) {
        var name = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
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
            let left = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard left >= 0 else { continue }
            // Another's may stand between its making and its lock for a moment: only what is older is taken.
            var facts = stat()
            let isOld = fstat(left, &facts) == 0 && StoreFiles.isAbandoned(facts)
            if isOld, flock(left, LOCK_EX | LOCK_NB) == 0 { StoreFiles.removeAll(path) }
            close(left)
        }
    }
}
