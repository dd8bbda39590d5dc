import FoundationEssentials
import Glibc
import ProviderModel
import Synchronization

/// States of crawls as files in a folder, one for each crawl.
///
/// A run's first state is written beside the file and put in its place by a rename; of those after it only what changed
/// is added, a line each, which costs a thousandth of a rename. So a process killed at any moment leaves the state before
/// or the state after. Nothing is forced to the disk at each page: after a power cut the last pages may be missing, or the
/// file may be damaged, which the next run says.
public final class ResumeFile: ResumeStore {
    /// What files are written in; one of another version is left alone.
    static let version = 1
    /// The largest file that is read: hundreds of providers.
    private static let sizeLimit = 64 << 20

    private struct Stored: Decodable {
        let crawl: ResumeKey
        let providers: [String: ResumeProgress]
    }

    private struct Step: Decodable {
        let providers: [String: ResumeProgress]
    }

    private struct Envelope: Decodable {
        let version: Int
    }

    private let folder: String
    /// The file that this process wrote last, to be added to.
    private let journal = Mutex<ResumeJournal?>(nil)

    /// The crawls in a folder, which is made when something is saved.
    public init(folder: String) { self.folder = folder }

    /// Where a crawl is stored.
    public func path(of key: ResumeKey) -> String { "\(folder)/\(key.name).json" }

    /// The state of a crawl, nil when there is none; a damaged file is put aside as `….damaged`.
    public func load(_ key: ResumeKey) throws(ResumeError) -> CrawlState? {
        let path = path(of: key)
        guard let data = try read(path) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = JSONDecoder()
        guard let envelope = try? decoder.decode(Envelope.self, from: lines[0]) else {  // the reason is told below
            throw putAside(path, found: "is no stored crawl")
        }
        guard envelope.version == Self.version else {
            throw ResumeError(
                .foreign,
                "\(path) is of version \(envelope.version), expected \(Self.version): it was written by "
                    + "another imgscript; remove it to start from the beginning")
        }
        let stored: Stored
        do { stored = try decoder.decode(Stored.self, from: lines[0]) } catch {
            throw putAside(path, found: "is damaged")
        }
        guard stored.crawl == key else {
            throw ResumeError(
                .foreign,
                "\(path) belongs to another crawl (\(stored.crawl.listing) \(stored.crawl.text.quoted)); "
                    + "move it away to start from the beginning")
        }
        guard stored.providers.values.allSatisfy({ $0.isUsable(by: decoder) }) else {
            throw putAside(path, found: "has a place that no listing has")
        }
        return CrawlState(providers: Self.followed(stored.providers, lines.dropFirst(), by: decoder))
    }

    /// The providers' places after the lines that were added, up to one that was not written to its end.
    private static func followed(
        _ providers: [String: ResumeProgress], _ lines: ArraySlice<Data>, by decoder: JSONDecoder
    ) -> [String: ResumeProgress] {
        var providers = providers
        for line in lines {
            // From an earlier place nothing is lost: what came after it comes again.
            guard let step = try? decoder.decode(Step.self, from: line),
                step.providers.values.allSatisfy({ $0.isUsable(by: decoder) })
            else { break }
            providers.merge(step.providers) { $1 }
        }
        return providers
    }

    /// Keeps the state of a crawl in place of the one before.
    public func save(_ state: CrawlState, for key: ResumeKey) throws(ResumeError) {
        let path = path(of: key)
        let result: Result<Void, ResumeError> = journal.withLock { journal in
            if journal?.add(state, for: path) == true { return .success(()) }
            journal = nil
            do throws(ResumeError) { journal = try begin(path, of: key, with: state) } catch { return .failure(error) }
            return .success(())
        }
        try result.get()
    }

    /// Puts a file with nothing but this state in the place of the one before.
    private func begin(_ path: String, of key: ResumeKey, with state: CrawlState) throws(ResumeError) -> ResumeJournal {
        var json = JSONWriter()
        json.object { json in
            json.name("version")
            json.value(Self.version)
            json.name("crawl")
            key.write(to: &json)
            json.name("providers")
            state.write(to: &json)
        }
        return ResumeJournal(try write(json.bytes + [UInt8(ascii: "\n")], to: path), at: path, with: state)
    }

    private func putAside(_ path: String, found: String) -> ResumeError {
        let aside = "\(path).damaged"
        guard rename(path, aside) == 0 else {
            return ResumeError(
                .damaged, "\(path) \(found) and cannot be put aside: \(reason()); remove it to start anew")
        }
        return ResumeError(
            .damaged, "\(path) \(found); it was put aside as \(aside), and the next run starts from the beginning")
    }

    private func reason() -> String { String(cString: strerror(errno)) }
}

// MARK: Files

extension ResumeFile {
    private func read(_ path: String) throws(ResumeError) -> Data? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw ResumeError(.storage, "\(path) cannot be read: \(reason())")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
            throw ResumeError(.foreign, "\(path) is no stored crawl; move it away to start from the beginning")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ResumeError(.storage, "\(path) cannot be read: \(reason())") }
            guard count > 0 else { break }
            filled += count
        }
        return Data(bytes.prefix(filled))
    }

    private func write(_ bytes: [UInt8], to path: String) throws(ResumeError) -> OpenFile {
        let new = "\(path).\(getpid()).new"
        var file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if file < 0, errno == ENOENT {
            try makeFolders()
            file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw ResumeError(.storage, "\(new) cannot be written: \(reason())") }
        let open = OpenFile(descriptor: file)
        guard open.write(bytes), rename(new, path) == 0 else {
            let failure = reason()
            unlink(new)
            throw ResumeError(.storage, "\(path) cannot be written: \(failure)")
        }
        return open
    }

    /// Makes the folder and those around it.
    private func makeFolders() throws(ResumeError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += (path.isEmpty || path.hasSuffix("/") ? "" : "/") + part
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            let reason = self.reason()
            // Folders above may be closed to writing and still be there: only what is missing matters.
            guard access(path, F_OK) != 0 else { continue }
            throw ResumeError(.storage, "\(path) cannot be made: \(reason)")
        }
    }
}
