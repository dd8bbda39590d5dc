/// A request as a `LoopbackServer` read it.
package struct LoopbackRequest: Sendable {
    /// The method as it came.
    package var method: String
    /// Path and query as they stand in the request line.
    package var target: String
    /// Header lines in order, names as they came.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]

    /// The path without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header line of this name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Parses the lines before the body; nil when they are no request.
    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        let parts = lines.popFirst()?.split(separator: " ") ?? []
        guard parts.count == 3 else { return nil }
        method = String(parts[0])
        target = String(parts[1])
        headers = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        body = []
    }
}
