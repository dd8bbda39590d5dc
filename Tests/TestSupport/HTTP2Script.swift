/// The server's end of HTTP/2 (RFC 9113), frame by frame, as far as a test of one request at a time needs it.
package struct HTTP2Script {
    /// What it talks through.
    package let connection: SecureRawServer.Connection
    private var received: [UInt8] = []

    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let goAway: UInt8 = 7
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// The server's end of whatever comes through the connection.
    package init(_ connection: SecureRawServer.Connection) { self.connection = connection }

    /// Reads until a request has come, greeting each new connection; returns its stream, nil at the end of all.
    package mutating func awaitRequest() -> UInt8? {
        while true {
            if received.starts(with: Self.preface) {
                received.removeFirst(Self.preface.count)
                send(Kind.settings, stream: 0, [])
            }
            if let frame = nextFrame() {
                if frame.kind == Kind.settings, frame.flags & 1 == 0 { send(Kind.settings, flags: 1, stream: 0, []) }
                if frame.kind == Kind.headers { return frame.stream }
                continue
            }
            let bytes = connection.receive()
            if bytes.isEmpty { return nil }
            received += bytes
        }
    }

    /// Sends a head with a length, and the beginning of a body.
    package func answer(_ stream: UInt8, _ text: String, announcing length: Int, isLast: Bool = false) {
        answer(stream, Array(text.utf8), announcing: length, isLast: isLast)
    }

    /// Sends a head with a length, and the beginning of a body, of at most 16,384 bytes.
    package func answer(_ stream: UInt8, _ body: [UInt8], announcing length: Int, isLast: Bool = false) {
        // RFC 7541: ":status: 200" is entry 8 of the static table, "content-length" entry 28.
        let digits = Array(String(length).utf8)
        send(Kind.headers, flags: 4, stream: stream, [0x88, 0x0f, 0x0d, UInt8(digits.count)] + digits)
        data(stream, body, isLast: isLast)
    }

    /// Sends a piece of a body.
    package func data(_ stream: UInt8, _ text: String, isLast: Bool) {
        data(stream, Array(text.utf8), isLast: isLast)
    }

    /// Sends a piece of a body, of at most 16,384 bytes.
    package func data(_ stream: UInt8, _ body: [UInt8], isLast: Bool) {
        send(Kind.data, flags: isLast ? 1 : 0, stream: stream, body)
    }

    /// Breaks one stream off.
    package func reset(_ stream: UInt8, code: UInt8) { send(Kind.reset, stream: stream, [0, 0, 0, code]) }

    /// Says that no further streams are taken (RFC 9113 §6.8).
    package func goAway(lastStream: UInt8, code: UInt8 = 0) {
        send(Kind.goAway, stream: 0, [0, 0, 0, lastStream, 0, 0, 0, code])
    }

    private func send(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]) {
        let length = [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xff), UInt8(payload.count & 0xff)]
        connection.send(length + [kind, flags, 0, 0, 0, stream] + payload)
    }

    private mutating func nextFrame() -> (kind: UInt8, flags: UInt8, stream: UInt8)? {
        guard received.count >= 9, !Self.preface.starts(with: received.prefix(3)) else { return nil }
        let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
        guard received.count >= 9 + length else { return nil }
        defer { received.removeFirst(9 + length) }
        return (received[3], received[4], received[8])
    }
}

extension SecureRawServer {
    /// A server of HTTP/2 that follows a script, and then serves until the test is over.
    package static func http2(
        certificate: TestCertificate, _ script: @escaping @Sendable (inout HTTP2Script) -> Void
    ) throws -> SecureRawServer {
        try SecureRawServer(certificate: certificate.path, key: certificate.key, protocols: "h2") { connection in
            var http = HTTP2Script(connection)
            script(&http)
            while !connection.receive().isEmpty {}
        }
    }
}
