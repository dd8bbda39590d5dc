import Foundation
import TestSupport

/// A run of the built `imgscript` that a test talks to while it goes on.
final class RunningCommand {
    let process = Process()
    private let output = Pipe()
    private let home: TemporaryFolder
    private var pending = Data()

    /// Starts the command, in a home of its own unless another is given; errors go to a file in it.
    init(_ arguments: [String], home: TemporaryFolder = TemporaryFolder()) throws {
        self.home = home
        try Data().write(to: URL(filePath: errorPath))
        process.executableURL = URL(filePath: BuiltExecutable.path(of: "imgscript"))
        process.arguments = arguments
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errorPath))
        try process.run()
    }

    // A test that fails on its way leaves no process behind.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits for the next line of output; nil at its end.
    func nextLine() -> String? {
        while true {
            if let newline = pending.firstIndex(of: 0x0a) {
                let line = String(decoding: pending[..<newline], as: UTF8.self)
                pending = Data(pending[(newline + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            pending.append(more)
        }
    }

    /// What was said so far beside the output.
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    private var errorPath: String { home.path + "/errors" }

    /// Closes the reading end, as `head` does.
    func stopReading() throws { try output.fileHandleForReading.close() }

    /// Waits for the end; the exit code, or 128 and the number of the signal, as shells have it.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Ids of the processes this one has started.
    var children: [String] { threads("children").flatMap { $0.split(separator: " ").map(String.init) } }

    /// What `/proc` has in a file of this name for each thread.
    private func threads(_ file: String) -> [String] {
        let path = "/proc/\(process.processIdentifier)/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return tasks.compactMap { try? String(contentsOfFile: "\(path)/\($0)/\(file)", encoding: .utf8) }
    }
}
