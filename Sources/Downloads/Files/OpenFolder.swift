import CFiles
import Glibc

/// A folder that is held open, so that nothing that happens to its path leads elsewhere.
final class OpenFolder: Sendable {
    let descriptor: Int32
    /// What the user knows it by.
    let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { Glibc.close(descriptor) }

    /// Opens a folder below this one, and makes it where it is missing; never through a link.
    func folder(named name: String) throws(DownloadError) -> OpenFolder {
        let below = path + "/" + name
        for _ in 0..<2 {
            let found = cfiles_open(descriptor, name, O_RDONLY | O_DIRECTORY, 0)
            if found >= 0 { return OpenFolder(descriptor: found, path: below) }
            guard errno == ENOENT else { throw failure(errno, "opened", below) }
            guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw failure(errno, "made", below) }
        }
        throw DownloadError(.file, "\(below) was removed as soon as it was made; check what else works there")
    }

    /// The names in the folder.
    func names() throws(DownloadError) -> [String] {
        // A second descriptor, with a place of its own: reading a folder moves it.
        let own = cfiles_open(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0, let stream = fdopendir(own) else { throw failure(errno, "read", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// What is there under a name.
    func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The error for a call in this folder, which may itself be gone.
    func failure(_ code: Int32, _ doing: String, _ path: String) -> DownloadError {
        if code == ENOENT, isGone { return Self.gone(self.path) }
        return DownloadError(errno: code, doing, path)
    }

    /// Whether the folder was removed while it was held open.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    static func gone(_ path: String) -> DownloadError {
        DownloadError(
            .folderGone, "the folder \(path) was removed while files were written to it; make it and try again")
    }
}
