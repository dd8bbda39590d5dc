import CCurl
import Glibc
import ProviderModel

/// The address on this machine to which the page of a login leads back (RFC 8252 §7.3).
///
/// The address may also be pasted as a line of a file, where the browser runs on another machine.
package final class LoginCallback: Sendable {
    /// What a server has to know: `http://127.0.0.1:8917/callback`.
    package let address: WebURL
    private let listener: FileDescriptor
    private let input: FileDescriptor?

    /// Listens on a port of 127.0.0.1, 0 for any; `input` is read for a pasted address.
    package init(port: UInt16, input: FileDescriptor? = nil) throws(TransportError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Self.failure(port) }
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0 ? 0 : errno
            }
        }
        guard code == 0, let address = try? WebURL("http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/callback")
        else {
            close(listener)
            errno = code
            throw Self.failure(port)
        }
        self.listener = listener
        self.address = address
        self.input = input
    }

    deinit { close(listener) }

    private static func failure(_ port: UInt16) -> TransportError {
        TransportError(
            .unavailable, message: "could not listen on port \(port) of 127.0.0.1: \(String(cString: strerror(errno)))",
            hint: .choosePort)
    }

    /// Waits for the query that the page leads back with; others are refused, and waited on.
    package func wait(
        until deadline: ContinuousClock.Instant, accepting isExpected: ([String: String]) -> Bool
    ) async throws -> [String: String] {
        var input = input
        while ContinuousClock.now < deadline {
            try Task.checkCancellation()
            var polls = [listener, input ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, 2, 0) > 0 else {
                // A person takes seconds; this thread belongs to others meanwhile.
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            if polls[0].revents != 0, let query = answerRequest(isExpected) { return query }
            if polls[1].revents != 0, let descriptor = input {
                guard let line = Self.line(of: descriptor) else {
                    input = nil
                    continue
                }
                if let query = Self.query(of: line), isExpected(query) { return query }
            }
        }
        throw TransportError(
            .timeout, message: "the login was not completed in time", hint: "run the command again")
    }

    // MARK: The browser

    private func answerRequest(_ isExpected: ([String: String]) -> Bool) -> [String: String]? {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        // A browser opens connections that it may not use.
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard let target = Self.target(ofRequestOn: connection) else { return nil }
        guard target.path == address.path, let query = Self.query(of: target.description), isExpected(query) else {
            Self.send(404, "This page does not belong to the login that imgscript waits for.", on: connection)
            return nil
        }
        let isAllowed = query["code"] != nil || query["oauth_verifier"] != nil
        Self.send(
            200, (isAllowed ? "The login was allowed." : "The login was refused.") + " You can close this page.",
            on: connection)
        return query
    }

    /// The URL of a GET request; nil for anything else.
    private static func target(ofRequestOn connection: FileDescriptor) -> WebURL? {
        var head: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while head.count < 16_384, !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            head += chunk[..<count]
        }
        let words = String(decoding: head, as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/") else { return nil }
        return try? WebURL("http://127.0.0.1\(words[1])")  // else it is no request for this page
    }

    private static func send(_ status: Int, _ text: String, on connection: FileDescriptor) {
        let page = "<!doctype html><meta charset=utf-8><title>imgscript</title><p>\(text)</p>"
        let answer = """
            HTTP/1.1 \(status) \(status == 200 ? "OK" : "Not Found")\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r
            \(page)
            """
        _ = Array(answer.utf8).withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    // MARK: A pasted address

    private static func line(of input: FileDescriptor) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 16_384 {
            guard read(input, &byte, 1) == 1 else {
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func query(of text: String) -> [String: String]? {
        let trimmed = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        guard let url = try? WebURL(trimmed) else { return nil }  // another line than the address
        return Dictionary(url.queryItems.map { ($0.name, $0.value) }) { $1 }
    }
}
