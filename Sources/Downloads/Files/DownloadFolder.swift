import CSystemCalls
import Glibc
import ProviderModel
import Synchronization

/// The folder of all downloads, and the folders below it that are in use.
package final class DownloadFolder: Sendable {
    /// The name of the program's own folder: the archive, credits and failures.
    static let ownName = ".imgscript"

    /// The path as the user gave it.
    package let path: String
    let root: OpenFolder
    private let open = Mutex<[String: OpenFolder]>([:])

    /// How many folders are held open at a time.
    private static let openLimit = 64

    /// Opens the folder, and creates it where it is missing.
    package init(path: String, observer: (any ChangeObserver)? = nil) throws(DownloadError) {
        self.path = path
        try observer?.willChange(.createFolder)
        try Self.create(path)
        // The user's own path may go through links; nothing below it does.
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DownloadError(errno: errno, "open", path) }
        root = OpenFolder(descriptor: descriptor, path: path, observer: observer)
    }

    /// The path without links and from the root, as long as the folder exists.
    var absolutePath: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Opens the folder below by its names, and creates it where it is missing.
    func folder(_ names: [String]) throws(DownloadError) -> OpenFolder {
        guard !names.isEmpty else { return root }
        let key = names.joined(separator: "/")
        if let known = open.withLock({ $0[key] }), !known.isGone { return known }
        var folder = root
        for name in names { folder = try folder.folder(named: name) }
        let found = folder
        open.withLock { open in
            if open.count >= Self.openLimit { open.removeAll() }
            open[key] = found
        }
        return folder
    }

    /// Opens an existing file below, never through a link; nil when there is none.
    func file(at path: String) -> Int32? {
        var names = path.split(separator: "/").map(String.init)
        guard let name = names.popLast(), !(names + [name]).contains("..") else { return nil }
        var folder = root
        for name in names {
            let descriptor = open_below(folder.descriptor, name, O_RDONLY | O_DIRECTORY, 0)
            guard descriptor >= 0 else { return nil }
            folder = OpenFolder(descriptor: descriptor, path: folder.path + "/" + name)
        }
        let descriptor = open_below(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Whether there is a file at a path below.
    func hasFile(at path: String) -> Bool {
        guard let status = root.status(of: path) else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The folder and the name that a path below leads to; the folder is created where it is missing.
    func location(of path: String) throws(DownloadError) -> (folder: OpenFolder, name: String) {
        var names = path.split(separator: "/").map(String.init)
        guard let name = names.popLast(), !names.contains("..") else {
            throw DownloadError(.file, "\(path.quoted) is not a file below \(self.path)")
        }
        return (try folder(names), name)
    }

    private static func create(_ path: String) throws(DownloadError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw DownloadError(errno: code, "create", path)
        }
        try create(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw DownloadError(errno: errno, "create", path) }
    }

    /// Throws when something that is not a folder has the folder's path, or, where it has to exist, when nothing has.
    static func check(_ path: String, mustExist: Bool = false) throws(DownloadError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard mustExist else { return }
            throw DownloadError(.input, "no such folder: \(path) (expected a folder of downloads)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw DownloadError(.file, "\(path) is a file (expected a folder)")
        }
        let refusal = OwnFile.linkRefusal("\(path)/\(ownName)", expected: "a folder")
        if let refusal { throw DownloadError(.file, refusal) }
    }
}
