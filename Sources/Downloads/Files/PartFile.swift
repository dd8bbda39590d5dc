import CFiles
import Glibc

/// An unfinished file beside its target, locked for as long as it is worked on.
package final class PartFile: Sendable, FileContent {
    let descriptor: Int32
    let folder: OpenFolder
    let name: String
    /// Its length when it was opened.
    let lengthAtOpening: Int

    /// Opens or makes the file and takes its lock; throws `.busy` when another process has it.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        var path: String { folder.path + "/" + name }
        while true {
            // Most are new, and whoever makes a file knows most of it.
            var descriptor = cfiles_open(folder.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0o666)
            let isNew = descriptor >= 0
            if !isNew, errno == EEXIST {
                descriptor = cfiles_open(folder.descriptor, name, O_RDWR | O_CREAT | O_NONBLOCK, 0o666)
            }
            guard descriptor >= 0 else { throw folder.failure(errno, "opened", path) }
            guard cfiles_lock(descriptor) == 0 else {
                let code = errno
                Glibc.close(descriptor)
                guard code == EWOULDBLOCK else { throw DownloadError(errno: code, "locked", path) }
                throw DownloadError(.busy, "another process is fetching \(path)")
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                Glibc.close(descriptor)
                throw DownloadError(.file, "\(path) is no ordinary file; remove it")
            }
            // Whoever had the lock may have renamed the file meanwhile; then this one is finished, and not ours. One that is
            // new and has nothing in it was nobody else's.
            guard status.st_nlink > 0,
                isNew && status.st_size == 0 || folder.status(of: name)?.st_ino == status.st_ino
            else {
                Glibc.close(descriptor)
                continue
            }
            self.descriptor = descriptor
            self.folder = folder
            self.name = name
            lengthAtOpening = Int(status.st_size)
            return
        }
    }

    deinit { Glibc.close(descriptor) }

    /// The path as the user knows it.
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

    /// Fills the buffer as far as the file goes; the number of bytes, or -1.
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

    /// Writes all the bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DownloadError) {
        var written = 0
        while written < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw folder.failure(errno, "written", path) }
            written += count
        }
    }

    /// Cuts or lengthens the file.
    func setLength(_ length: Int) throws(DownloadError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw folder.failure(errno, "cut", path) }
    }

    /// Marks the file with what it is, so that it is known again without an archive; not every file system can.
    func mark(with key: MediaKey) {
        FileMark.set([key], of: descriptor)
    }

    /// Becomes another name of a file that is there; false where the file system has no such thing.
    func becomeLink(to original: Int32) -> Bool {
        let link = name + "~"
        guard cfiles_link(original, folder.descriptor, link) == 0 else { return false }
        // Both names lead to what is wanted, so that a crash in between leaves a file that is found again.
        guard renameat(folder.descriptor, link, folder.descriptor, name) == 0 else {
            unlinkat(folder.descriptor, link, 0)
            return false
        }
        if let key = FileMark.keys(of: descriptor).first { FileMark.add(key, to: original) }
        return true
    }

    /// Gives the file its name; false when that is taken.
    func rename(to newName: String, in target: OpenFolder) throws(DownloadError) -> Bool {
        if cfiles_rename_without_replacing(folder.descriptor, name, target.descriptor, newName) == 0 { return true }
        if errno == EEXIST { return false }
        throw folder.failure(errno, "renamed", path)
    }

    /// Removes the file, which is of no use.
    func remove() { _ = unlinkat(folder.descriptor, name, 0) }
}

/// The note in a file's extended attributes that says which media it is; several where files share their content.
enum FileMark {
    private static let name = "user.imgscript.media"
    private static let limit = 2_048

    /// The keys of an open file.
    static func keys(of descriptor: Int32) -> [MediaKey] {
        var value = [UInt8](repeating: 0, count: limit)
        let count = cfiles_get_attribute(descriptor, name, &value, value.count)
        guard count > 0 else { return [] }
        return value[..<count].split(separator: 0x0a).map { MediaKey(stored: String(decoding: $0, as: UTF8.self)) }
    }

    /// Adds a key; what does not fit, or a file system that has no attributes, does no harm.
    static func add(_ key: MediaKey, to descriptor: Int32) {
        let known = keys(of: descriptor)
        guard !known.contains(key) else { return }
        set(known + [key], of: descriptor)
    }

    static func set(_ keys: [MediaKey], of descriptor: Int32) {
        var text = keys.count == 1 ? keys[0].description : keys.map(\.description).joined(separator: "\n")
        guard text.utf8.count <= limit else { return }
        text.withUTF8 { _ = cfiles_set_attribute(descriptor, name, $0.baseAddress, $0.count) }
    }
}
