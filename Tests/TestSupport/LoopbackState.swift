import Glibc
import Synchronization

/// What the threads of a `LoopbackServer` share.
final class LoopbackState: Sendable {
    private struct Fields {
        var isClosing = false
        var open: Set<Int32> = []
        var gates: [Gate] = []
        var requests: [LoopbackRequest] = []
        var connectionCount = 0
    }

    private let listener: Int32
    private let reply: @Sendable (LoopbackRequest) -> LoopbackReply
    private let fields = Mutex(Fields())
    private let threads = TestThreads()

    init(listener: Int32, reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) {
        self.listener = listener
        self.reply = reply
    }

    var requests: [LoopbackRequest] { fields.withLock { $0.requests } }

    var connectionCount: Int { fields.withLock { $0.connectionCount } }

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
                fields.open.insert(descriptor)
                fields.connectionCount += 1
                threads.run { [self] in serve(descriptor) }
                return true
            }
            if !isWanted { Glibc.close(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32) {
        defer {
            fields.withLock { _ = $0.open.remove(descriptor) }
            Glibc.close(descriptor)
        }
        var connection = LoopbackConnection(descriptor: descriptor)
        while let request = connection.readRequest() {
            fields.withLock { $0.requests.append(request) }
            let answer = reply(request)
            for step in (request.method == "HEAD" ? answer.withoutBody() : answer).steps {
                guard carryOut(step, on: connection) else { return }
            }
        }
    }

    /// False when the connection is to be closed.
    private func carryOut(_ step: LoopbackReply.Step, on connection: LoopbackConnection) -> Bool {
        switch step {
        case .send(let bytes): return connection.send(bytes)
        case .close: return false
        case .stall:
            connection.waitUntilClosed()
            return false
        case .trickle(let bytes, let gate):
            var rest = bytes[...]
            while rest.count > 2_048, !gate.wait(for: .milliseconds(5)) {
                guard connection.send(Array(rest.prefix(2_048))) else { return false }
                rest = rest.dropFirst(2_048)
            }
            return connection.send(Array(rest))
        case .wait(let gate):
            let isClosing = fields.withLock { fields in
                fields.gates.append(gate)
                return fields.isClosing
            }
            if !isClosing { gate.wait() }
            return !isClosing
        }
    }
}
