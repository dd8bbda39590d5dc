import CFiles
import Glibc
import ProviderModel

/// Finished files, each under its own name in a folder.
package struct FolderStore: DownloadStore {
    private let folder: DownloadFolder
    private let sole: SoleUse

    /// A store in this folder.
    package init(_ folder: DownloadFolder) {
        self.folder = folder
        sole = SoleUse(of: folder.root)
    }

    /// The path of a file that is there already, under its name or the one it has beside another of that name.
    package func existing(_ planned: PlannedDownload, underAnyEnding: Bool) throws -> String? {
        let target = try folder.folder(planned.name.folders)
        let endings = underAnyEnding ? Self.endings(planned.expectedEnding) : [planned.expectedEnding]
        func look(for name: PlannedName) -> (path: String?, isTaken: Bool) {
            var isTaken = false
            for ending in endings {
                switch Self.occupant(of: name.fileName(ending: ending), in: target, planned.key) {
                case .nobody: continue
                case .itself: return (name.path(ending: ending), true)
                case .another: isTaken = true
                }
            }
            return (nil, isTaken)
        }
        let found = look(for: planned.name)
        if let path = found.path { return path }
        return found.isTaken ? look(for: planned.name.distinct(for: planned.key)).path : nil
    }

    /// In a folder that was empty lies only what was put there since: what matters is a look under the file's own lock.
    package func mayHold(_ planned: PlannedDownload) throws -> Bool {
        try !folder.folder(planned.name.folders).wasEmpty
    }

    package func arrived(_ planned: PlannedDownload, underAnyEnding: Bool) throws -> String? {
        sole.isFirst(planned.key) ? nil : try existing(planned, underAnyEnding: underAnyEnding)
    }

    /// Most files are whole before anything is written: they are claimed, and made when there is something to write.
    package func open(_ planned: PlannedDownload) throws(DownloadError) -> PartFile {
        let target = try folder.folder(planned.name.folders)
        guard target.holdsNamelessFiles, let claim = try FileClaim(to: planned, in: target, isAlone: { sole.isAlone })
        else {
            return try PartFile(planned.name.partName(for: planned.key), in: target)
        }
        let part = PartFile(under: claim) { planned.name.partName(for: planned.key) }
        if !target.wasEmpty, target.has(part.name) { try part.make() }
        return part
    }

    package func keep(
        _ part: PartFile, of planned: PlannedDownload, from media: Media, _ file: FetchedFile
    ) throws(DownloadError) -> String {
        let ending = Self.ending(of: planned, file)
        for isDistinct in [false, true] {
            let name = isDistinct ? planned.name.distinct(for: planned.key) : planned.name
            let fileName = name.fileName(ending: ending)
            if try part.rename(to: fileName, in: part.folder) { return name.path(ending: ending) }
            if Self.occupant(of: fileName, in: part.folder, planned.key) == .itself {
                part.remove()
                return name.path(ending: ending)
            }
        }
        throw DownloadError(
            .file,
            "\(planned.expectedPath) and the name beside it are taken by other files; choose another --name",
            subject: planned.key
        )
    }

    package func paths(for planned: PlannedDownload, _ file: FetchedFile) -> [String] {
        [planned.name.path(ending: Self.ending(of: planned, file))]
    }

    private static func ending(of planned: PlannedDownload, _ file: FetchedFile) -> String {
        file.format?.fileEnding ?? planned.media.url.fileEnding ?? planned.expectedEnding
    }

    package func holds(_ record: ArchiveRecord, _ content: ContentHash) -> Bool {
        guard let found = hash(of: record.path, withSHA256: true)?.hash, found.agrees(with: record.hash)
        else { return false }
        // An XXH3 alone does not make contents one.
        return content.sha256 == record.content.sha256 ?? found.sha256
    }

    package func share(_ part: PartFile, contentOf record: ArchiveRecord, _ file: FetchedFile) -> Bool {
        guard let original = folder.file(at: record.path) else { return false }
        defer { Glibc.close(original) }
        // Shared blocks are better than two names for one file: what is later changed in one is not changed in both.
        if cfiles_clone(original, part.descriptor) == 0 { return true }
        return part.becomeLink(to: original)
    }

    package func hash(of path: String) -> (hash: ContentHash, bytes: Int)? { hash(of: path, withSHA256: false) }

    func hash(of path: String, withSHA256: Bool) -> (hash: ContentHash, bytes: Int)? {
        guard let descriptor = folder.file(at: path) else { return nil }
        defer { Glibc.close(descriptor) }
        var hasher = ContentHasher(withSHA256: withSHA256)
        var bytes = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4_096)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return (hasher.finish().hash, bytes) }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            bytes += count
        }
    }

    private enum Occupant {
        case nobody
        case itself
        case another
    }

    /// Who has a name.
    ///
    /// A file without a mark counts as the one that is looked for: the user put it there.
    private static func occupant(of name: String, in folder: OpenFolder, _ key: MediaKey) -> Occupant {
        // Most names are free, and looking costs less than opening what is not there.
        if faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT { return .nobody }
        let descriptor = cfiles_open(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0)
        guard descriptor >= 0 else { return errno == ENOENT ? .nobody : .another }
        defer { Glibc.close(descriptor) }
        let marks = FileMark.keys(of: descriptor)
        return marks.isEmpty || marks.contains(key) ? .itself : .another
    }

    /// The planned ending first, then those that the content may have led to.
    private static func endings(_ expected: String) -> [String] {
        [expected] + ["jpg", "png", "webp", "gif", "avif"].filter { $0 != expected }
    }
}
