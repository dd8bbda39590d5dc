import Dispatch
import FoundationEssentials
import Glibc
import ProviderModel

/// Runs a command for each finished file, several at a time.
package final class CommandStage: Sendable {
    private let command: FileCommand
    private let folder: String
    private let files = BatchChannel<FinishedFile>()

    /// How many files may wait until no more are fetched.
    private static let limit = 64
    /// How many commands run at a time.
    private static let concurrency = 4
    /// How long a command may take.
    private static let timeout = Duration.seconds(3_600)

    /// Runs a command for the files of a folder.
    init(_ command: FileCommand, folder: String) {
        self.command = command
        self.folder = folder
    }

    /// Whether so many files wait that no more should be fetched.
    var isFull: Bool { files.count >= Self.limit }

    /// Adds a finished file.
    func add(_ file: FinishedFile) { files.send(file) }

    /// Says that no more files are added.
    func close() { files.finish() }

    /// Runs the command for files as they come, until it is closed.
    func run(_ ended: @escaping @Sendable (FileCommandResult) -> Void) async {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            var hasMore = true
            while hasMore {
                hasMore = await files.wait()
                for file in files.takeAll() {
                    if running == Self.concurrency {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { ended(await self.run(for: file, environment)) }
                }
            }
        }
    }

    private func run(for file: FinishedFile, _ environment: [String]) async -> FileCommandResult {
        let request = file.planned.request
        let subject = ItemSubject(
            item: request.item, media: file.media, provider: request.source.provider, index: request.index
        )
        let words = command.arguments(for: subject, at: folder.path(to: file.path))
        return await command.run(words, for: file.path, environment, timeout: Self.timeout)
    }
}

extension FileCommand {
    /// Runs the command once for a folder.
    func run(in folder: String) async -> FileCommandResult {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        // A command of a folder names no field of an image, which the options have checked.
        let words = arguments(in: folder)
        return await run(words, for: folder, environment, timeout: .seconds(24 * 3_600))
    }

    fileprivate func run(
        _ words: [String], for path: String, _ environment: [String], timeout: Duration
    ) async -> FileCommandResult {
        let end = ContinuousClock.now + timeout
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: ChildProgram.run(words, environment: environment, until: end))
            }
        }
        let name = isForShell ? "the command" : words[0]
        switch result {
        case .output(let text): return FileCommandResult(path: path, output: text, failure: nil)
        case .failed(let ending, let errors):
            let line = errors.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
            return FileCommandResult(path: path, output: "", failure: "\(name) failed: \(ending)\(line)")
        case .notStarted(let code):
            let reason = code == ENOENT ? "no such program" : String(cString: strerror(code))
            return FileCommandResult(path: path, output: "", failure: "could not start \(name): \(reason)")
        case .timedOut:
            return FileCommandResult(
                path: path, output: "", failure: "\(name) timed out after \(timeout.components.seconds) s")
        }
    }
}
