import CSystemCalls
import Glibc

/// A folder that is held open, so that nothing that happens to its path leads elsewhere.
final class OpenFolder: Sendable {
    let descriptor: Int32
    /// The path that messages name.
    let path: String
    let observer: (any ChangeObserver)?

    /// Takes over the descriptor.
    init(descriptor: Int32, path: String, observer: (any ChangeObserver)? = nil) {
        self.descriptor = descriptor
        self.path = path
        self.observer = observer
    }

    deinit { Glibc.close(descriptor) }

    /// Opens a folder below this one, never through a link, and creates it where it is missing.
    func folder(named name: String) throws(DownloadError) -> OpenFolder {
        let below = path + "/" + name
        for _ in 0..<2 {
            let found = open_below(descriptor, name, O_RDONLY | O_DIRECTORY, 0)
            if found >= 0 { return OpenFolder(descriptor: found, path: below, observer: observer) }
            guard errno == ENOENT else { throw failure(errno, "open", below) }
            try observer?.willChange(.createFolder)
            guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else {
                throw failure(errno, "create", below)
            }
        }
        throw DownloadError(.file, "\(below) was removed as soon as it was created")
    }

    /// Whether there is an entry of this name.
    func has(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

    /// Removes a file, if it is there and can be removed.
    func remove(_ name: String) { if observer.allows(.remove) { unlinkat(descriptor, name, 0) } }

    /// Opens a folder below this one, never through a link; nil where there is none.
    func existingFolder(named name: String) -> OpenFolder? {
        let found = open_below(descriptor, name, O_RDONLY | O_DIRECTORY, 0)
        return found >= 0 ? OpenFolder(descriptor: found, path: path + "/" + name, observer: observer) : nil
    }

    /// The names in the folder.
    func names() throws(DownloadError) -> [String] {
        var names: [String] = []
        try forEachEntry { name, _ in names.append(name) }
        return names
    }

    /// Calls the closure with the name of each entry but `.` and `..`; there may be millions.
    func forEachEntry(_ body: (_ name: String, _ isFolder: Bool) -> Void) throws(DownloadError) {
        // A second descriptor, with a position of its own: reading a folder moves it.
        let own = open_below(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0, let stream = fdopendir(own) else { throw failure(errno, "read", path) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            // Not every file system says what an entry is.
            let isFolder =
                entry.pointee.d_type == UInt8(DT_UNKNOWN)
                ? status(of: name).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
                : entry.pointee.d_type == UInt8(DT_DIR)
            body(name, isFolder)
        }
    }

    /// The entry of a name; nil when there is none.
    func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The error of a call in this folder, which may itself be gone.
    func failure(_ code: Int32, _ action: String, _ path: String) -> DownloadError {
        if code == ENOENT, isGone {
            return DownloadError(.folderGone, "the folder \(self.path) was removed while files were written to it")
        }
        return DownloadError(errno: code, action, path)
    }

    /// Whether the folder was removed while it was held open.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }
}
