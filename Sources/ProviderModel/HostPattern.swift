/// An entry of a manifest's `hosts` or `mediaHosts`.
///
/// `example.com` is that host over https; `*.example.com` every host below it; `*` any host; a leading `http://` admits
/// plain http as well; `:8080` is a port; `{instance}` stands for the server that the user chose.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as in the manifest.
    public let description: String
    /// Whether the pattern admits plain http.
    public let allowsPlainHTTP: Bool
    /// The host that is matched, without wildcard.
    private let host: String
    private let port: UInt16?
    private let kind: Kind

    private enum Kind: Hashable {
        case exact
        case below
        case any
        case instance
    }

    /// Parses a pattern; nil when `text` is not one.
    ///
    /// - Parameter text: an entry such as `example.com`, `*.example.com`, `http://example.com`, `example.com:8080`, `*` or
    ///   `{instance}`, in any case.
    public init?(_ text: String) {
        description = text
        var rest = Substring(text.lowercased())
        allowsPlainHTTP = rest.hasPrefix("http://")
        if allowsPlainHTTP { rest = rest.dropFirst(7) } else if rest.hasPrefix("https://") { rest = rest.dropFirst(8) }
        switch rest {
        case "*": (kind, host, port) = (.any, "", nil)
        case "{instance}": (kind, host, port) = (.instance, "", nil)
        default:
            kind = rest.hasPrefix("*.") ? .below : .exact
            if kind == .below { rest = rest.dropFirst(2) }
            guard !rest.contains("*"), !rest.contains("/"),
                let url = try? WebURL("https://\(rest)"),  // nil says all a caller needs: it is no pattern
                url.description == url.origin + "/"
            else { return nil }
            host = url.host
            port = url.port == 443 ? nil : url.port
        }
    }

    /// A domain whose cookies hosts of the pattern get; nil where it names none.
    package var cookieDomain: String? { host.isEmpty ? nil : host }

    /// Whether cookies of a domain may be sent to hosts of the pattern; `*` names no host, and gets none.
    package func covers(cookiesOf domain: String, isHostOnly: Bool, instance: WebURL?) -> Bool {
        let reaches = { (host: String) in host == domain || !isHostOnly && host.hasSuffix("." + domain) }
        return switch kind {
        case .exact: reaches(host)
        case .below: domain.hasSuffix("." + host) || !isHostOnly && reaches(host)
        case .any: false
        case .instance: instance.map { reaches($0.host) } ?? false
        }
    }

    /// Checks a request against the pattern.
    ///
    /// Plain http needs `http://` in the pattern or a loopback host. A pattern without a port covers the ports 443 and 80, of
    /// loopback hosts any port; `*` covers every port.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - instance: the server that `{instance}` stands for; with nil, `{instance}` matches nothing.
    /// - Returns: whether the pattern covers scheme, host and port of `url`.
    public func matches(_ url: WebURL, instance: WebURL? = nil) -> Bool {
        if kind == .instance { return instance.map { url.isSameOrigin(as: $0) } ?? false }
        guard url.scheme == .https || allowsPlainHTTP || url.isLoopback else { return false }
        if let port, port != url.port { return false }
        // A pattern that names no port covers the two schemes' own ports, and any port of this machine.
        if port == nil, kind != .any, url.port != url.scheme.defaultPort, !url.isLoopback { return false }
        switch kind {
        case .exact: return url.host == host
        case .below: return url.host.hasSuffix("." + host)
        case .any: return true
        case .instance: return false
        }
    }
}

extension WebURL {
    /// Whether the host is `localhost`, a name below it, or a loopback address.
    public var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2e || (0x30...0x39).contains($0) })
    }
}
