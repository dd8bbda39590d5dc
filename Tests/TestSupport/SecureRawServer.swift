import Glibc

/// The server's end of TLS connections, one after another, whose bytes a test reads and writes itself.
///
/// The encryption is that of `openssl s_server`; the script runs on a thread of its own and ends with the program.
package final class SecureRawServer: Sendable {
    /// What a script talks through.
    package struct Connection: Sendable {
        fileprivate let process: HelperProcess

        /// The next bytes from the client; none when the program is gone.
        package func receive() -> [UInt8] { process.nextBytes() }

        /// Sends bytes.
        package func send(_ bytes: [UInt8]) { _ = process.write(bytes) }

        /// Ends the connection without a word of farewell (`close_notify`).
        package func crash() { process.crash() }
    }

    /// The port the system chose.
    package let port: UInt16
    private let process: HelperProcess
    private let thread: TestThread

    /// Starts a server with a certificate; `protocols` are what it says in the handshake (ALPN), such as `h2`.
    package init(
        certificate: String, key: String, protocols: String? = nil, script: @escaping @Sendable (Connection) -> Void
    ) throws {
        guard let program = HelperProcess.path(of: "openssl") else { throw LoopbackError(message: "no openssl") }
        // A script may still be writing when the program has crashed.
        signal(SIGPIPE, SIG_IGN)
        let words = ["s_server", "-quiet", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
        let process = try HelperProcess(program, words + (protocols.map { ["-alpn", $0] } ?? []))
        self.process = process
        port = try Self.port(of: process)
        thread = TestThread { script(Connection(process: process)) }
    }

    deinit {
        process.crash()
        thread.join()
    }

    /// The program says nothing when it begins to listen.
    private static func port(of process: HelperProcess) throws -> UInt16 {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            do { return try process.listeningPort() } catch {
                guard ContinuousClock.now < deadline else { throw error }
                sched_yield()
            }
        }
    }
}
