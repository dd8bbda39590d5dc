import Glibc
import Synchronization

/// A server on 127.0.0.1 that does to each connection what a script says, byte by byte, and knows nothing of HTTP.
///
/// Its threads end with `close()`, or with the last reference.
package final class RawServer: Sendable {
    /// One thing the server does.
    package enum Step: Sendable {
        /// Reads a request up to the empty line after its header lines.
        case read
        /// Reads whatever comes first.
        case readSome
        /// Sends bytes.
        case send([UInt8])
        /// Sends the same bytes again and again until the client goes away.
        case sendForEver([UInt8])
        /// Waits until the test opens the gate.
        case wait(Gate)
        /// Notifies the test.
        case open(Gate)
        /// Does nothing until the client goes away or the server is closed.
        case stall
        /// Ends the connection with a reset instead of an orderly close.
        case reset
    }

    /// The port the system chose.
    package let port: UInt16
    private let state: RawServerState
    private let acceptor: TestThread

    /// Starts a server with a script for each connection, the last one for all further ones; at its end it closes.
    package init(_ scripts: [Step]...) throws {
        let listener = try ListeningSocket()
        port = listener.port
        let state = RawServerState(listener: listener.descriptor, scripts: scripts)
        self.state = state
        acceptor = TestThread { state.acceptConnections() }
    }

    deinit { close() }

    /// `127.0.0.1:PORT`.
    package var authority: String { "127.0.0.1:\(port)" }

    /// What each connection has sent so far, in the order they came.
    package var received: [String] { state.received.map { String(decoding: $0, as: UTF8.self) } }

    /// Ends every connection and thread.
    package func close() {
        guard state.beginClosing() else { return }
        acceptor.join()
        state.joinConnections()
    }
}

extension RawServer.Step {
    /// Sends a text.
    package static func text(_ text: String) -> Self { .send(Array(text.utf8)) }
}

/// What the threads of a `RawServer` share.
private final class RawServerState: Sendable {
    private struct Fields {
        var isClosing = false
        var open: Set<Int32> = []
        var gates: [Gate] = []
        var received: [[UInt8]] = []
    }

    private let listener: Int32
    private let scripts: [[RawServer.Step]]
    private let fields = Mutex(Fields())
    private let threads = TestThreads()

    init(listener: Int32, scripts: [[RawServer.Step]]) {
        self.listener = listener
        self.scripts = scripts
    }

    var received: [[UInt8]] { fields.withLock { $0.received } }

    /// False when closing has begun before.
    func beginClosing() -> Bool {
        fields.withLock { fields in
            guard !fields.isClosing else { return false }
            fields.isClosing = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in fields.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
            for gate in fields.gates { gate.open() }
            return true
        }
    }

    func joinConnections() {
        threads.join()
    }

    func acceptConnections() {
        defer { Glibc.close(listener) }
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let isWanted = fields.withLock { fields in
                guard !fields.isClosing else { return false }
                let index = fields.received.count
                fields.received.append([])
                fields.open.insert(descriptor)
                threads.run { [self] in serve(descriptor, index) }
                return true
            }
            if !isWanted { Glibc.close(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32, _ index: Int) {
        for step in scripts[min(index, scripts.count - 1)] {
            guard carryOut(step, on: descriptor, index) else { break }
        }
        fields.withLock { _ = $0.open.remove(descriptor) }
        Glibc.close(descriptor)
    }

    /// False when the connection is at its end.
    private func carryOut(_ step: RawServer.Step, on descriptor: Int32, _ index: Int) -> Bool {
        switch step {
        case .read: return readRequest(descriptor, index)
        case .readSome:
            var chunk = [UInt8](repeating: 0, count: 16_384)
            return recv(descriptor, &chunk, chunk.count, 0) > 0
        case .send(let bytes): return send(bytes, to: descriptor)
        case .sendForEver(let bytes):
            while send(bytes, to: descriptor) {}
            return false
        case .open(let gate): gate.open()
        case .stall:
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
            return false
        case .reset:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return false
        case .wait(let gate):
            let isClosing = fields.withLock { fields in
                fields.gates.append(gate)
                return fields.isClosing
            }
            if !isClosing { gate.wait() }
            return !isClosing
        }
        return true
    }

    private func readRequest(_ descriptor: Int32, _ index: Int) -> Bool {
        var request: [UInt8] = []
        var byte: UInt8 = 0
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return false }
            request.append(byte)
        }
        fields.withLock { $0.received[index] += request }
        return true
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
