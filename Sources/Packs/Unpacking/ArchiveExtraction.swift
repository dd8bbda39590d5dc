import CLibArchive
import Glibc
import ProviderModel

/// A new folder under a name of its own, beside the place it is made for.
struct FolderDraft {
    /// The folder; no link leads to it.
    let path: String

    /// Makes the folder.
    init(for folder: String) throws(PackError) {
        let parent = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        // libarchive follows no link anywhere in a path, and a home folder may well be behind one.
        guard let real = realpath(parent, nil) else { throw DiskFile.failure("used", parent) }
        defer { free(real) }
        var template = Array("\(String(cString: real))/.unpacking-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DiskFile.failure("written", parent) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Made for its owner alone; what is installed may be read by all whom the umask allows.
        let mask = FileMask.current
        guard chmod(path, 0o777 & ~mask) == 0 else {
            rmdir(path)
            throw DiskFile.failure("written", path)
        }
    }
}

/// What the process takes away from the rights of new files.
enum FileMask {
    /// The mask, read without changing it, as `umask` would for all threads.
    static var current: mode_t {
        guard let bytes = try? DiskFile.bytesIfPresent(at: "/proc/self/status", limit: 1 << 16),
            let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first(where: {
                $0.hasPrefix("Umask:")
            }),
            let mask = mode_t(line.dropFirst(6).trimmingPrefix { $0.isWhitespace }, radix: 8)
        else { return 0o022 }  // The usual one where /proc is not mounted.
        return mask
    }
}

/// Writes the files of a checked archive into a folder, without the archive's outermost one.
struct ArchiveExtraction {
    private let content: ArchiveContent
    private let folder: String

    init(of content: ArchiveContent, into folder: String) {
        self.content = content
        self.folder = folder
    }

    /// Writes all of them.
    func run() throws(PackError) {
        guard let disk = clibarchive_open_disk() else {
            throw PackError(.library, "libarchive cannot write without memory")
        }
        defer { clibarchive_write_free(disk) }
        try ArchiveContent.reading(content.tar) { reader throws(PackError) in
            while let entry = try reader.next() {
                guard let size = entry.size, let inner = ArchiveContent.inner(entry.path) else { continue }
                try check(clibarchive_add_file(disk, "\(folder)/\(inner)", Int64(size)), disk, inner)
                try copy(size, from: reader, to: disk, inner)
                try check(clibarchive_finish_entry(disk), disk, inner)
            }
        }
        try check(clibarchive_close(disk), disk, "its last file")
    }

    private func copy(
        _ size: Int, from reader: borrowing ArchiveReader, to disk: clibarchive, _ path: String
    ) throws(PackError) {
        var buffer = [UInt8](repeating: 0, count: min(1 << 16, max(1, size)))
        var written = 0
        while case let count = try reader.read(into: &buffer), count > 0 {
            guard clibarchive_write(disk, buffer, count) == count else { throw failure(disk, path) }
            written += count
        }
        guard written == size else { throw .refused(path, "has \(written) bytes, and \(size) were announced") }
    }

    private func check(_ code: Int32, _ disk: clibarchive, _ path: String) throws(PackError) {
        guard code == clibarchive_ok else { throw failure(disk, path) }
    }

    private func failure(_ disk: clibarchive, _ path: String) -> PackError {
        let code = clibarchive_error_number(disk)
        // Of a full disk the library itself says only that writing failed.
        let reason =
            code > 0
            ? String(cString: strerror(code))
            : clibarchive_error_text(disk).map { String(cString: $0) } ?? "no reason was given"
        return PackError(.file, "\(path.quoted) cannot be written: \(reason)")
    }
}
