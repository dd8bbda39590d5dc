import Foundation
import Synchronization
import TestSupport

/// A gallery in a process of its own, started as people start it, over a source on this machine.
final class GalleryProcess {
    let process = Process()
    let port: UInt16
    /// The token of the link, or the one that programs send.
    let token: String
    /// Where downloads go.
    let downloads: TemporaryFolder
    /// What it has logged.
    private let errors = Pipe()
    private let output = Pipe()
    private let home: TemporaryFolder
    /// Answers as long as the gallery runs.
    private let source: PictureSource
    private let providers: TemporaryFolder
    private let log = LogText()

    /// Starts `imgscript gallery`, or `imgscript serve` with a token file; with the options and folders of another one.
    init(
        _ source: PictureSource, arguments: [String] = [], isServing: Bool = false,
        home: TemporaryFolder = TemporaryFolder(), sharing other: GalleryProcess? = nil,
        environment: [String: String] = [:]
    ) throws {
        providers = other?.providers ?? TemporaryFolder()
        downloads = other?.downloads ?? TemporaryFolder()
        self.home = home
        self.source = source
        try source.write(to: providers.path)
        let known = "0123456789abcdef0123456789abcdef"
        try "\(known)\n".write(toFile: "\(home.path)/token", atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: BuiltExecutable.path(of: "imgscript"))
        process.arguments =
            (isServing
                ? ["serve", "--listen", "127.0.0.1:0", "--token-file", "\(home.path)/token"]
                : ["gallery", "--no-open"] + (arguments.contains("--port") ? [] : ["--port", "0"]))
            + ["-p", "pictures", "--providers-folder", providers.path, "--allow-host", "127.0.0.1:\(source.port)"]
            + ["-d", downloads.path] + arguments
        process.environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "IMGSCRIPT_WORKER": BuiltWorker.path,
        ].merging(environment) { $1 }
        process.currentDirectoryURL = URL(filePath: home.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Where it listens stands on the first line: of the output for people, of the log for programs.
        let first = Self.firstLine(of: isServing ? errors : output)
        guard let match = first.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/(?:\?token=([0-9a-f]+))?/),
            let port = UInt16(match.1)
        else {
            process.terminate()
            let rest = try errors.fileHandleForReading.readToEnd() ?? Data()
            throw GalleryProcessError(text: "\(first)\n\(String(decoding: rest, as: UTF8.self))")
        }
        self.port = port
        // With the same options as one that runs, it has printed a link and ended.
        if other?.process.isRunning == true { process.waitUntilExit() }
        token = match.2.map(String.init) ?? known
        errors.fileHandleForReading.readabilityHandler = { [log] handle in
            log.add(String(decoding: handle.availableData, as: UTF8.self))
        }
    }

    // A test that fails on its way leaves no process behind.
    deinit {
        errors.fileHandleForReading.readabilityHandler = nil
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// What stands in the log so far.
    var logText: String { log.text.withLock(\.self) }

    /// The session's cookie, had by the link.
    func enter() throws -> String {
        let reply = try HTTPClient(port: port).send("GET", "/?token=\(token)")
        guard reply.status == 303, let cookie = reply.header("Set-Cookie")?.split(separator: ";").first else {
            throw GalleryProcessError(text: "\(reply.status) \(reply.text)")
        }
        return String(cookie)
    }

    /// Ends it as a supervisor does, and returns its exit code.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Its open descriptors.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd"))?.count ?? 0
    }

    /// The processes that it has started and that run.
    var childCount: Int {
        let tasks = "/proc/\(process.processIdentifier)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return names.reduce(0) { count, name in
            let text = (try? String(contentsOfFile: "\(tasks)/\(name)/children", encoding: .utf8)) ?? ""
            return count + text.split(separator: " ").count
        }
    }

    private static func firstLine(of pipe: Pipe) -> String {
        var data = Data()
        while true {
            let byte = pipe.fileHandleForReading.readData(ofLength: 1)
            guard let value = byte.first, value != 0x0a else { return String(decoding: data, as: UTF8.self) }
            data.append(value)
        }
    }
}

/// What a process has logged.
private final class LogText: Sendable {
    let text = Mutex("")

    func add(_ more: String) { text.withLock { $0 += more } }
}

struct GalleryProcessError: Error {
    let text: String
}
