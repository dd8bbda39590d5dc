import CFiles
import Glibc
import Synchronization

/// A folder that is held open, so that nothing that happens to its path leads elsewhere.
final class OpenFolder: Sendable {
    let descriptor: Int32
    /// What the user knows it by.
    let path: String
    /// Whether nothing was in it when it was opened, but perhaps hidden files such as the program's own.
    let wasEmpty: Bool
    /// Held by whoever claims a file that somebody else has, or claims at the same moment.
    let contested = Mutex(())
    private let nameless: Mutex<Bool?>

    /// Takes over the descriptor; `holdsNamelessFiles` is found out where it is not given.
    init(descriptor: Int32, path: String, wasEmpty: Bool = false, holdsNamelessFiles: Bool? = nil) {
        self.descriptor = descriptor
        self.path = path
        self.wasEmpty = wasEmpty
        nameless = Mutex(holdsNamelessFiles)
    }

    deinit { Glibc.close(descriptor) }

    /// Opens a folder below this one, and makes it where it is missing; never through a link.
    func folder(named name: String) throws(DownloadError) -> OpenFolder {
        let below = path + "/" + name
        var isNew = false
        for _ in 0..<2 {
            let found = cfiles_open(descriptor, name, O_RDONLY | O_DIRECTORY, 0)
            if found >= 0 {
                return OpenFolder(descriptor: found, path: below, wasEmpty: isNew || Self.isEmpty(found))
            }
            guard errno == ENOENT else { throw failure(errno, "opened", below) }
            isNew = mkdirat(descriptor, name, 0o777) == 0
            guard isNew || errno == EEXIST else { throw failure(errno, "made", below) }
        }
        throw DownloadError(.file, "\(below) was removed as soon as it was made; check what else works there")
    }

    /// Whether a file can be made without a name and be given one later; file systems of other machines cannot.
    var holdsNamelessFiles: Bool {
        nameless.withLock { known in
            if let known { return known }
            let holds = Self.holdsNamelessFiles(descriptor)
            known = holds
            return holds
        }
    }

    private static func holdsNamelessFiles(_ descriptor: Int32) -> Bool {
        // Older systems give a name to a descriptor's file by this path only.
        guard access("/proc/self/fd", X_OK) == 0 else { return false }
        let file = cfiles_open_nameless(descriptor)
        guard file >= 0 else { return false }
        Glibc.close(file)
        return true
    }

    /// Whether there is something of a name.
    func has(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

    /// The names in the folder.
    func names() throws(DownloadError) -> [String] {
        var names: [String] = []
        let isRead = Self.readNames(in: descriptor) { name, _ in
            names.append(String(cString: name))
            return true
        }
        guard isRead else { throw failure(errno, "read", path) }
        return names
    }

    /// The names of files in a folder below, as far as the folder tells of what kind they are, at most so many.
    func fileNames(in below: String, limit: Int) -> Set<String> {
        let descriptor = cfiles_open(descriptor, below, O_RDONLY | O_DIRECTORY, 0)
        guard descriptor >= 0 else { return [] }
        defer { Glibc.close(descriptor) }
        var names: Set<String> = []
        _ = Self.readNames(in: descriptor) { name, isFile in
            if isFile { names.insert(String(cString: name)) }
            return names.count < limit
        }
        return names
    }

    /// Whether an open folder holds nothing but hidden files.
    static func isEmpty(_ descriptor: Int32) -> Bool {
        var isEmpty = true
        let isRead = readNames(in: descriptor) { name, _ in
            isEmpty = name.pointee == CChar(bitPattern: UInt8(ascii: "."))
            return isEmpty
        }
        return isRead && isEmpty
    }

    /// Reads names until one was enough; false where they cannot be read.
    private static func readNames(
        in descriptor: Int32, _ wantsMore: (_ name: UnsafePointer<CChar>, _ isFile: Bool) -> Bool
    ) -> Bool {
        // A second descriptor, with a place of its own: reading a folder moves it.
        let own = cfiles_open(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0, let stream = fdopendir(own) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isFile = entry.pointee.d_type == DT_REG
            let goesOn = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { wantsMore($0, isFile) }
            }
            guard goesOn else { break }
        }
        return true
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
