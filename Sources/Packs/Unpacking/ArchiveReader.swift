import CLibArchive
import ProviderModel

/// One file or folder of a tar archive, of which everything but its content has been checked.
struct ArchiveEntry {
    /// The path with the archive's outermost folder.
    let path: PackPath
    /// How many bytes a file has; nil for a folder.
    let size: Int?
}

/// Reads a tar archive in memory, one entry at a time.
struct ArchiveReader: ~Copyable {
    private let archive: clibarchive

    private init(_ archive: clibarchive) { self.archive = archive }

    /// A reader of bytes that outlive it.
    static func opening(_ bytes: UnsafeRawBufferPointer) throws(PackError) -> ArchiveReader {
        guard let archive = clibarchive_tar_reader() else {
            throw PackError(.library, "libarchive cannot read without memory")
        }
        let reader = ArchiveReader(archive)
        guard clibarchive_open(archive, bytes.baseAddress, bytes.count) == clibarchive_ok else {
            throw reader.damaged()
        }
        return reader
    }

    deinit { clibarchive_read_free(archive) }

    /// How many bytes have been read.
    var used: Int { Int(clibarchive_used(archive)) }

    /// The next entry; nil at the end.
    func next() throws(PackError) -> ArchiveEntry? {
        var entry: clibarchive_entry?
        let code = clibarchive_next(archive, &entry)
        if code == clibarchive_eof { return nil }
        guard code == clibarchive_ok, let entry else { throw damaged() }
        guard let bytes = clibarchive_entry_name(entry) else {
            throw PackError(.archive, "the archive has a file without a name")
        }
        guard var name = String(validatingCString: bytes) else {
            throw .refused(String(cString: bytes), "is not UTF-8")
        }
        let isFolder = clibarchive_entry_type(entry) == clibarchive_folder
        if isFolder, name.hasSuffix("/") { name.removeLast() }
        try Self.checkKind(of: entry, named: name)
        let path: PackPath
        do throws(PackPath.Refusal) { path = try PackPath(name) } catch { throw .refused(name, error.reason) }
        return ArchiveEntry(path: path, size: isFolder ? nil : Int(clibarchive_entry_size(entry)))
    }

    /// The next bytes of the entry, at most a buffer full; none at its end.
    func read(into buffer: inout [UInt8]) throws(PackError) -> Int {
        let count = clibarchive_read(archive, &buffer, buffer.count)
        guard count >= 0 else { throw damaged() }
        return count
    }

    /// All bytes of the entry that are left, of which there should be so many.
    func rest(_ size: Int) throws(PackError) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(size)
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = try read(into: &buffer), count > 0 { content += buffer[..<count] }
        return content
    }

    private static func checkKind(of entry: clibarchive_entry, named name: String) throws(PackError) {
        if clibarchive_entry_hardlink(entry) != nil {
            throw .refused(name, "is a hard link; a pack holds files and folders only")
        }
        switch clibarchive_entry_type(entry) {
        case clibarchive_file, clibarchive_folder: return
        case clibarchive_symlink: throw .refused(name, "is a symbolic link; a pack holds files and folders only")
        default: throw .refused(name, "is a device, a pipe or a socket; a pack holds files and folders only")
        }
    }

    private func damaged() -> PackError {
        let reason = clibarchive_error_text(archive).map { String(cString: $0) } ?? "no reason was given"
        return .damaged("the tar archive cannot be read: \(reason.quoted)")
    }
}

extension PackError {
    /// The refusal of an archive for one of its names.
    static func refused(_ name: String, _ reason: String) -> PackError {
        // Marks of direction would turn the sentence around on the way to the reader.
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isSeen ? $0 : "\u{FFFD}" }))
        return PackError(.archive, "the archive’s \(shown.quoted) \(reason)")
    }
}
