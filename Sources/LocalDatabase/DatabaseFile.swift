import Glibc

/// The identity of the file at a path.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// nil when there is none.
    init?(of path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        device = facts.st_dev
        inode = facts.st_ino
    }
}

/// Operations on a database as a file.
enum DatabaseFile {
    /// SQLite's companion files, which belong to one database and would damage another of the same name.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Creates the folder (0700) and the file (0600) where they are missing.
    ///
    /// An existing file is never opened here: closing it would release the POSIX locks that other connections of this
    /// process hold on it.
    static func prepare(_ path: String) throws(LocalDatabaseError) {
        // SQLite follows a link at the path, and creates what it leads to.
        for name in [path] + companions.map({ path + $0 }) where isLink(name) { throw .link(name, of: path) }
        guard access(path, F_OK) != 0 else { return }
        if create(path) { return }
        if errno == ENOENT {
            try createFolder(of: path)
            if create(path) { return }
        }
        throw LocalDatabaseError(errno: errno, path: path, doing: "could not create it")
    }

    /// The path of the file that a link leads to, where there is one; else the path itself.
    static func resolved(_ path: String) -> String {
        guard isLink(path), let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func isLink(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a file does not begin as a database does.
    ///
    /// Only for one that SQLite has refused, or that has no version yet: closing it releases locks, as above.
    static func isOfAnotherKind(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        let beginning = Array("SQLite format 3\0".utf8)
        var found = [UInt8](repeating: 0, count: beginning.count)
        let count = read(file, &found, found.count)
        return count > 0 && found != beginning
    }

    /// Renames the file and its companions; returns the new name, or nil when nothing was there.
    static func moveAside(_ path: String) throws(LocalDatabaseError) -> String? {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        // The companions first: a new file must never meet the log of the old one.
        for companion in companions { _ = rename(path + companion, aside + companion) }
        if rename(path, aside) == 0 { return aside }
        if errno == ENOENT { return nil }
        throw LocalDatabaseError(errno: errno, path: path, doing: "it is damaged, and could not be moved aside")
    }

    /// Removes the file and its companions; missing ones are not an error.
    static func remove(_ path: String) throws(LocalDatabaseError) {
        for name in companions.map({ path + $0 }) + [path] where unlink(name) != 0 && errno != ENOENT {
            throw LocalDatabaseError(errno: errno, path: path, doing: "could not remove \(name)")
        }
    }

    /// Returns false when that failed; another process may have created it first.
    private static func create(_ path: String) -> Bool {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno == EEXIST }
        close(file)
        return true
    }

    private static func createFolder(of path: String) throws(LocalDatabaseError) {
        var folder = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let reason = errno
            // Folders above may be closed to writing and still be there: only what is missing matters.
            guard access(folder, F_OK) != 0 else { continue }
            throw LocalDatabaseError(errno: reason, path: path, doing: "could not create the folder \(folder)")
        }
    }
}
