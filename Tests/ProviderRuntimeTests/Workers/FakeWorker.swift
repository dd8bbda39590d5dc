import Glibc
import ProviderRuntime
import TestSupport
import WorkerProtocol

/// A program that claims to be a worker and sends what it was told to.
final class FakeWorker: Sendable {
    private let temporary = TemporaryFolder()

    private var folder: String { temporary.path }

    /// Sends `bytes`, then does what `afterwards` says in shell words.
    init(sending bytes: [UInt8], then afterwards: String = "exec sleep 30", afterReading: Bool = true) {
        let ready = WorkerMessage.ready(WorkerStatus(sandbox: [])).frame
        Self.write(ready, to: folder + "/ready")
        Self.write(bytes, to: folder + "/bytes")
        // The environment is empty, so that tools have to be named in full.
        let wait = afterReading ? "/usr/bin/head -c 1 > /dev/null" : ":"
        let script =
            "#!/bin/sh\ncd \(folder)\n/bin/cat ready\n\(wait)\n/bin/cat bytes\nPATH=/usr/bin:/bin\n\(afterwards)\n"
        Self.write(Array(script.utf8), to: folder + "/worker")
        chmod(folder + "/worker", 0o700)
    }

    /// Bounds that name it as the worker, with a deadline that nothing passes which is said at once.
    var settings: WorkerSettings {
        var settings = WorkerSettings(executable: folder + "/worker")
        settings.deadline = .seconds(60)
        settings.replyBytes = 1 << 20
        return settings
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        // No process that is started meanwhile may hold the program open: it could not be run then.
        guard let file = fopen(path, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
