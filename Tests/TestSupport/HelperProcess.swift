import Foundation
import Glibc

/// A program of the system that a test talks to, ended with the last reference.
package final class HelperProcess: Sendable {
    private let id: pid_t
    /// The program's input, which stays open: `openssl s_server` ends with it.
    private let input: Int32
    private let output: Int32

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
        var status = siginfo_t()
        // The process stays to be waited for, so that `deinit` ends no other process.
        while waitid(P_PID, id_t(helper.id), &status, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return status.si_code == CLD_EXITED && status._sifields._sigchld.si_status == 0
    }

    /// The same on a thread of its own: no more tasks run than there are processors, and this one only waits.
    package static func runOnThread(_ program: String, _ arguments: [String]) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try run(program, arguments) }) }
        }
    }

    /// Starts a program in the background, and waits until it has said a word.
    package init(_ program: String, _ arguments: [String], until word: String? = nil) throws {
        let (inside, input) = try Self.makePipe()
        let (output, outside) = try Self.makePipe()
        defer { for descriptor in [inside, outside] { Glibc.close(descriptor) } }
        self.input = input
        self.output = output
        id = try Self.spawn(program, arguments, input: inside, output: outside)
        guard let word else { return }
        var said = ""
        while !said.contains(word) {
            let chunk = nextOutput()
            guard !chunk.isEmpty else { throw LoopbackError(message: "\(program) ended without saying \"\(word)\"") }
            said += chunk
        }
    }

    deinit {
        kill(id, SIGKILL)
        while waitpid(id, nil, 0) < 0, errno == EINTR {}
        for descriptor in [input, output] { Glibc.close(descriptor) }
    }

    /// The port the program listens on, as the kernel knows it.
    package func listeningPort() throws -> UInt16 {
        let folder = "/proc/\(id)"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap { name in
            // A descriptor that was closed meanwhile is no listening socket.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(name)")
        }
        for line in Self.text(of: folder + "/net/tcp").split(separator: "\n") {
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == "0A", sockets.contains("socket:[\(columns[9])]"),
                let port = columns[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
            else { continue }
            return port
        }
        throw LoopbackError(message: "process \(id) listens on no IPv4 port")
    }

    /// Gives the program bytes to read; false when it has gone.
    package func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress! + written, bytes.count - written) }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// The bytes that the program has said since; none at its end.
    package func nextBytes() -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = read(output, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : []
    }

    /// Ends the program at once, as a crash does, without closing its connections.
    package func crash() { kill(id, SIGKILL) }

    /// A file of the kernel's, whose size is not known before its end; Foundation reads only the first piece.
    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the program has said since; empty at its end.
    private func nextOutput() -> String {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(output, &chunk, chunk.count)
        return count > 0 ? String(decoding: chunk[..<count], as: UTF8.self) : ""
    }

    /// The end to read from and the end to write to, which no other program inherits.
    private static func makePipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw LoopbackError(message: "no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ program: String, _ arguments: [String], input: Int32, output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The threads of Swift's pool block signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var id = pid_t()
        let code = posix_spawn(&id, program, &actions, &attributes, words, environ)
        guard code == 0 else { throw LoopbackError(message: "\(program) did not start: errno \(code)") }
        return id
    }
}
