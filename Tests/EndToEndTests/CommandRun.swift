import Foundation
import TestSupport

/// One run of the built `imgscript`, with a home of its own and nothing of the user's.
struct CommandRun {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a command to its end, in the repository's folder unless another is named.
    init(
        _ arguments: [String], in folder: String? = nil, input: String = "", environment: [String: String] = [:],
        of program: String = BuiltExecutable.path(of: "imgscript")
    ) throws {
        try self.init(program, arguments, folder: folder, input: input, environment: environment)
    }

    /// Runs a command line on a terminal of so many columns, without colours; what is said there is the output.
    init(
        onTerminalOf columns: Int, _ command: String, in folder: String? = nil,
        of program: String = BuiltExecutable.path(of: "imgscript")
    ) throws {
        let line = command.hasPrefix("imgscript ") ? "'\(program)'" + command.dropFirst("imgscript".count) : command
        try self.init(
            "/usr/bin/script", ["-qec", "stty cols \(columns); \(line)", "/dev/null"], folder: folder,
            environment: ["TERM": "dumb"])
    }

    /// Runs a command line in a shell, for what only a shell can take away or put in its place.
    init(shell command: String, environment: [String: String] = [:]) throws {
        let folder = URL(filePath: BuiltExecutable.path(of: "imgscript")).deletingLastPathComponent().path
        try self.init(
            "/bin/sh", ["-c", command],
            environment: ["PATH": "\(folder):/usr/bin:/bin"].merging(environment) { $1 })
    }

    private init(
        _ executable: String, _ arguments: [String], folder: String? = nil, input: String = "",
        environment: [String: String]
    ) throws {
        let home = TemporaryFolder()
        let errorFile = URL(filePath: home.path + "/errors")
        try Data().write(to: errorFile)
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = folder.map { URL(filePath: $0) } ?? Documentation.root
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
            .merging(environment) { $1 }
        let output = Pipe()
        let inputFile = URL(filePath: home.path + "/input")
        try Data(input.utf8).write(to: inputFile)
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        self.output = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
        errors = try String(contentsOf: errorFile, encoding: .utf8)
    }
}
