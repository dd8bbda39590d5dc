/// What a server answers to the requests of `cache-probe`: each URL always has the same content, kept in another way.
package enum ProbedContent {
    /// How many different URLs there are.
    package static let count = 200

    /// The content of a URL's path; every eighth is too large for the database.
    package static func body(of path: String, accept: String) -> String {
        let number = Int(path.dropFirst()) ?? 0
        let line = "content of \(path) as \(accept)\n"
        return String(repeating: line, count: number % 8 == 0 ? 4_000 : 1 + number % 40)
    }

    /// The server's answer, with one of several ways to be cached.
    package static func reply(to request: LoopbackRequest) -> LoopbackReply {
        let number = Int(request.path.dropFirst()) ?? 0
        let accept = request.header("accept") ?? ""
        let tag = "\"\(number)-\(accept)\""
        var headers = [("ETag", tag), ("Vary", "Accept")]
        switch number % 5 {
        case 0: headers.append(("Cache-Control", "max-age=0"))
        case 1: headers.append(("Cache-Control", "no-store"))
        case 2: headers.append(("Cache-Control", "max-age=1, stale-while-revalidate=5"))
        default: headers.append(("Cache-Control", "max-age=900"))
        }
        if request.header("if-none-match") == tag {
            var head = "HTTP/1.1 304 Not Modified\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            return LoopbackReply([.send(Array((head + "\r\n").utf8))])
        }
        return .answer(headers: headers, text: body(of: request.path, accept: accept))
    }
}
