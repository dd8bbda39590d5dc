import CSystem
import Glibc
import ProviderModel

/// Folders of packs on disk.
enum DiskFolder {
    enum Kind {
        case file, folder, other
    }

    /// The names in a folder, in the order of their bytes.
    static func names(in folder: String) throws(PackError) -> [String] {
        guard let directory = opendir(folder) else { throw DiskFile.failure("read", folder) }
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

    /// What lies at a path; links are not followed.
    static func kind(of path: String) throws(PackError) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw DiskFile.failure("read", path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Whether anything at all lies at a path.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Gives a folder its final name, which nothing may have yet.
    static func move(_ folder: String, to path: String) throws(PackError) {
        guard cfiles_rename_without_replacing(AT_FDCWD, folder, AT_FDCWD, path) == 0 else {
            guard errno == EEXIST || errno == ENOTEMPTY else { throw DiskFile.failure("written", path) }
            throw PackError(.file, "\(path) is already there")
        }
    }

    /// Removes a folder with all that is in it; links are removed, not followed.
    static func remove(_ path: String) {
        // What cannot be listed or removed stays: this is called where another error is being told.
        for name in (try? names(in: path)) ?? [] {
            let inner = "\(path)/\(name)"
            if case .folder? = try? kind(of: inner) { remove(inner) } else { unlink(inner) }
        }
        rmdir(path)
    }
}
