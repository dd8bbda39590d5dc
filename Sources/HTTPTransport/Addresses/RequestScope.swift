import ProviderModel

/// On whose behalf a request is made, and where it may go.
public struct RequestScope: Hashable, Sendable {
    /// The provider that asked.
    public var provider: ProviderID
    /// The only places the request, and every redirect of it, may go.
    public var hosts: [HostPattern]
    /// The server the user chose, for `{instance}` in `hosts`.
    public var instance: WebURL?
    /// What the user granted when the provider was installed, which holds beside `hosts`; nil where no permission was needed.
    package var granted: [HostPattern]?

    /// A scope.
    public init(provider: ProviderID, hosts: [HostPattern], instance: WebURL? = nil) {
        self.provider = provider
        self.hosts = hosts
        self.instance = instance
    }

    /// Any host, over https and http: for clients without a provider.
    public static let anywhere: RequestScope = {
        guard let provider = ProviderID("anyone"), let host = HostPattern("http://*") else {
            preconditionFailure("the widest scope does not parse")
        }
        return RequestScope(provider: provider, hosts: [host])
    }()

    /// Whether a request may go there.
    public func admits(_ url: WebURL) -> Bool { isDeclared(url) && isGranted(url) }

    /// Refuses a URL outside the scope, naming the places inside it.
    public func check(_ url: WebURL, because reason: String = "") throws(TransportError) {
        guard !isDeclared(url) else { return try checkGrant(of: url, because: reason) }
        let places = hosts.isEmpty ? "none" : hosts.map(\.description).joined(separator: ", ")
        let isOnlyTheScheme = url.scheme == .http && admitsOverHTTPS(url)
        guard isOnlyTheScheme else {
            throw TransportError(
                .refusedHost, url: url,
                message: "\(reason)\(url.origin) is not a host of \"\(provider)\" (expected \(places))",
                hint: "add it to `hosts` or `mediaHosts` of the provider if requests should go there")
        }
        throw TransportError(
            .refusedHost, url: url,
            message: "\(reason)\(url.origin) is plain http, and \"\(provider)\" only allows https for it",
            hint: "use https, or add \"http://\(url.authority)\" to `hosts` if the source does not support it")
    }

    private func isDeclared(_ url: WebURL) -> Bool { hosts.contains { $0.matches(url, instance: instance) } }

    private func isGranted(_ url: WebURL) -> Bool {
        granted?.contains { $0.matches(url, instance: instance) } ?? true
    }

    private func checkGrant(of url: WebURL, because reason: String) throws(TransportError) {
        guard !isGranted(url) else { return }
        let places = granted.map { $0.isEmpty ? "none" : $0.map(\.description).joined(separator: ", ") } ?? ""
        throw TransportError(
            .refusedHost, url: url,
            message:
                "\(reason)\(url.origin) is not a host that was granted to \"\(provider)\" when its pack was "
                + "installed (\(places))", hint: .updatePack(nil))
    }

    private func admitsOverHTTPS(_ url: WebURL) -> Bool {
        // A URL that does not parse with the other scheme is not admitted with it either.
        guard let secure = try? WebURL("https://\(url.authority)") else { return false }
        return isDeclared(secure)
    }
}
