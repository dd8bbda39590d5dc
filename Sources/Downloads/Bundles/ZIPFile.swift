import CLibArchive
import Glibc
import ProviderModel

/// Writes a ZIP archive of files that are stored as they are: pictures are compressed already.
final class ZIPWriter {
    private let archive: OpaquePointer
    private let path: String

    /// Begins an archive at the beginning of an open file; `path` is what messages name.
    init(to descriptor: Int32, path: String) throws(DownloadError) {
        guard clibarchive_load() == nil, let archive = archive_write_new() else {
            throw ZIPLibrary.missing
        }
        self.archive = archive
        self.path = path
        archive_write_set_format_zip(archive)
        archive_write_zip_set_compression_store(archive)
        try check(archive_write_open_fd(archive, descriptor))
    }

    deinit { archive_write_free(archive) }

    /// Adds a file whose content `read` gives, piece after piece, until there is no more.
    func add(
        _ name: String, bytes: Int, time: Int, _ read: () throws(DownloadError) -> [UInt8]
    ) throws(DownloadError) {
        guard let entry = archive_entry_new() else { throw failure() }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(bytes))
        archive_entry_set_filetype(entry, UInt32(S_IFREG as mode_t))
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, time, 0)
        try check(archive_write_header(archive, entry))
        var written = 0
        while case let piece = try read(), !piece.isEmpty {
            guard archive_write_data(archive, piece, piece.count) == piece.count else { throw failure() }
            written += piece.count
        }
        guard written == bytes else {
            throw DownloadError(.file, "could not write \(path): \(name.quoted) was changed by another program")
        }
        try check(archive_write_finish_entry(archive))
    }

    /// Adds a small file.
    func add(_ name: String, _ content: [UInt8], time: Int) throws(DownloadError) {
        var rest = content
        try add(name, bytes: content.count, time: time) { () throws(DownloadError) in
            defer { rest = [] }
            return rest
        }
    }

    /// Ends the archive.
    func finish() throws(DownloadError) { try check(archive_write_close(archive)) }

    private func check(_ code: Int32) throws(DownloadError) {
        guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw failure() }
    }

    private func failure() -> DownloadError {
        let code = archive_errno(archive)
        guard code <= 0 else { return DownloadError(errno: code, "write", path) }
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
        return DownloadError(.file, "could not write \(path): \(reason)")
    }
}

/// Reads a ZIP archive, one entry after the other.
final class ZIPReader {
    /// A file in the archive.
    struct Entry {
        let name: String
        let bytes: Int
        let time: Int
    }

    private let archive: OpaquePointer
    private let path: String

    /// Opens an archive; `path` is what messages name.
    init(_ descriptor: Int32, path: String) throws(DownloadError) {
        guard clibarchive_load() == nil, let archive = archive_read_new() else { throw ZIPLibrary.missing }
        self.archive = archive
        self.path = path
        archive_read_support_format_zip_seekable(archive)
        lseek(descriptor, 0, SEEK_SET)
        guard archive_read_open_fd(archive, descriptor, 256 << 10) == ARCHIVE_OK else { throw damaged() }
    }

    deinit { archive_read_free(archive) }

    /// The next file; nil at the end.
    func next() throws(DownloadError) -> Entry? {
        while true {
            var found: OpaquePointer?
            let code = archive_read_next_header(archive, &found)
            if code == ARCHIVE_EOF { return nil }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry = found,
                let name = archive_entry_pathname(entry)
            else { throw damaged() }
            guard archive_entry_filetype(entry) == S_IFREG else { continue }
            return Entry(
                name: String(cString: name), bytes: Int(archive_entry_size(entry)),
                time: Int(archive_entry_mtime(entry)))
        }
    }

    /// The next piece of the file's content; empty at its end.
    func read() throws(DownloadError) -> [UInt8] {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, filled in
            count = archive_read_data(archive, buffer.baseAddress, buffer.count)
            filled = max(count, 0)
        }
        guard count >= 0 else { throw damaged() }
        return piece
    }

    /// The whole content of the file.
    func content() throws(DownloadError) -> [UInt8] {
        var content: [UInt8] = []
        while case let piece = try read(), !piece.isEmpty { content += piece }
        return content
    }

    private func damaged() -> DownloadError {
        let reason = archive_error_string(archive).map { " (\(String(cString: $0)))" } ?? ""
        return DownloadError(.file, "could not read \(path): not a complete ZIP archive\(reason)")
    }
}

/// libarchive, which is loaded when the first archive is read or written.
enum ZIPLibrary {
    /// Throws where it cannot be loaded.
    static func load() throws(DownloadError) { if clibarchive_load() != nil { throw missing } }

    fileprivate static var missing: DownloadError {
        let problem = clibarchive_load().map { String(cString: $0) } ?? "out of memory"
        return DownloadError(.file, "could not load libarchive: \(problem)")
    }
}
