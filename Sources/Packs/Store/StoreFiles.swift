import FoundationEssentials
import Glibc

/// Folders and small files on disk, changed so that others see the old state or the new one.
enum StoreFiles {
    /// Makes a folder and those above it that are missing.
    static func make(_ path: String) throws(PackError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/") else { throw failure(path, "cannot be made") }
        try make(parent(of: path))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(path, "cannot be made") }
    }

    /// The folder that a path lies in.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path from the root, links followed as far as the folder exists.
    static func absolute(_ path: String) -> String {
        guard let real = realpath(parent(of: path), nil) else { return path }
        defer { free(real) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return "\(String(cString: real))/\(name)"
    }

    /// The names in a folder; none where it cannot be read.
    static func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Takes a folder away with all that is in it; what cannot be taken away harms nothing.
    static func removeAll(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Whether two folders have the same files with the same bytes.
    static func isSame(_ one: String, _ other: String) -> Bool {
        let names = names(in: one)
        guard names == self.names(in: other) else { return false }
        return names.allSatisfy { name in
            var (first, second) = (stat(), stat())
            guard lstat("\(one)/\(name)", &first) == 0, lstat("\(other)/\(name)", &second) == 0,
                first.st_mode & S_IFMT == second.st_mode & S_IFMT
            else { return false }
            if first.st_mode & S_IFMT == S_IFDIR { return isSame("\(one)/\(name)", "\(other)/\(name)") }
            return FileManager.default.contentsEqual(atPath: "\(one)/\(name)", andPath: "\(other)/\(name)")
        }
    }

    /// Replaces a file's text in one step; drafts that killed processes left beside it go away.
    static func replace(_ path: String, with text: String) throws(PackError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let draft = ".\(name)."
        for old in names(in: parent(of: path)) where old.hasPrefix(draft) && old.count == draft.count + 6 {
            let old = "\(parent(of: path))/\(old)"
            var facts = stat()
            if lstat(old, &facts) == 0, isAbandoned(facts) { unlink(old) }
        }
        var temporary = Array("\(parent(of: path))/\(draft)XXXXXX".utf8CString)
        let descriptor = mkstemp(&temporary)
        guard descriptor >= 0 else { throw failure(path, "cannot be written") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        fchmod(descriptor, 0o644)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        let isWritten = rest.isEmpty && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten, rename(temporary, path) == 0 else {
            if !isWritten { errno = code }
            let error = failure(path, "cannot be written")
            unlink(temporary)
            throw error
        }
    }

    /// Whether what was begun then is no longer being worked at: what is younger may be another process's.
    static func isAbandoned(_ facts: stat) -> Bool { facts.st_mtim.tv_sec + 60 < time(nil) }

    /// Brings every file of a folder to the disk itself, before a lockfile there names it.
    static func flush(_ path: String) throws(PackError) {
        for name in names(in: path) {
            let item = "\(path)/\(name)"
            let descriptor = open(item, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw failure(item, "cannot be read") }
            defer { close(descriptor) }
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, fsync(descriptor) == 0 else {
                throw failure(item, "cannot be written")
            }
            if facts.st_mode & S_IFMT == S_IFDIR { try flush(item) }
        }
        flushNames(in: path)
    }

    /// Brings the names of a folder to the disk; a file system that cannot do that has none to lose.
    static func flushNames(in path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// What a failed system call means.
    static func failure(_ path: String, _ what: String) -> PackError {
        PackError(.file, "\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
