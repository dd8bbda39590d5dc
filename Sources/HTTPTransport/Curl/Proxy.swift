import ProviderModel

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
