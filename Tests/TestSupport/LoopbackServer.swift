import Glibc
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 that answers by a closure, and can misbehave in every way a test needs.
///
/// Its threads end with `close()`, or with the last reference.
package final class LoopbackServer: Sendable {
    /// The port the system chose.
    package let port: UInt16
    private let state: LoopbackState
    private let acceptor: TestThread

    /// Starts a server.
    package init(_ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) throws {
        let listener = try ListeningSocket()
        port = listener.port
        let state = LoopbackState(listener: listener.descriptor, reply: reply)
        self.state = state
        acceptor = TestThread { state.acceptConnections() }
    }

    deinit { close() }

    /// `http://127.0.0.1:PORT`.
    package var origin: String { "http://127.0.0.1:\(port)" }

    /// The requests seen so far.
    package var requests: [LoopbackRequest] { state.requests }

    /// How many connections were opened.
    package var connectionCount: Int { state.connectionCount }

    /// Ends every connection and thread.
    package func close() {
        guard state.beginClosing() else { return }
        acceptor.join()
        state.joinConnections()
    }
}

/// Why a test server did not start.
package struct LoopbackError: Error {
    let message: String
}

/// A socket bound to a free port of 127.0.0.1.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard descriptor >= 0, isListening else { throw LoopbackError(message: "no listening socket: errno \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
    }
}
