import CFiles
import Glibc
import Synchronization

/// An unfinished file beside its target, locked for as long as it is worked on.
///
/// One that is claimed does without a name until it has its own, unless it is given one to be found again by another run:
/// nothing is left of it when the process ends.
package final class PartFile: Sendable, FileContent {
    private enum Place {
        case nothing
        case named(Opened)
        case nameless(Int32)
    }

    fileprivate struct Opened {
        let descriptor: Int32
        let length: Int
    }

    let folder: OpenFolder
    private let claim: FileClaim?
    private let makeName: @Sendable () -> String
    private let place: Mutex<Place>

    /// Opens or makes the file and takes its lock; throws `.busy` when another process has it.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        self.folder = folder
        claim = nil
        makeName = { name }
        place = Mutex(.named(try Opened(name, in: folder)))
    }

    /// A file that is made when something is to be written; nobody else has it meanwhile.
    init(under claim: FileClaim, name: @escaping @Sendable () -> String) {
        self.claim = claim
        folder = claim.folder
        makeName = name
        place = Mutex(.nothing)
    }

    deinit {
        let descriptor = descriptor
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The name that it has or would have.
    var name: String { makeName() }

    /// The open file; -1 where there is none.
    var descriptor: Int32 {
        place.withLock { place in
            switch place {
            case .nothing: -1
            case .named(let opened): opened.descriptor
            case .nameless(let descriptor): descriptor
            }
        }
    }

    /// Its length when it was opened.
    var lengthAtOpening: Int {
        place.withLock { if case .named(let opened) = $0 { opened.length } else { 0 } }
    }

    /// Makes the file with its name where there is none, and takes its lock; throws `.busy` when another process has it.
    func make() throws(DownloadError) {
        try place.withLock { (place) throws(DownloadError) in
            if case .named = place { return }
            let opened = try Opened(name, in: folder)
            if case .nameless(let descriptor) = place { Glibc.close(descriptor) }
            place = .named(opened)
        }
    }

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
        let descriptor = descriptor
        guard descriptor >= 0 else { return 0 }
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

    /// Writes the whole content of a file; one that is not made yet gets no name before its own.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
        try place.withLock { (place) throws(DownloadError) in
            guard case .nothing = place else { return }
            let descriptor = cfiles_open_nameless(folder.descriptor)
            place = descriptor >= 0 ? .nameless(descriptor) : .named(try Opened(name, in: folder))
        }
        try write(bytes, at: 0)
    }

    /// Writes all the bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DownloadError) {
        let descriptor = descriptor
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
        let descriptor = descriptor
        guard descriptor >= 0 else { return }
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw folder.failure(errno, "cut", path) }
    }

    /// Marks the file with what it is, so that it is known again without an archive; not every file system can.
    func mark(with key: MediaKey) {
        // One without content was never written; why it cannot be made is told when it gets its name.
        try? makeWhereMissing()
        FileMark.set([key], of: descriptor)
    }

    private func makeWhereMissing() throws(DownloadError) {
        if descriptor < 0 { try make() }
    }

    /// Becomes another name of a file that is there; false where the file system has no such thing.
    func becomeLink(to original: Int32) -> Bool {
        let name = name
        let link = name + "~"
        guard cfiles_link(original, folder.descriptor, link) == 0 else { return false }
        // Both names lead to what is wanted, so that a crash in between leaves a file that is found again.
        guard renameat(folder.descriptor, link, folder.descriptor, name) == 0 else {
            unlinkat(folder.descriptor, link, 0)
            return false
        }
        if let key = FileMark.keys(of: descriptor).first { FileMark.add(key, to: original) }
        place.withLock { place in
            if case .nameless(let descriptor) = place { place = .named(Opened(descriptor: descriptor, length: 0)) }
        }
        return true
    }

    /// Gives the file its name; false when that is taken.
    func rename(to newName: String, in target: OpenFolder) throws(DownloadError) -> Bool {
        try makeWhereMissing()
        var code = give(newName, in: target)
        if code != 0, code != EEXIST, isNameless {
            try takeName()
            code = give(newName, in: target)
        }
        if code == EEXIST { return false }
        guard code == 0 else { throw folder.failure(code, "renamed", path) }
        return true
    }

    private var isNameless: Bool { place.withLock { if case .nameless = $0 { true } else { false } } }

    /// The error's number; 0 where it worked.
    private func give(_ newName: String, in target: OpenFolder) -> Int32 {
        let isGiven =
            isNameless
            ? cfiles_link(descriptor, target.descriptor, newName)
            : cfiles_rename_without_replacing(folder.descriptor, name, target.descriptor, newName)
        return isGiven == 0 ? 0 : errno
    }

    /// Writes a file without a name anew with one: some systems let nobody give it one later.
    func takeName() throws(DownloadError) {
        let (content, keys) = (try bytes(at: 0, count: count), FileMark.keys(of: descriptor))
        try make()
        try content.withUnsafeBufferPointer { (content) throws(DownloadError) in
            try write(UnsafeRawBufferPointer(content), at: 0)
        }
        FileMark.set(keys, of: descriptor)
    }

    /// Removes the file, which is of no use.
    func remove() {
        let hasName = place.withLock { if case .named = $0 { true } else { false } }
        if hasName { _ = unlinkat(folder.descriptor, name, 0) }
    }
}

extension PartFile.Opened {
    /// Opens or makes a file and takes its lock; throws `.busy` when another process has it.
    fileprivate init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
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
            self.init(descriptor: descriptor, length: Int(status.st_size))
            return
        }
    }
}
