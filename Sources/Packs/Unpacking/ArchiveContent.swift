/// A tar archive that has been read to its end and found to be a pack's; nothing of it has been written yet.
struct ArchiveContent {
    /// The archive.
    let tar: [UInt8]
    /// Its files, without the outermost folder, in the order they come.
    private(set) var files: [PackedFile] = []
    /// The text of its `package.json`.
    private(set) var manifest: [UInt8] = []

    private var names = PackPathSet()
    private var top: String?
    private var entries = 0

    private static let blockSize = 512

    /// Checks every entry, and what follows them.
    init(of tar: [UInt8], limits: PackArchive.Limits) throws(PackError) {
        self.tar = tar
        try ArchiveContent.reading(tar) { reader throws(PackError) in
            while let entry = try reader.next() { try add(entry, from: reader, limits) }
            try Self.checkEnd(of: tar, used: reader.used)
        }
        guard files.contains(where: { $0.path == PackManifest.fileName }) else {
            throw PackError(.archive, "the archive has no \(PackManifest.fileName) in its outermost folder")
        }
    }

    /// Runs work with a reader over a tar archive.
    static func reading(
        _ tar: [UInt8], _ work: (borrowing ArchiveReader) throws(PackError) -> Void
    ) throws(PackError) {
        // An error of a type of its own cannot pass through `withUnsafeBytes`.
        let result: Result<Void, PackError> = tar.withUnsafeBytes { bytes in
            do throws(PackError) {
                try work(try ArchiveReader.opening(bytes))
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    /// The path without the archive's outermost folder; nil for that folder itself.
    static func inner(_ path: PackPath) -> String? {
        path.description.firstIndex(of: "/").map { String(path.description[$0...].dropFirst()) }
    }

    private mutating func add(
        _ entry: ArchiveEntry, from reader: borrowing ArchiveReader, _ limits: PackArchive.Limits
    ) throws(PackError) {
        entries += 1
        guard entries <= limits.entries else {
            throw PackError(.tooLarge, "the archive has more than \(limits.entries) files, the most a pack holds")
        }
        let name = entry.path.description
        let outermost = String(name.prefix { $0 != "/" })
        guard top ?? outermost == outermost else {
            throw .refused(name, "lies beside “\(top ?? "")”; a pack has one outermost folder, as npm pack writes it")
        }
        top = outermost
        do throws(PackPath.Refusal) {
            guard entry.size != nil else { return try names.insert(folder: name) }
            try names.insert(file: entry.path)
        } catch { throw .refused(name, error.reason) }
        guard let size = entry.size else { return }
        guard let inner = Self.inner(entry.path) else {
            throw .refused(name, "lies outside of a folder; npm pack puts all into “package”")
        }
        guard (0...limits.file).contains(size) else {
            throw PackError(
                .tooLarge, "the archive’s \(name.quoted) has \(size) bytes, and \(ByteCount(limits.file)) is the most")
        }
        if inner == PackManifest.fileName { manifest = try Self.content(of: reader, size: size) }
        files.append(PackedFile(path: inner, size: size))
    }

    private static func content(of reader: borrowing ArchiveReader, size: Int) throws(PackError) -> [UInt8] {
        guard size <= PackManifest.largest else {
            throw PackError(
                .tooLarge,
                "\(PackManifest.fileName) has \(size) bytes, and \(ByteCount(PackManifest.largest)) is the most")
        }
        return try reader.rest(size)
    }

    /// The end mark has to be there, and nothing but zeros behind it.
    private static func checkEnd(of tar: [UInt8], used: Int) throws(PackError) {
        guard tar.count >= 2 * blockSize, tar.suffix(blockSize).allSatisfy({ $0 == 0 }) else {
            let hasMark = tar.count >= used && used > blockSize && tar[(used - blockSize)..<used].allSatisfy { $0 == 0 }
            throw PackError.damaged(
                hasMark ? "more follows the end of the tar archive" : "the tar archive ends without an end mark")
        }
        guard tar[min(used, tar.count)...].allSatisfy({ $0 == 0 }) else {
            throw PackError.damaged("more follows the end of the tar archive")
        }
    }
}
