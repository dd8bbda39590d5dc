import CSystemCalls
import Glibc
import Synchronization

/// An unfinished file beside its target, `fox.1a2b3c4d.part`, locked while it is in use.
package final class PartFile: Sendable, FileContent {
    let folder: OpenFolder
    let name: String
    let descriptor: Int32
    /// Its length when it was opened.
    let lengthAtOpening: Int
    private let isReleased = Mutex(false)
    private let link = Mutex<Link?>(nil)

    /// A hard link to another file, `fox.1a2b3c4d.part~`, that gets the final name in place of the unfinished file.
    private struct Link {
        /// The other file's name.
        let originalName: String
        /// Whether the unfinished file is gone: another process may have one of its name.
        var hasReplacedPart = false
    }

    /// Opens or creates the file and takes its lock; throws `.busy` when another process has it.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        self.folder = folder
        self.name = name
        (descriptor, lengthAtOpening) = try Self.open(name, in: folder)
    }

    deinit { Glibc.close(descriptor) }

    /// Gives up the lock, so that another run may go on with the file; what a transfer still writes is refused.
    func release() {
        isReleased.withLock { isReleased in
            isReleased = true
            flock(descriptor, LOCK_UN)
        }
    }

    /// The path that messages name.
    var path: String { folder.path + "/" + name }

    package var count: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    package func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            let found = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            failure = found < 0 ? errno : 0
            filled = max(found, 0)
        }
        guard failure == 0 else { throw DownloadError(errno: failure, "read", path) }
        return bytes
    }

    /// Fills the buffer as far as the file goes; returns the number of bytes, or -1.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var filled = 0
        while filled < buffer.count {
            let found = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
            if found < 0, errno == EINTR { continue }
            if found < 0 { return -1 }
            if found == 0 { break }
            filled += found
        }
        return filled
    }

    /// Calls the closure with the bytes of a range, part after part; throws when they are not there any more.
    func forEachChunk(
        of range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(DownloadError) -> Void
    ) throws(DownloadError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4_096)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = UnsafeMutableRawBufferPointer(
                rebasing: buffer.prefix(min(buffer.count, range.upperBound - offset)))
            guard read(into: wanted, at: offset) == wanted.count else {
                throw DownloadError(.file, "could not read \(path): it was changed by another program")
            }
            try body(UnsafeRawBufferPointer(wanted))
            offset += wanted.count
        }
    }

    /// Writes all the bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DownloadError) {
        try isReleased.withLock { (isReleased) throws(DownloadError) in
            guard !isReleased else { throw DownloadError(.busy, "\(path) was released") }
            try writeAll(bytes, at: offset)
        }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DownloadError) {
        try folder.observer?.willChange(.write)
        var written = 0
        while written < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw folder.failure(errno, "write", path) }
            written += count
        }
    }

    /// Writes all the bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int) throws(DownloadError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DownloadError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    /// Truncates or extends the file.
    func setLength(_ length: Int) throws(DownloadError) {
        try folder.observer?.willChange(.truncate)
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw folder.failure(errno, "truncate", path) }
    }

    /// Sets the time of the last change, in seconds since 1970; a file system that cannot hold it keeps its own.
    func setModificationTime(_ seconds: Int) {
        // UTIME_OMIT, a macro that Swift does not import: the time of the last access stays.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), timespec(tv_sec: seconds, tv_nsec: 0)]
        if folder.observer.allows(.mark) { futimens(descriptor, times) }
    }

    /// Marks the file with what it is, so that it is recognised without an archive; not every file system can.
    func mark(with key: MediaKey) {
        if folder.observer.allows(.mark) { FileMark.set([FileMark(key: key)], of: descriptor) }
    }

    /// Shares the content of an existing file: its blocks where the file system supports it, else by a hard link.
    ///
    /// The unfinished file itself never becomes that link: whoever goes on with it would write into the other file.
    func share(_ original: Int32, named originalName: String, length: Int) -> Bool {
        guard folder.observer.allows(.link) else { return false }
        // Shared blocks are better than two names for one file: what is later changed in one is not changed in both.
        if clone_blocks(original, descriptor) == 0 { return ftruncate(descriptor, off_t(length)) == 0 }
        guard hasRoomForMark(beside: FileMark.all(of: original), originalName) else { return false }
        // A run that was killed before the renaming has left it.
        folder.remove(linkName)
        guard link_descriptor(original, folder.descriptor, linkName) == 0 else { return false }
        link.withLock { $0 = Link(originalName: originalName) }
        return true
    }

    private var linkName: String { name + "~" }

    /// Whether the mark of a file with so many names has room for one more: without it this one would not be recognised.
    private func hasRoomForMark(beside known: [FileMark], _ originalName: String) -> Bool {
        guard let key = FileMark.all(of: descriptor).first?.key else { return true }
        let longest = FileMark(key: key, name: String(repeating: "x", count: SafeFileName.byteLimit))
        return FileMark.fit(FileMark.named(known, originalName, adding: longest))
    }

    /// Gives the file its final name; false when that is taken.
    func rename(to newName: String, in target: OpenFolder) throws(DownloadError) -> Bool {
        if let originalName = link.withLock(\.self)?.originalName {
            return try renameLink(of: originalName, to: newName, in: target)
        }
        try folder.observer?.willChange(.rename)
        if rename_without_replacing(folder.descriptor, name, target.descriptor, newName) == 0 { return true }
        guard errno == EEXIST else { throw folder.failure(errno, "rename", path) }
        return false
    }

    /// Gives the link the final name, of which the content's mark tells first.
    private func renameLink(
        of originalName: String, to newName: String, in target: OpenFolder
    ) throws(DownloadError) -> Bool {
        let content = open_below(folder.descriptor, linkName, O_RDONLY | O_NONBLOCK, 0)
        guard content >= 0 else { throw folder.failure(errno, "open", path + "~") }
        // Another process may mark it for a name of its own; the one that has just fetched it has it locked still.
        flock(content, LOCK_EX | LOCK_NB)
        defer { Glibc.close(content) }
        let marks = FileMark.all(of: content)
        if let key = FileMark.all(of: descriptor).first?.key, folder.observer?.isOver != true {
            FileMark.set(FileMark.named(marks, originalName, adding: FileMark(key: key, name: newName)), of: content)
        }
        removePart()
        try folder.observer?.willChange(.rename)
        if rename_without_replacing(folder.descriptor, linkName, target.descriptor, newName) == 0 { return true }
        guard errno == EEXIST else { throw folder.failure(errno, "rename", path) }
        FileMark.set(marks, of: content)
        return false
    }

    /// Gives the file its final name, in place of what has it.
    func replace(_ newName: String, in target: OpenFolder) throws(DownloadError) {
        try folder.observer?.willChange(.rename)
        guard renameat(folder.descriptor, name, target.descriptor, newName) == 0 else {
            throw target.failure(errno, "write", target.path + "/" + newName)
        }
    }

    /// Removes the file.
    func remove() {
        if link.withLock({ $0 != nil }) { folder.remove(linkName) }
        removePart()
    }

    private func removePart() {
        let isThere = link.withLock { link in
            defer { link?.hasReplacedPart = true }
            return link?.hasReplacedPart != true
        }
        if isThere { folder.remove(name) }
    }

    /// Whether a name is that of an unfinished file: `fox.1a2b3c4d.part`, `00000.tar.part` or that of an archive.
    static func isName(_ name: String) -> Bool {
        guard name.hasSuffix(".part") else { return false }
        let stem = name.dropLast(".part".count)
        if stem.hasSuffix(".tar") || isNameOfNoFurtherUse(name) { return true }
        guard let dot = stem.lastIndex(of: ".") else { return false }
        return stem[dot...].dropFirst().isHexadecimal(ofLength: 8)
    }

    /// Whether a name is that of an unfinished archive, sidecar or list, with which no run goes on.
    static func isNameOfNoFurtherUse(_ name: String) -> Bool {
        name.hasSuffix(ReplacementFile.ending)
            || name.hasSuffix(".part") && name.dropLast(".part".count).isHexadecimal(ofLength: 16)
    }

    /// Removes an unfinished file that a killed run left, unless it holds something to go on with.
    ///
    /// - Returns: whether the file was free; a process that is being killed may still have it.
    @discardableResult
    static func removeLeftover(_ name: String, in folder: OpenFolder, hasContent: Bool) -> Bool {
        let descriptor = open_below(folder.descriptor, name, O_RDWR | O_NONBLOCK, 0)
        guard descriptor >= 0 else { return true }
        defer { Glibc.close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, hasContent || status.st_size == 0
        else { return true }
        folder.remove(name)
        return true
    }

    private static func open(
        _ name: String, in folder: OpenFolder
    ) throws(DownloadError) -> (descriptor: Int32, length: Int) {
        var path: String { folder.path + "/" + name }
        try folder.observer?.willChange(.createFile)
        while true {
            let descriptor = open_below(folder.descriptor, name, O_RDWR | O_CREAT | O_NONBLOCK, 0o666)
            guard descriptor >= 0 else { throw folder.failure(errno, "open", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                Glibc.close(descriptor)
                guard code == EWOULDBLOCK else { throw DownloadError(errno: code, "lock", path) }
                throw DownloadError(.busy, "\(path) is being downloaded by another process")
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                Glibc.close(descriptor)
                throw DownloadError(.file, "\(path) is not a regular file")
            }
            // The process that had the lock may have renamed the file meanwhile; then this one is finished, and not ours.
            if folder.status(of: name)?.st_ino == status.st_ino { return (descriptor, Int(status.st_size)) }
            Glibc.close(descriptor)
        }
    }
}

extension Substring {
    fileprivate func isHexadecimal(ofLength length: Int) -> Bool {
        count == length && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
