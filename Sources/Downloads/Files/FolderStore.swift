import CSystemCalls
import Glibc
import ProviderModel

/// The destination of finished files: a folder, or tar shards.
package protocol DownloadStore: Sendable {
    /// The path of an existing file; nil when it has to be fetched.
    ///
    /// The extension may differ from the planned one, as it follows the content; each extension costs a system call.
    func existing(_ planned: PlannedFile, underAnyEnding: Bool) throws(DownloadError) -> String?

    /// Opens the unfinished file; throws `.busy` when another process is fetching it.
    func open(_ planned: PlannedFile) throws(DownloadError) -> PartFile

    /// The path that a finished file will have; nil where that is known only afterwards.
    func path(for planned: PlannedFile, _ file: FetchedFile) throws(DownloadError) -> String?

    /// Takes a finished and verified file; returns the path that it has.
    func keep(_ file: FetchedDownload, at path: String?) throws(DownloadError) -> String

    /// Whether there is a file at a path.
    func has(_ path: String) -> Bool

    /// Whether the file of a record is there as it was, fetched from content of this SHA-256.
    func holds(_ record: ArchiveRecord, _ content: [UInt8]) -> Bool

    /// Has a finished file share the content of a record's; false where that is impossible.
    func share(_ part: PartFile, contentOf record: ArchiveRecord) -> Bool

    /// The SHA-256 and the length of a file that is there.
    func content(of path: String) -> (sha256: [UInt8], bytes: Int)?

    /// Whether the SHA-256 of each file is stored with it.
    var needsSHA256: Bool { get }

    /// The facts of a file that is there.
    func facts(of path: String) throws(DownloadError) -> FileFacts

    /// Ends a run; `isComplete` says whether everything was done that there was to do.
    func finish(isComplete: Bool) throws(DownloadError)
}

/// The facts of a finished file as far as its store knows them without reading it.
package struct FileFacts: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// The SHA-256 of its content, if that is stored.
    package var sha256: [UInt8]?
}

/// Finished files, each under its own name in a folder.
package struct FolderStore: DownloadStore {
    package let needsSHA256 = false
    private let folder: DownloadFolder

    /// A store in this folder.
    package init(_ folder: DownloadFolder) { self.folder = folder }

    package func existing(_ planned: PlannedFile, underAnyEnding: Bool) throws(DownloadError) -> String? {
        let target = try folder.folder(planned.folders)
        let endings = underAnyEnding ? Self.endings(planned.expectedEnding) : [planned.expectedEnding]
        // Its own name may have been another file's when it came, and be free by now.
        for name in planned.names {
            for ending in endings {
                let occupant = Self.occupant(of: name.fileName(ending: ending), in: target, planned.key)
                guard occupant == .itself else { continue }
                // A run that was killed just before it found the same.
                PartFile.removeLeftover(planned.partName, in: target, hasContent: true)
                return name.path(ending: ending)
            }
        }
        return nil
    }

    package func open(_ planned: PlannedFile) throws(DownloadError) -> PartFile {
        try PartFile(planned.partName, in: try folder.folder(planned.folders))
    }

    package func path(for planned: PlannedFile, _ file: FetchedFile) throws(DownloadError) -> String? {
        let ending = file.format?.fileEnding ?? planned.request.media.url.fileEnding ?? planned.expectedEnding
        let target = try folder.folder(planned.folders)
        let free = planned.names.first { name in
            Self.occupant(of: name.fileName(ending: ending), in: target, planned.key) != .another
        }
        if let free { return free.path(ending: ending) }
        throw DownloadError(
            .file, "\(planned.path) and its alternative name are taken by other files", subject: planned.request.name)
    }

    package func keep(_ file: FetchedDownload, at path: String?) throws(DownloadError) -> String {
        var path = path
        if let seconds = file.file.modified { file.part.setModificationTime(seconds) }
        // Another program may take the name between the look at it and the renaming.
        for _ in 0..<2 {
            if path == nil { path = try self.path(for: file.planned, file.file) }
            guard let wanted = path else { break }
            let (target, name) = try folder.location(of: wanted)
            if try file.part.rename(to: name, in: target) { return wanted }
            if Self.occupant(of: name, in: target, file.planned.key) == .itself {
                file.part.remove()
                return wanted
            }
            path = nil
        }
        throw DownloadError(.file, "\(file.planned.path) was taken by another file", subject: file.planned.request.name)
    }

    package func has(_ path: String) -> Bool { folder.hasFile(at: BundlePath.archive(of: path) ?? path) }

    package func holds(_ record: ArchiveRecord, _ content: [UInt8]) -> Bool {
        guard record.content == nil || record.content == content else { return false }
        // A file in an archive is not read, and can be no other than the one that was put there.
        if BundlePath.isInside(record.path) { return record.content == content && has(record.path) }
        return self.content(of: record.path)?.sha256 == record.sha256 ?? content
    }

    package func share(_ part: PartFile, contentOf record: ArchiveRecord) -> Bool {
        guard let original = folder.file(at: record.path) else { return false }
        defer { Glibc.close(original) }
        let name = record.path.split(separator: "/").last.map(String.init) ?? record.path
        return part.share(original, named: name, length: record.bytes)
    }

    package func content(of path: String) -> (sha256: [UInt8], bytes: Int)? {
        guard let descriptor = folder.file(at: path) else { return nil }
        defer { Glibc.close(descriptor) }
        var hasher = ContentHasher(withSHA256: true)
        var bytes = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4_096)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return hasher.finish().sha256.map { ($0, bytes) } }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            bytes += count
        }
    }

    package func facts(of path: String) throws(DownloadError) -> FileFacts {
        guard let descriptor = folder.file(at: path) else {
            throw DownloadError(.file, "could not read \(path): it was removed by another program")
        }
        return FileFacts(bytes: DescriptorContent(owning: descriptor).count)
    }

    package func finish(isComplete: Bool) throws(DownloadError) {}

    private enum Occupant {
        case noFile
        case itself
        case another
    }

    /// Which file has a name; one without a mark counts as the one that is looked for: the user put it there.
    private static func occupant(of name: String, in folder: OpenFolder, _ key: MediaKey) -> Occupant {
        guard folder.has(name) || errno != ENOENT else { return .noFile }
        let descriptor = open_below(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0)
        guard descriptor >= 0 else { return errno == ENOENT ? .noFile : .another }
        defer { Glibc.close(descriptor) }
        let marks = FileMark.all(of: descriptor)
        return marks.isEmpty || marks.contains { $0.names(key, as: name) } ? .itself : .another
    }

    /// The planned ending first, then those that the content may have led to.
    private static func endings(_ expected: String) -> [String] {
        [expected] + formatEndings.filter { $0 != expected }
    }

    private static let formatEndings = MediaFormat.allCases.map(\.fileEnding)
}
