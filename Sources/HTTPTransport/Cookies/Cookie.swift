import ProviderModel

/// A cookie (RFC 6265): its name, value and where it may be sent.
///
/// The value is a secret: never printed, logged or sent to a script.
package struct Cookie: Hashable, Sendable {
    /// Which requests of other sites it may be sent with; kept as the server said it.
    package enum SameSite: String, Sendable, CaseIterable {
        case strict, lax, none
    }

    /// The name.
    package var name: String
    /// The value.
    package var value: String
    /// The domain in lower case, without a leading dot.
    package var domain: String
    /// Whether it goes to that host alone, and not to those below it.
    package var isHostOnly: Bool
    /// The path that requests have to begin with.
    package var path: String
    /// Whether it is sent over TLS only.
    package var isSecure: Bool
    /// Whether scripts of a page may not read it.
    package var isHTTPOnly: Bool
    /// The end of its validity in seconds since 1970; nil for one that ends with the session.
    package var expires: Int?
    /// Which requests of other sites it may be sent with; nil where the server did not say.
    package var sameSite: SameSite?

    /// A cookie; a domain with a leading dot is one for all hosts below it.
    package init?(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String = "/", isSecure: Bool = false,
        isHTTPOnly: Bool = false, expires: Int? = nil, sameSite: SameSite? = nil
    ) {
        let host = domain.lowercased().drop { $0 == "." }
        guard !host.isEmpty, !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumLength,
            name.utf8.allSatisfy({ $0.mayStandInCookie && $0 != UInt8(ascii: "=") }),
            value.utf8.allSatisfy(\.mayStandInCookie)
        else { return nil }
        self.name = name
        self.value = value
        self.domain = String(host)
        self.isHostOnly = isHostOnly
        self.path = path.hasPrefix("/") ? path : "/"
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires
        self.sameSite = sameSite
    }

    /// What browsers keep of one cookie, name and value together.
    private static let maximumLength = 4_096

    /// Whether two cookies cannot stand beside each other (RFC 6265 §5.3, step 11).
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }

    /// Whether the cookie is past its end.
    package func hasExpired(at now: Int) -> Bool { expires.map { $0 <= now } ?? false }
}

// MARK: Matching

extension Cookie {
    /// Whether the cookie is sent with a request (RFC 6265 §5.4, step 1).
    ///
    /// A loopback host counts as secure, as it does in browsers.
    package func matches(_ url: WebURL, at now: Int) -> Bool {
        !hasExpired(at: now) && Self.domain(domain, isHostOnly: isHostOnly, matches: url.host)
            && Self.path(path, matches: url.path) && (!isSecure || url.scheme == .https || url.isLoopback)
    }

    /// RFC 6265 §5.1.3.
    static func domain(_ domain: String, isHostOnly: Bool, matches host: String) -> Bool {
        host == domain || !isHostOnly && host.hasSuffix("." + domain) && !host.isIPAddress
    }

    /// RFC 6265 §5.1.4.
    static func path(_ path: String, matches requested: String) -> Bool {
        requested == path
            || requested.hasPrefix(path) && (path.hasSuffix("/") || requested.dropFirst(path.count).first == "/")
    }

    /// The path of a cookie that names none (RFC 6265 §5.1.4).
    static func defaultPath(of url: WebURL) -> String {
        guard let slash = url.path.lastIndex(of: "/"), slash > url.path.startIndex else { return "/" }
        return String(url.path[..<slash])
    }

    /// Whether the cookie may be sent to one of a provider's hosts; `*`, which names none, is not one of them.
    package func belongs(to scope: RequestScope) -> Bool {
        let isDeclared = { (hosts: [HostPattern]) in
            hosts.contains { $0.covers(cookiesOf: domain, isHostOnly: isHostOnly, instance: scope.instance) }
        }
        return isDeclared(scope.hosts) && scope.granted.map(isDeclared) ?? true
    }
}

extension UInt8 {
    /// Any byte but control characters and the end of a pair (RFC 6265bis §5.6).
    fileprivate var mayStandInCookie: Bool { self >= 0x20 && self != 0x7f && self != UInt8(ascii: ";") || self == 0x09 }
}

extension String {
    /// Whether a URL's host is an address: no name ends with a number.
    fileprivate var isIPAddress: Bool {
        hasPrefix("[") || split(separator: ".").last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false
    }
}
