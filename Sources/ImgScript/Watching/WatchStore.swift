import FoundationEssentials
import Glibc
import ProviderModel
import ProviderRuntime

/// Why a watch cannot be used.
public struct WatchError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Hashable, Sendable {
        /// There is no watch of the name.
        case notFound
        /// There is one already.
        case exists
        /// Another process is running it.
        case busy
        /// Its file cannot be read or written.
        case file
        /// Images could not be announced.
        case webhook
    }

    /// The kind.
    public let code: Code
    /// What was found, and what was expected.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// The watches of a user: a JSON file for each, replaced in one step.
public struct WatchStore: Sendable {
    /// The folder of the files.
    public let folder: String

    /// Creates a store.
    ///
    /// - Parameter settings: an engine's configuration, whose ``ImageEngine/Configuration/configurationFolder`` has the files.
    public init(_ settings: ImageEngine.Configuration) { folder = "\(settings.configurationFolder)/watches" }

    /// The names of all watches.
    public var names: [String] {
        // A folder that is not there has none.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.filter(Watch.isName).sorted()
    }

    /// Reads a watch.
    ///
    /// - Parameter name: its name.
    /// - Returns: the watch.
    /// - Throws: ``WatchError`` with the code `notFound` or `file`.
    public func watch(named name: String) throws(WatchError) -> Watch {
        try checkName(name)
        let descriptor = OwnFile.open(path(name), O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, let bytes = descriptor.readToEnd(limit: 1 << 22) else { throw system(name, "read") }
        // What is wrong with it in particular helps nobody.
        guard let watch = try? JSONDecoder().decode(Watch.self, from: Data(bytes)), watch.name == name,
            JSONValue.found(in: bytes)?.hasRightChecksum(for: name) == true
        else {
            throw WatchError(.file, "\(path(name)) is damaged (expected a watch as this program writes it)")
        }
        return watch
    }

    private func checkName(_ name: String) throws(WatchError) {
        guard !Watch.isName(name) || access(path(name), F_OK) != 0 else { return }
        let known = names
        let hint =
            known.isEmpty
            ? ": there are no watches" : name.suggestion(among: known, expected: known.joined(separator: ", "))
        throw WatchError(.notFound, "unknown watch \(name.quoted)\(hint)")
    }

    /// Stores a watch.
    ///
    /// - Parameters:
    ///   - watch: the watch.
    ///   - isNew: whether one of its name is an error.
    /// - Throws: ``WatchError`` with the code `exists` or `file`.
    public func save(_ watch: Watch, isNew: Bool = false) throws(WatchError) {
        try makeFolder()
        let bytes = Array("\(Self.json(watch, of: watch.name).pretty)\n".utf8)
        let code = AtomicFile.write(bytes, to: path(watch.name), mode: 0o600, replacing: !isNew)
        if code == EEXIST { throw WatchError(.exists, "there is a watch \(watch.name.quoted) already") }
        guard code == 0 else { throw system(watch.name, "write", code) }
    }

    /// Removes a watch and its history; what it has downloaded stays.
    ///
    /// - Parameter name: its name.
    /// - Throws: ``WatchError`` with the code `notFound`, `busy` or `file`.
    public func remove(_ name: String) throws(WatchError) {
        try checkName(name)
        let lock = try lock(name)
        defer { lock.release() }
        guard unlink(path(name)) == 0 else { throw system(name, "remove") }
        unlink(announcements(name))
        unlink(lockPath(name))
    }

    /// Locks a watch, so that one process at a time runs it.
    ///
    /// - Parameter name: its name.
    /// - Returns: the lock, which ends with the process at the latest.
    /// - Throws: ``WatchError`` with the code `busy` while another process has it, or `file`.
    public func lock(_ name: String) throws(WatchError) -> WatchLock {
        try makeFolder()
        while true {
            let descriptor = OwnFile.open(lockPath(name), O_RDWR | O_CREAT)
            guard descriptor >= 0 else { throw system(name, "lock") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                if reason == EWOULDBLOCK { throw WatchError(.busy, "\(name) is being run by another process") }
                throw system(name, "lock", reason)
            }
            var (held, named) = (stat(), stat())
            // A watch that was removed meanwhile took its lock's file with it.
            if fstat(descriptor, &held) == 0, stat(lockPath(name), &named) == 0, held.st_ino == named.st_ino {
                return WatchLock(descriptor: descriptor)
            }
            close(descriptor)
        }
    }

    // MARK: Announcements

    /// Notes a new image that is to be announced, so that it is even where the process is killed.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - name: the watch's name.
    /// - Throws: ``WatchError`` with the code `file`.
    public func note(_ image: WatchAnnouncement.Image, of name: String) throws(WatchError) {
        let descriptor = OwnFile.open(announcements(name), O_WRONLY | O_CREAT | O_APPEND)
        defer { close(descriptor) }
        let line = Array(Self.json(image, of: name).compact.utf8)
        // The line break first: a line that a kill cut off ends there.
        guard descriptor >= 0, descriptor.writeAll([0x0a] + line) else { throw system(name, "write") }
    }

    /// The images that have not been announced.
    ///
    /// - Parameter name: the watch's name.
    /// - Returns: the images, the oldest first, and how many notes are damaged.
    public func unannounced(of name: String) -> (images: [WatchAnnouncement.Image], damaged: Int) {
        let descriptor = OwnFile.open(announcements(name), O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, let bytes = descriptor.readToEnd() else { return ([], 0) }
        // What a kill cut off has no end; the next run finds the image, and notes it then.
        let lines = bytes.split(separator: 0x0a).filter { $0.last == UInt8(ascii: "}") }
        let images: [WatchAnnouncement.Image] = lines.compactMap { line in
            guard JSONValue.found(in: line)?.hasRightChecksum(for: name) == true else { return nil }
            return try? JSONDecoder().decode(WatchAnnouncement.Image.self, from: Data(line))
        }
        return (images, lines.count - images.count)
    }

    /// Forgets the images that have been announced.
    ///
    /// - Parameter name: the watch's name.
    public func forgetAnnounced(of name: String) { unlink(announcements(name)) }

    // MARK: Files

    /// A value with its checksum.
    private static func json(_ value: some Encodable, of name: String) -> JSONValue {
        // Texts and numbers can always be written.
        let data = (try? JSONEncoder().encode(value)) ?? Data()
        return (JSONValue.found(in: data) ?? .null).withChecksum(for: name)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name).json" }
    private func lockPath(_ name: String) -> String { "\(folder)/\(name).lock" }
    private func announcements(_ name: String) -> String { "\(folder)/\(name).new" }

    private func makeFolder() throws(WatchError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw WatchError(.file, "could not create \(folder): \(error.systemReason)") }
    }

    private func system(_ name: String, _ action: String, _ code: Int32 = errno) -> WatchError {
        WatchError(.file, "could not \(action) \(path(name)): \(String(cString: strerror(code)))")
    }
}

/// The right to run a watch, which one process has at a time.
public struct WatchLock: Sendable {
    let descriptor: Int32

    /// Lets other processes have it.
    public func release() { close(descriptor) }
}
