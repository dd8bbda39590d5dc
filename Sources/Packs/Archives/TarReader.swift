import CLibArchive
import Glibc
import ProviderModel

/// One file or folder of a tar archive, of which everything but its content has been checked.
struct TarEntry {
    /// The path with the archive's outermost folder.
    let path: PackPath
    /// How many bytes a file has; nil for a folder.
    let size: Int?
}

/// Reads a tar archive in memory by libarchive, one entry at a time.
struct TarReader: ~Copyable {
    private let archive: OpaquePointer

    private init(_ archive: OpaquePointer) { self.archive = archive }

    deinit { archive_read_free(archive) }

    /// Runs work with a reader over a tar archive.
    static func reading<Value>(
        _ tar: [UInt8], _ work: (borrowing TarReader) throws(PackError) -> Value
    ) throws(PackError) -> Value {
        // An error of a type of its own cannot pass through `withUnsafeBytes`.
        let result: Result<Value, PackError> = tar.withUnsafeBytes { bytes in
            do throws(PackError) { return .success(try work(try opening(bytes))) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// A reader of bytes that outlive it.
    private static func opening(_ bytes: UnsafeRawBufferPointer) throws(PackError) -> TarReader {
        try TarLibrary.load()
        guard let archive = archive_read_new() else {
            throw PackError(.library, "could not read the archive: out of memory")
        }
        let reader = TarReader(archive)
        archive_read_support_format_tar(archive)
        guard archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
            throw reader.damaged()
        }
        return reader
    }

    /// How many bytes have been read.
    var bytesRead: Int { Int(archive_filter_bytes(archive, -1)) }

    /// The next entry; nil at the end.
    func next() throws(PackError) -> TarEntry? {
        var found: OpaquePointer?
        let code = archive_read_next_header(archive, &found)
        if code == ARCHIVE_EOF { return nil }
        // It warns of letters that the locale does not have; names are taken byte for byte.
        guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry = found else { throw damaged() }
        guard let bytes = archive_entry_pathname(entry) else {
            throw PackError(.archive, "the archive has a file without a name")
        }
        guard var name = String(validatingCString: bytes) else {
            throw .refused(String(cString: bytes), "is not UTF-8")
        }
        let isFolder = archive_entry_filetype(entry) == S_IFDIR
        if isFolder, name.hasSuffix("/") { name.removeLast() }
        try Self.checkKind(of: entry, named: name)
        let path: PackPath
        do throws(PackPath.Refusal) { path = try PackPath(name) } catch { throw .refused(name, error.reason) }
        return TarEntry(path: path, size: isFolder ? nil : Int(archive_entry_size(entry)))
    }

    /// The content of the entry, which has to be of the size that was announced.
    func content(of entry: TarEntry) throws(PackError) -> [UInt8] {
        let size = entry.size ?? 0
        var content: [UInt8] = []
        content.reserveCapacity(size)
        var buffer = [UInt8](repeating: 0, count: min(1 << 16, size + 1))
        while content.count <= size {
            let count = archive_read_data(archive, &buffer, buffer.count)
            guard count >= 0 else { throw damaged() }
            if count == 0 { break }
            content += buffer[..<count]
        }
        guard content.count == size else {
            throw .refused(entry.path.description, "has \(content.count) bytes (expected \(size))")
        }
        return content
    }

    private static func checkKind(of entry: OpaquePointer, named name: String) throws(PackError) {
        if archive_entry_hardlink(entry) != nil {
            throw .refused(name, "is a hard link (expected a file or a folder)")
        }
        switch archive_entry_filetype(entry) {
        case S_IFREG, S_IFDIR: return
        case S_IFLNK: throw .refused(name, "is a symbolic link (expected a file or a folder)")
        default: throw .refused(name, "is a device, a pipe or a socket (expected a file or a folder)")
        }
    }

    private func damaged() -> PackError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
        return .damaged("could not read the tar archive: \(reason)")
    }
}

extension PackError {
    /// The refusal of an archive because of one of its names.
    static func refused(_ name: String, _ reason: String) -> PackError {
        // Marks of direction would turn the sentence around on the way to the reader.
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isVisible ? $0 : "\u{FFFD}" }))
        return PackError(.archive, "the archive's \(shown.quoted) \(reason)")
    }
}

/// libarchive, which is loaded when the first archive is read.
enum TarLibrary {
    static func load() throws(PackError) {
        guard let problem = clibarchive_load() else { return }
        throw PackError(.library, "could not load libarchive: \(String(cString: problem))")
    }
}
