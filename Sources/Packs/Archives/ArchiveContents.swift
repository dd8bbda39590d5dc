import ProviderModel

/// A pack's archive that was read to its end and validated; nothing of it has been written yet.
struct ArchiveContents {
    /// Its files, without the outermost folder, in the order they come.
    private(set) var files: [(path: String, content: [UInt8])] = []

    private var names = PackPathSet()
    private var outermost: String?
    private var entries = 0

    private static let blockSize = 512

    /// Reads an archive and checks every entry, and what follows them.
    init(of archive: [UInt8], limits: PackArchive.Limits) throws(PackError) {
        let tar = try Gzip.decompress(archive, limit: limits.unpacked)
        try TarReader.reading(tar) { reader throws(PackError) in
            while let entry = try reader.next() { try add(entry, from: reader, limits) }
            try Self.checkEnd(of: tar, used: reader.bytesRead)
        }
    }

    /// The content of a file; nil where there is none.
    subscript(path: String) -> [UInt8]? { files.first { $0.path == path }?.content }

    private mutating func add(
        _ entry: TarEntry, from reader: borrowing TarReader, _ limits: PackArchive.Limits
    ) throws(PackError) {
        entries += 1
        guard entries <= limits.entries else {
            throw PackError(.tooLarge, "the archive has more than the maximum of \(limits.entries) files")
        }
        let name = entry.path.description
        let first = name.prefix { $0 != "/" }
        guard outermost ?? String(first) == first else {
            throw .refused(
                name, "is outside of \"\(outermost ?? "")\" (expected one outermost folder, as npm pack writes it)")
        }
        outermost = String(first)
        do throws(PackPath.Refusal) {
            guard entry.size != nil else { return try names.insert(folder: name) }
            try names.insert(file: entry.path)
        } catch { throw .refused(name, error.reason) }
        guard let size = entry.size else { return }
        let inner = name.dropFirst(first.count + 1)
        guard !inner.isEmpty else {
            throw .refused(name, "is outside of a folder (expected one outermost folder, such as \"package\")")
        }
        guard (0...limits.file).contains(size) else {
            throw PackError(
                .tooLarge,
                "the archive's \(name.quoted) has \(size) bytes, more than the maximum of \(ByteCount(limits.file))")
        }
        files.append((String(inner), try reader.content(of: entry)))
    }

    /// The end mark has to be there, and nothing but zeros behind it.
    private static func checkEnd(of tar: [UInt8], used: Int) throws(PackError) {
        guard tar.count >= 2 * blockSize, tar.suffix(blockSize).allSatisfy({ $0 == 0 }) else {
            let hasMark = tar.count >= used && used > blockSize && tar[(used - blockSize)..<used].allSatisfy { $0 == 0 }
            throw .damaged(
                hasMark ? "data follows the end of the tar archive" : "the tar archive ends without an end mark")
        }
        guard tar[min(used, tar.count)...].allSatisfy({ $0 == 0 }) else {
            throw .damaged("data follows the end of the tar archive")
        }
    }
}
