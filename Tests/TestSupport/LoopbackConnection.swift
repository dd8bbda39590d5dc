import Glibc

/// The server's end of one connection.
struct LoopbackConnection {
    let descriptor: Int32
    private var received: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next request; nil when the client has gone.
    mutating func readRequest() -> LoopbackRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = received.firstRange(of: end) {
                guard
                    var request = LoopbackRequest(head: String(decoding: received[..<range.upperBound], as: UTF8.self))
                else { return nil }
                received.removeSubrange(..<range.upperBound)
                let length = request.header("content-length").flatMap { Int($0) } ?? 0
                while received.count < length { guard receive() else { return nil } }
                request.body = Array(received.prefix(length))
                received.removeFirst(length)
                return request
            }
            guard receive() else { return nil }
        }
    }

    /// False when the client has gone.
    func send(_ bytes: [UInt8]) -> Bool {
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

    func waitUntilClosed() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    private mutating func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        received += chunk[..<count]
        return true
    }
}
