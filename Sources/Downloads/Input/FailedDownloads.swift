import Glibc
import ProviderModel
import Synchronization

/// The inputs that failed, line by line in a file beside the archive, to be retried.
final class FailedDownloads: Sendable {
    private let folder: String
    private let descriptor = Mutex<Int32>(-1)

    /// The failures of a folder of downloads.
    init(folder: String) { self.folder = "\(folder)/\(DownloadFolder.ownName)" }

    private var path: String { "\(folder)/failed.jsonl" }
    /// What is being tried again: kept until that has come to its end.
    private var retriedPath: String { "\(folder)/failed.retrying.jsonl" }

    deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }

    /// Notes one that failed; what cannot be noted is reported as failed all the same.
    func note(_ subject: DownloadInput.Subject) {
        guard let line = subject.line else { return }
        let bytes = Array((line + "\n").utf8)
        descriptor.withLock { descriptor in
            if descriptor < 0 {
                mkdir(folder, 0o777)
                descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
            }
            // One call, so that the lines of two processes do not mix.
            if descriptor >= 0 { _ = write(descriptor, bytes, bytes.count) }
        }
    }

    /// The inputs that failed, left where they are; nil for none.
    var list: DownloadInputList? {
        [retriedPath, path].first { (path: String) in access(path, F_OK) == 0 }.map { .init(path: $0) }
    }

    /// The inputs to try again, nil for none; those that fail once more are noted anew.
    func takeAll() throws -> DownloadInputList? {
        // A retry that was killed has left its list; what came since stands in another.
        if access(retriedPath, F_OK) == 0 { try append(path, to: retriedPath) } else { rename(path, retriedPath) }
        return access(retriedPath, F_OK) == 0 ? .init(path: retriedPath) : nil
    }

    /// Says that all has been tried again.
    func finishRetry() { unlink(retriedPath) }

    private func append(_ source: String, to target: String) throws {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { return }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { if output >= 0 { close(output) } }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(input, &chunk, chunk.count), count > 0 {
            guard output >= 0, write(output, chunk, count) == count else {
                throw DownloadError(errno: errno, "write", target)
            }
        }
        unlink(source)
    }
}
