import FoundationEssentials
import Glibc
import ProviderModel
import Synchronization

/// States of crawls as files in a folder, one for each crawl.
///
/// A file is written beside the old one and put in its place by a rename, so that a process killed at any moment leaves
/// the state before or the state after. It is not forced to the disk at each page: after a power cut the last pages may
/// be missing, or the file may be damaged, which the next run says.
public final class CrawlFile: CrawlStore {
    /// What files are written in; one of another version is left alone.
    static let version = 1
    /// The largest file that is read: hundreds of providers.
    private static let sizeLimit = 64 << 20

    private struct Stored: Decodable {
        let crawl: CrawlKey
        let providers: [String: CrawlProgress]
    }

    private struct Envelope: Decodable {
        let version: Int
    }

    private let folder: String
    /// What was written last of each provider: a page moves one of many.
    private let written = Mutex<[String: (progress: CrawlProgress, json: JSONText)]>([:])

    /// The crawls in a folder, which is made when something is saved.
    public init(folder: String) { self.folder = folder }

    /// Where a crawl is stored.
    public func path(of key: CrawlKey) -> String { "\(folder)/\(key.name).json" }

    /// The state of a crawl, nil when there is none; a damaged file is put aside as `….damaged`.
    public func load(_ key: CrawlKey) throws(CrawlError) -> CrawlState? {
        let path = path(of: key)
        guard let data = try read(path) else { return nil }
        let decoder = JSONDecoder()
        guard let envelope = try? decoder.decode(Envelope.self, from: data) else {  // the reason is told below
            throw putAside(path, found: "is no stored crawl")
        }
        guard envelope.version == Self.version else {
            throw CrawlError(
                .foreign,
                "\(path) is of version \(envelope.version), expected \(Self.version): it was written by "
                    + "another imgscript; remove it to start from the beginning")
        }
        let stored: Stored
        do { stored = try decoder.decode(Stored.self, from: data) } catch {
            throw putAside(path, found: "is damaged")
        }
        guard stored.crawl == key else {
            throw CrawlError(
                .foreign,
                "\(path) belongs to another crawl (\(stored.crawl.listing) \(stored.crawl.text.quoted)); "
                    + "move it away to start from the beginning")
        }
        guard stored.providers.values.allSatisfy({ $0.isValid && $0.hasValidCursor(by: decoder) }) else {
            throw putAside(path, found: "has a place that no listing has")
        }
        return CrawlState(providers: stored.providers)
    }

    /// Keeps the state of a crawl in place of the one before.
    public func save(_ state: CrawlState, for key: CrawlKey) throws(CrawlError) {
        var json = JSONWriter()
        json.object { json in
            json.name("version")
            json.value(Self.version)
            json.name("crawl")
            key.write(to: &json)
            json.name("providers")
            json.object { json in
                for (provider, progress) in state.providers.sorted(by: { $0.key < $1.key }) {
                    json.name(provider)
                    json.value(text(of: progress, provider))
                }
            }
        }
        try write(json.bytes, to: path(of: key))
    }

    private func text(of progress: CrawlProgress, _ provider: String) -> JSONText {
        written.withLock { written in
            if let last = written[provider], last.progress == progress { return last.json }
            let json = progress.json
            written[provider] = (progress, json)
            return json
        }
    }

    private func putAside(_ path: String, found: String) -> CrawlError {
        let aside = "\(path).damaged"
        guard rename(path, aside) == 0 else {
            return CrawlError(
                .damaged, "\(path) \(found) and cannot be put aside: \(reason()); remove it to start anew")
        }
        return CrawlError(
            .damaged, "\(path) \(found); it was put aside as \(aside), and the next run starts from the beginning")
    }

    private func reason() -> String { String(cString: strerror(errno)) }
}

// MARK: Files

extension CrawlFile {
    private func read(_ path: String) throws(CrawlError) -> Data? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw CrawlError(.storage, "\(path) cannot be read: \(reason())")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
            throw CrawlError(.foreign, "\(path) is no stored crawl; move it away to start from the beginning")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CrawlError(.storage, "\(path) cannot be read: \(reason())") }
            guard count > 0 else { break }
            filled += count
        }
        return Data(bytes.prefix(filled))
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CrawlError) {
        let new = "\(path).\(getpid()).new"
        var file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if file < 0, errno == ENOENT {
            makeFolders()
            file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw CrawlError(.storage, "\(new) cannot be written: \(reason())") }
        let isWritten = writeAll(bytes, to: file)
        let failure = reason()
        guard close(file) == 0, isWritten, rename(new, path) == 0 else {
            let failure = isWritten ? reason() : failure
            unlink(new)
            throw CrawlError(.storage, "\(path) cannot be written: \(failure)")
        }
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Makes the folder and those around it; what fails shows when a file is opened.
    private func makeFolders() {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += (path.isEmpty || path.hasSuffix("/") ? "" : "/") + part
            mkdir(path, 0o700)
        }
    }
}
