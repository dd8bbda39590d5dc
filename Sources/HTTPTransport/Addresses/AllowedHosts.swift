import ProviderModel

/// The hosts the user lets requests go to even when they are on a private network.
public struct AllowedHosts: Hashable, Sendable {
    private struct Entry: Hashable {
        let host: Host
        let port: UInt16?
    }

    /// A host as it is compared: an address by its bytes, however it is written; a name without the dot of the root.
    private enum Host: Hashable {
        case address([UInt8])
        case name(String)

        init(_ url: WebURL) {
            if let address = NetworkAddress(literal: url.host) {
                self = .address(address.unmapped.bytes)
            } else {
                self = .name(url.host.droppingEnd { $0 == "." })
            }
        }
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
        guard !entries.isEmpty else { return false }
        let host = Host(url)
        return entries.contains { $0.host == host && ($0.port ?? url.port) == url.port }
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
        return Entry(host: Host(url), port: namesPort ? url.port : nil)
    }
}
