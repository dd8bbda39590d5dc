import FoundationEssentials
import Glibc
import ProviderModel

/// Files and folders of packs: read whole, and replaced so that others see the old state or the new one.
package enum FileSystem {
    enum Kind {
        case file, folder, other
    }

    // MARK: Reading

    /// The bytes of a file; nil where there is none.
    static func bytesIfPresent(at path: String, limit: Int) throws(PackError) -> [UInt8]? {
        // Non-blocking, so that a pipe without a writer is refused and not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw PackError(.file, "\(path) is not a file") }
        guard let bytes = descriptor.readToEnd(limit: limit + 1) else { throw failure("read", path) }
        if bytes.count <= limit { return bytes }
        throw PackError(.tooLarge, "\(path) is larger than the maximum of \(ByteCount(limit))")
    }

    /// The bytes of a file that has to be there.
    package static func bytes(at path: String, limit: Int) throws(PackError) -> [UInt8] {
        guard let bytes = try bytesIfPresent(at: path, limit: limit) else {
            throw PackError(.file, "no such file: \(path)", hint: "check the path")
        }
        return bytes
    }

    /// The names in a folder, in the order of their bytes.
    static func names(in folder: String) throws(PackError) -> [String] {
        guard let directory = opendir(folder) else { throw failure("read", folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                throw PackError(.files, "\(folder) has a name that is not UTF-8: \(shown.quoted)", hint: "rename it")
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The paths of everything below a folder but the folders in it.
    package static func files(below folder: String, in path: String = "") throws(PackError) -> [String] {
        var files: [String] = []
        for name in try names(in: "\(folder)/\(path)") {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            if try kind(of: "\(folder)/\(inner)") == .folder {
                files += try self.files(below: folder, in: inner)
            } else {
                files.append(inner)
            }
        }
        return files
    }

    /// The kind of file at a path; links are not followed.
    static func kind(of path: String) throws(PackError) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw failure("read", path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Whether anything exists at a path, including a dangling link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Throws when anything exists at a path.
    package static func checkFree(_ path: String) throws(PackError) {
        if exists(path) { throw alreadyExists(path) }
    }

    private static func alreadyExists(_ path: String) -> PackError {
        PackError(.file, "\(path) already exists", hint: "move it, or choose another name")
    }

    /// The folder of a path.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path from the root with links followed; the path itself where it leads nowhere.
    package static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: Writing

    /// Makes a folder and those above it that are missing.
    package static func makeFolder(_ path: String) throws(PackError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/") else { throw failure("create", path) }
        try makeFolder(parent(of: path))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure("create", path) }
    }

    /// Makes a folder, and those that are missing, below one that the user chose; none of them may be a link.
    static func makeFolder(_ path: String, below folder: String) throws(PackError) {
        try makeFolder(folder)
        var below = folder
        for name in path.split(separator: "/") {
            below += "/\(name)"
            if let refusal = OwnFile.linkRefusal(below, expected: "a folder") { throw PackError(.file, refusal) }
            guard mkdir(below, 0o755) == 0 || errno == EEXIST else { throw failure("create", below) }
        }
    }

    /// Writes a file that must not exist, into a folder that is not in use yet; does not wait for the disk.
    static func create(_ bytes: [UInt8], at path: String) throws(PackError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure("write", path) }
        var code = descriptor.writeAll(bytes) ? 0 : errno
        if close(descriptor) != 0, code == 0 { code = errno }
        guard code == 0 else { throw failure("write", path, code) }
    }

    /// Writes a file under another name first, so that no reader ever finds half of it.
    ///
    /// Drafts beside it that killed processes left are removed.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, replacing: Bool = true
    ) throws(PackError) {
        let folder = parent(of: path)
        removeAbandoned(AtomicFile.draftPrefix(of: path), in: folder)
        let code = AtomicFile.write(bytes, to: path, mode: mode, replacing: replacing)
        guard code != EEXIST else { throw alreadyExists(path) }
        guard code == 0 else { throw failure("write", path, code) }
        flushNames(in: folder)
    }

    /// Removes a folder with its content; failures are ignored: what remains is removed later.
    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Whether a draft is no longer being worked on: a younger one may be another process's.
    static func isAbandoned(_ status: stat) -> Bool { status.st_mtim.tv_sec + 60 < WallClock.secondsSince1970 }

    /// Flushes every file of a folder to the disk, before a lockfile there names it.
    static func flush(_ folder: String) throws(PackError) {
        for name in try names(in: folder) {
            let path = "\(folder)/\(name)"
            if try kind(of: path) == .folder {
                try flush(path)
                continue
            }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw failure("read", path) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw failure("write", path) }
        }
        flushNames(in: folder)
    }

    /// Flushes the names in a folder to the disk; a file system that cannot do that has none to lose.
    static func flushNames(in folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The error of a failed system call.
    static func failure(_ action: String, _ path: String, _ code: Int32 = errno) -> PackError {
        if code == ELOOP, let refusal = OwnFile.linkRefusal(path) { return PackError(.file, refusal) }
        return PackError(.file, "could not \(action) \(path): \(String(cString: strerror(code)))")
    }

    private static func removeAbandoned(_ prefix: String, in folder: String) {
        // A folder that cannot be listed has nothing that could be removed.
        for name in (try? names(in: folder)) ?? []
        where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
            var status = stat()
            if lstat("\(folder)/\(name)", &status) == 0, isAbandoned(status) { unlink("\(folder)/\(name)") }
        }
    }
}

/// A size for display: `32 MiB`.
struct ByteCount: CustomStringConvertible {
    private let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    var description: String {
        bytes < 1 << 10 ? "\(bytes) bytes" : bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
