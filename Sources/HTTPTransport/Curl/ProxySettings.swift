import ProviderModel

/// The proxies that the environment names: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, read as curl does.
///
/// libcurl could read them itself, but then an address could be the server's or the proxy's.
public struct ProxySettings: Hashable, Sendable {
    private var byScheme: [WebURL.Scheme: Proxy] = [:]
    private var exceptions: [String] = []

    /// Reads the variables of an environment.
    ///
    /// - Parameter environment: the variables by name.
    public init(environment: [String: String]) {
        func named(_ variables: String...) -> Proxy? {
            variables.lazy.compactMap { name in environment[name].map { Proxy(address: $0, variable: name) } }
                .first { !$0.address.isEmpty }
        }
        byScheme[.https] = named("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        // Not HTTP_PROXY: in a CGI program a client sets it with a `Proxy:` header line (CVE-2016-5385).
        byScheme[.http] = named("http_proxy", "all_proxy", "ALL_PROXY")
        let list = ["no_proxy", "NO_PROXY"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        exceptions = list.lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Uses one proxy for all requests, instead of those that the environment names; `no_proxy` still holds.
    ///
    /// - Parameter address: the proxy's URL, or its host and port.
    public mutating func use(_ address: String) {
        let proxy = Proxy(address: address, variable: "the proxy")
        byScheme = [.https: proxy, .http: proxy]
    }

    /// Selects the proxy for a request.
    ///
    /// - Parameter url: the URL of the request.
    /// - Returns: the proxy of its scheme; nil to connect directly, without one or where `no_proxy` lists the host.
    public func proxy(for url: WebURL) -> Proxy? {
        guard let proxy = byScheme[url.scheme], !exceptions.contains(where: { Self.matches($0, url) }) else {
            return nil
        }
        return proxy
    }

    /// A host and everything below it, with or without a leading dot; an address, or a range such as `10.0.0.0/8`.
    private static func matches(_ exception: String, _ url: WebURL) -> Bool {
        if exception == "*" { return true }
        let host = url.host
        if let slash = exception.firstIndex(of: "/") {
            return contains(host, network: exception[..<slash], bits: Int(exception[exception.index(after: slash)...]))
        }
        if let address = NetworkAddress(literal: host) { return address == NetworkAddress(literal: exception) }
        let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        return host == name || host.hasSuffix("." + name)
    }

    private static func contains(_ host: String, network: Substring, bits: Int?) -> Bool {
        guard let bits, bits >= 0, let address = NetworkAddress(literal: host)?.bytes,
            let base = NetworkAddress(literal: String(network))?.bytes, base.count == address.count,
            bits <= base.count * 8
        else { return false }
        return (0..<bits).allSatisfy { (address[$0 / 8] ^ base[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
}

/// A proxy that the environment names.
public struct Proxy: Hashable, Sendable, CustomStringConvertible {
    /// The value of the variable, with a user name and password where it has them.
    public let address: String
    /// The name of the variable, `the proxy` for one that a program has set.
    public let variable: String

    /// The address without name and password.
    public var description: String {
        let afterScheme = address.place(of: "://")?.upperBound ?? address.startIndex
        guard let at = address[afterScheme...].lastIndex(of: "@") else { return address }
        return String(address[..<afterScheme] + address[address.index(after: at)...])
    }

    /// Whether the way to the proxy itself is encrypted.
    var isSecure: Bool { address.lowercased().hasPrefix("https://") }

    /// The proxy's host alone; an IPv6 address keeps its brackets.
    var host: String {
        let text = description.place(of: "://").map { description[$0.upperBound...] } ?? description[...]
        let authority = text.prefix { $0 != "/" }
        guard !authority.hasPrefix("[") else { return authority.prefix { $0 != "]" } + "]" }
        return String(authority.prefix { $0 != ":" })
    }

    /// Removes the proxy's user name and password from a text of libcurl, which quotes addresses that it cannot use.
    func redact(_ said: String) -> String { said.replacing(address, with: description) }
}
