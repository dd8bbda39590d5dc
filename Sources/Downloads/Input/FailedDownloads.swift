import CSystemCalls
import Glibc
import ProviderModel
import Synchronization

/// The inputs that failed, line by line in a file beside the archive, to be retried.
final class FailedDownloads: Sendable {
    private static let name = "failed.jsonl"
    /// What is being tried again: kept until that has come to its end.
    private static let retriedName = "failed.retrying.jsonl"

    private enum Output {
        case closed
        case open(Int32)
        case refused
    }

    private let folder: String
    private let warning: @Sendable (String) -> Void
    private let output = Mutex(Output.closed)

    /// The failures of a folder of downloads; `warning` is called once when they cannot be noted.
    init(folder: String, warning: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.warning = warning
    }

    deinit { output.withLock { if case .open(let descriptor) = $0 { close(descriptor) } } }

    /// Notes one that failed; what cannot be noted is reported as failed all the same.
    func note(_ subject: DownloadInput.Subject) {
        guard let line = subject.line else { return }
        let bytes = Array((line + "\n").utf8)
        output.withLock { output in
            if case .closed = output {
                do throws(DownloadError) {
                    output = .open(try open(Self.name, O_WRONLY | O_CREAT | O_APPEND))
                } catch {
                    output = .refused
                    warning("failed downloads are not recorded for a retry: \(error)")
                }
            }
            // One call, so that the lines of two processes do not mix.
            if case .open(let descriptor) = output { _ = write(descriptor, bytes, bytes.count) }
        }
    }

    /// The inputs that failed, left where they are; nil for none.
    func list() throws(DownloadError) -> DownloadInputList? {
        for name in [Self.retriedName, Self.name] { if let list = try list(name) { return list } }
        return nil
    }

    /// The inputs to try again, nil for none; those that fail once more are noted anew.
    func takeAll() throws(DownloadError) -> DownloadInputList? {
        guard access(path(Self.name), F_OK) == 0 || access(path(Self.retriedName), F_OK) == 0 else { return nil }
        let own = try ownFolder()
        // A retry that was killed has left its list; what came since stands in another.
        if own.has(Self.retriedName) {
            try appendNew(in: own)
        } else {
            renameat(own.descriptor, Self.name, own.descriptor, Self.retriedName)
        }
        return try list(Self.retriedName)
    }

    /// Says that all has been tried again.
    func finishRetry() { unlink(path(Self.retriedName)) }

    private func path(_ name: String) -> String { "\(folder)/\(DownloadFolder.ownName)/\(name)" }

    private func ownFolder() throws(DownloadError) -> OpenFolder {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DownloadError(errno: errno, "open", folder) }
        return try OpenFolder(descriptor: descriptor, path: folder).folder(named: DownloadFolder.ownName)
    }

    private func open(_ name: String, _ flags: Int32) throws(DownloadError) -> Int32 {
        let own = try ownFolder()
        let descriptor = open_below(own.descriptor, name, flags, 0o666)
        guard descriptor >= 0 else { throw own.failure(errno, "open", path(name)) }
        return descriptor
    }

    private func list(_ name: String) throws(DownloadError) -> DownloadInputList? {
        if let refusal = OwnFile.linkRefusal(path(name)) { throw DownloadError(.file, refusal) }
        return access(path(name), F_OK) == 0 ? DownloadInputList(path: path(name)) : nil
    }

    private func appendNew(in own: OpenFolder) throws(DownloadError) {
        guard own.has(Self.name) else { return }
        let input = try open(Self.name, O_RDONLY)
        defer { close(input) }
        let output = try open(Self.retriedName, O_WRONLY | O_APPEND)
        defer { close(output) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(input, &chunk, chunk.count), count > 0 {
            guard write(output, chunk, count) == count else {
                throw DownloadError(errno: errno, "write", path(Self.retriedName))
            }
        }
        unlinkat(own.descriptor, Self.name, 0)
    }
}
