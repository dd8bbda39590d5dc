import Glibc
import ProviderModel

/// The folder of a cache: its database, its key, and a file for each large body.
struct CacheFiles: Sendable {
    /// The folder.
    let folder: String

    /// Bodies up to this number of bytes are stored in the database.
    static let inlineLimit = 64 << 10
    private static let unfinished = ".part"

    /// Where the database is.
    var database: String { folder + "/cache.sqlite" }
    private var bodies: String { folder + "/bodies" }

    /// Where a body is.
    func path(of file: String) -> String { "\(bodies)/\(file)" }

    /// Where a body is while it is being written.
    func unfinishedPath(of file: String) -> String { path(of: file) + Self.unfinished }

    /// Makes the folder for bodies; false when that is not possible.
    func prepareBodies() -> Bool { bodiesRefusal == nil && (mkdir(bodies, 0o700) == 0 || errno == EEXIST) }

    /// What is wrong with the folder for bodies; nil when it is a folder, or can be one.
    var bodiesRefusal: String? { OwnFile.linkRefusal(bodies, expected: "a folder") }

    /// What is wrong with the file of the key; nil when it is a file, or can be one.
    var keyRefusal: String? { OwnFile.linkRefusal(keyPath) }

    private var keyPath: String { folder + "/cache.key" }

    /// A name that no body has had.
    static func newName() -> String { (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimal }

    /// Removes bodies; a file that does not exist is no error.
    func remove(_ files: [String]) {
        for file in files { _ = unlink(path(of: file)) }
    }

    /// The names of all finished bodies.
    func finishedBodies() -> [String] { names().filter { !$0.hasSuffix(Self.unfinished) } }

    /// Removes what programs that have ended left unfinished, and returns how many; one that still writes holds a lock.
    func removeAbandoned() -> Int {
        var count = 0
        for name in names() where name.hasSuffix(Self.unfinished) {
            let descriptor = open("\(bodies)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unlink("\(bodies)/\(name)") == 0 { count += 1 }
        }
        return count
    }

    /// The key of this cache's hashes, made the first time; nil when it can be neither read nor written.
    func key() -> [UInt8]? {
        let path = keyPath
        guard keyRefusal == nil else { return nil }
        if let key = Self.readKey(path) { return key }
        let fresh = (0..<KeyedHash.keyLength).map { _ in UInt8.random(in: 0...255) }
        let draft = "\(path).\(Self.newName())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        let isWritten = write(descriptor, fresh, fresh.count) == fresh.count
        close(descriptor)
        defer { _ = unlink(draft) }
        guard isWritten else { return nil }
        // Only one of several processes gets to give the key its name; a file that is no key is replaced.
        if link(draft, path) != 0, Self.readKey(path) == nil { _ = rename(draft, path) }
        return Self.readKey(path)
    }

    private static func readKey(_ path: String) -> [UInt8]? {
        let descriptor = OwnFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var key = [UInt8](repeating: 0, count: KeyedHash.keyLength + 1)
        let count = read(descriptor, &key, key.count)
        return count == KeyedHash.keyLength ? Array(key.prefix(count)) : nil
    }

    private func names() -> [String] {
        let descriptor = OwnFile.open(bodies, O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0, let stream = fdopendir(descriptor) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
