import ProviderModel

/// The hosts the user lets requests go to even when they are on a private network.
public struct AllowedHosts: Hashable, Sendable {
    private struct Entry: Hashable {
        let host: String
        let port: UInt16?
    }

    private let entries: [Entry]

    /// No private host at all.
    public static let none = AllowedHosts(entries: [])

    /// Parses a list of hosts.
    ///
    /// - Parameter texts: entries `HOST` (any port) or `HOST:PORT`, such as `10.0.0.5:8080` or `[::1]:8080`.
    /// - Throws: ``TransportError`` with the code `badRequest` for an entry that is neither.
    public init(_ texts: [String]) throws(TransportError) {
        var entries: [Entry] = []
        for text in texts { entries.append(try Self.parse(text)) }
        self.init(entries: entries)
    }

    /// Looks up a URL.
    ///
    /// - Parameter url: the URL of a request.
    /// - Returns: whether the user allowed its host and port.
    public func admits(_ url: WebURL) -> Bool {
        entries.contains { $0.host == url.host && ($0.port ?? url.port) == url.port }
    }

    private init(entries: [Entry]) { self.entries = entries }

    private static func parse(_ text: String) throws(TransportError) -> Entry {
        // Parsed as a URL with a port of its own, so that "no port" and "the usual port" stay apart.
        let afterBracket = text.lastIndex(of: "]") ?? text.startIndex
        let namesPort = text[afterBracket...].contains(":")
        guard !text.contains("/"), let url = try? WebURL("https://\(text)"),  // why it is no host does not matter here
            url.path == "/", url.query == nil
        else {
            throw TransportError(
                .badRequest,
                message: "\(text.quoted) is not a host (expected HOST or HOST:PORT, such as 10.0.0.5:8080)"
            )
        }
        return Entry(host: url.host, port: namesPort ? url.port : nil)
    }
}
