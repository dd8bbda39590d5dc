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

    /// The names in the folder.
    func names() throws(DownloadError) -> [String] {
        // A second descriptor, with a position of its own: reading a folder moves it.
        let own = open_below(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0, let stream = fdopendir(own) else { throw failure(errno, "read", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { names.append(String(cString: $0)) }
            }
        }
        return names
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

/// The extended attribute that says which media a file is; several where files share their content.
enum FileMark {
    private static let name = "user.imgscript.media"
    private static let limit = 2_048

    /// The keys of an open file.
    static func keys(of descriptor: Int32) -> [MediaKey] {
        var value = [UInt8](repeating: 0, count: limit)
        let count = get_attribute(descriptor, name, &value, value.count)
        guard count > 0 else { return [] }
        return value[..<count].split(separator: 0x0a).map { MediaKey(stored: String(decoding: $0, as: UTF8.self)) }
    }

    /// Adds a key; one that does not fit, or a file system without attributes, is no error.
    static func add(_ key: MediaKey, to descriptor: Int32) {
        let known = keys(of: descriptor)
        if !known.contains(key) { set(known + [key], of: descriptor) }
    }

    static func set(_ keys: [MediaKey], of descriptor: Int32) {
        var text = keys.map(\.description).joined(separator: "\n")
        guard text.utf8.count <= limit else { return }
        text.withUTF8 { _ = set_attribute(descriptor, name, $0.baseAddress, $0.count) }
    }
}
