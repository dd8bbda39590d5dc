import Glibc

/// One connection to a server, which sends exactly what a test says.
final class HTTPClient {
    /// An answer.
    struct Reply {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    private let descriptor: Int32
    private let port: UInt16
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard descriptor >= 0, isConnected else { throw HTTPClientError(text: "not connected: errno \(errno)") }
        // A server that says nothing fails the test instead of holding it up.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request and reads its answer.
    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String? = nil
    ) throws -> Reply {
        try write(method, target, headers, body: body)
        return try readReply(hasBody: method != "HEAD")
    }

    /// Sends a request alone.
    func write(_ method: String, _ target: String, _ headers: [(String, String)] = [], body: String? = nil) throws {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.0.lowercased() == "host" }) { text += "Host: 127.0.0.1:\(port)\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        let bytes = Array((text + "\r\n" + (body ?? "")).utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw HTTPClientError(text: "not sent: errno \(errno)") }
            sent += count
        }
    }

    /// Reads until a text has come, and returns everything before it and itself.
    func read(through text: String) throws -> String {
        let end = Array(text.utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            guard try receive() else { throw HTTPClientError(text: "ended before \(text)") }
        }
    }

    /// Reads everything up to the end of the connection.
    func readToEnd() throws -> String {
        while try receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    private func readReply(hasBody: Bool) throws -> Reply {
        let head = try read(through: "\r\n\r\n").split(separator: "\r\n")
        let status = head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let headers = head.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].drop { $0 == ":" || $0 == " " }))
        }
        func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name }?.1 }
        var body: [UInt8] = []
        if !hasBody || status == 204 || status == 304 {
            return Reply(status: status, headers: headers, body: [])
        } else if let length = header("content-length").flatMap({ Int($0) }) {
            while buffer.count < length, try receive() {}
            body = Array(buffer.prefix(length))
            buffer.removeFirst(min(length, buffer.count))
        } else {
            while true {
                let size = try read(through: "\r\n").split(separator: "\r\n").first.flatMap { Int($0, radix: 16) } ?? 0
                while buffer.count < size + 2, try receive() {}
                body += buffer.prefix(size)
                buffer.removeFirst(min(size + 2, buffer.count))
                if size == 0 { break }
            }
        }
        return Reply(status: status, headers: headers, body: body)
    }

    private func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw HTTPClientError(text: "nothing came: errno \(errno)") }
        buffer += bytes.prefix(count)
        return count > 0
    }
}

struct HTTPClientError: Error {
    let text: String
}
