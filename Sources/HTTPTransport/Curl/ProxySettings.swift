import ProviderModel

/// The proxies the environment names: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, as curl reads them.
///
/// libcurl would read them itself, but then an address could be a server's or the proxy's.
public struct ProxySettings: Hashable, Sendable {
    private var byScheme: [WebURL.Scheme: Proxy] = [:]
    private var exceptions: [String] = []

    /// The settings of an environment.
    public init(environment: [String: String]) {
        func named(_ variables: String...) -> Proxy? {
            variables.lazy.compactMap { name in environment[name].map { Proxy(address: $0, variable: name) } }
                .first { !$0.address.isEmpty }
        }
        byScheme[.https] = named("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        // Not HTTP_PROXY: in a CGI program anyone can set it with a `Proxy:` header line.
        byScheme[.http] = named("http_proxy", "all_proxy", "ALL_PROXY")
        let list = ["no_proxy", "NO_PROXY"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        exceptions = list.lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// The proxy for a URL; nil to go there directly.
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
    /// The address as it stands there, with the name and the password that it may hold.
    public let address: String
    /// The variable that has it.
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

    /// What libcurl says, without the proxy's name and password: it quotes an address that it cannot use.
    func redact(_ said: String) -> String { said.replacing(address, with: description) }
}
