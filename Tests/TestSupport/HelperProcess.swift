import Foundation

/// A program of the system that a test talks to, ended with the last reference.
package final class HelperProcess: @unchecked Sendable {  // the process is started in `init` and ended in `deinit`, nothing else
    private let process = Process()
    private let output = Pipe()

    /// Where a program is; nil when it is not installed.
    package static func path(of program: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + program }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether a file is there to be read.
    package static func isReadable(_ path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }

    /// Runs a program to its end; false when it failed.
    package static func run(_ program: String, _ arguments: [String]) throws -> Bool {
        let helper = try HelperProcess(program, arguments)
        helper.process.waitUntilExit()
        return helper.process.terminationStatus == 0
    }

    /// Starts a program in the background, and waits until it has said a word.
    package init(_ program: String, _ arguments: [String], until word: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = Pipe()  // `openssl s_server` ends with its input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard let word else { return }
        var said = ""
        while !said.contains(word) {
            let chunk = output.fileHandleForReading.availableData
            guard !chunk.isEmpty else { throw LoopbackError(message: "\(program) ended without saying “\(word)”") }
            said += String(decoding: chunk, as: UTF8.self)
        }
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// The port the program listens on, as the kernel knows it.
    package func listeningPort() throws -> UInt16 {
        let folder = "/proc/\(process.processIdentifier)"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap { name in
            // A descriptor that was closed meanwhile is no listening socket.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(name)")
        }
        for line in try String(contentsOfFile: folder + "/net/tcp", encoding: .utf8).split(separator: "\n") {
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == "0A", sockets.contains("socket:[\(columns[9])]"),
                let port = columns[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
            else { continue }
            return port
        }
        throw LoopbackError(message: "process \(process.processIdentifier) listens on no IPv4 port")
    }
}
