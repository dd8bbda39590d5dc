import CLibArchive
import Glibc

/// Writes a tar archive of files by libarchive: ustar, with pax headers where a name needs one.
///
/// Owner, mode and time are the same for every file, so that the same files give the same bytes.
enum TarWriter {
    /// The time that npm gives every file, 1985-10-26: files have none of their own.
    private static let modificationTime = 499_162_500

    /// The archive of files, in their order.
    static func archive(of files: [(path: String, content: [UInt8])]) throws(PackError) -> [UInt8] {
        try TarLibrary.load()
        guard let archive = archive_write_new() else { throw outOfMemory }
        defer { archive_write_free(archive) }
        let output = Output()
        // libarchive converts names from the locale's characters; C.UTF-8 has all of them and is part of glibc.
        let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        let former = uselocale(locale)
        defer {
            uselocale(former)
            if let locale { freelocale(locale) }
        }
        archive_write_set_format_pax_restricted(archive)
        let opened = withExtendedLifetime(output) {
            archive_write_open(
                archive, Unmanaged.passUnretained(output).toOpaque(), nil,
                { _, output, bytes, count in
                    guard let output, let bytes else { return -1 }
                    Unmanaged<Output>.fromOpaque(output).takeUnretainedValue().bytes += UnsafeRawBufferPointer(
                        start: bytes, count: count)
                    return count
                }, nil)
        }
        guard opened == ARCHIVE_OK else { throw failure(archive) }
        for file in files { try add(file.path, file.content, to: archive) }
        guard archive_write_close(archive) == ARCHIVE_OK else { throw failure(archive) }
        return withExtendedLifetime(output) { output.bytes }
    }

    /// Where libarchive's callback puts what is written.
    private final class Output {
        var bytes: [UInt8] = []
    }

    private static func add(_ path: String, _ content: [UInt8], to archive: OpaquePointer) throws(PackError) {
        guard let entry = archive_entry_new() else { throw outOfMemory }
        defer { archive_entry_free(entry) }
        archive_entry_copy_pathname(entry, path)
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, modificationTime, 0)
        archive_entry_set_size(entry, Int64(content.count))
        guard archive_write_header(archive, entry) == ARCHIVE_OK,
            archive_write_data(archive, content, content.count) == content.count
        else { throw failure(archive) }
    }

    private static var outOfMemory: PackError { PackError(.library, "could not write the archive: out of memory") }

    private static func failure(_ archive: OpaquePointer) -> PackError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
        return PackError(.library, "could not write the archive: \(reason)")
    }
}
