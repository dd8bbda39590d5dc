import ProviderModel

/// The provider that makes a request, and the hosts that the request may reach.
public struct RequestScope: Hashable, Sendable {
    /// The provider that makes the request.
    public var provider: ProviderID
    /// The hosts that the request and its redirects may reach.
    public var hosts: [HostPattern]
    /// The server the user chose, for `{instance}` in `hosts`.
    public var instance: WebURL?
    /// The hosts that the user granted when the pack was installed, required besides `hosts`; nil for a provider without a
    /// pack.
    package var granted: [HostPattern]?

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - provider: the provider that makes the request.
    ///   - hosts: the hosts that it may reach, redirects included.
    ///   - instance: the server that `{instance}` in `hosts` stands for.
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

    /// Checks a URL without an error.
    ///
    /// - Parameter url: the URL of a request.
    /// - Returns: whether the scope admits its scheme, host and port.
    public func admits(_ url: WebURL) -> Bool {
        isDeclared(url) && granted?.contains { $0.matches(url, instance: instance) } ?? true
    }

    /// Throws for a URL outside the scope.
    ///
    /// - Parameters:
    ///   - url: the URL of a request.
    ///   - reason: text in front of the error's message, with a space at its end.
    /// - Throws: ``TransportError`` with the code `refusedHost`, whose message lists the hosts inside the scope.
    public func check(_ url: WebURL, because reason: String = "") throws(TransportError) {
        guard !admits(url) else { return }
        func words(_ hosts: [HostPattern]) -> String {
            hosts.isEmpty ? "none" : hosts.map(\.description).joined(separator: ", ")
        }
        guard !isDeclared(url) else {
            throw TransportError(
                .refusedHost, url: url,
                message:
                    "\(reason)\(url.origin) is not a host that was granted to \"\(provider)\" when its pack was "
                    + "installed (\(words(granted ?? [])))", hint: .updatePack(nil))
        }
        let isOnlyTheScheme = url.scheme == .http && admitsOverHTTPS(url)
        guard isOnlyTheScheme else {
            throw TransportError(
                .refusedHost, url: url,
                message: "\(reason)\(url.origin) is not a host of \"\(provider)\" (expected \(words(hosts)))",
                hint: "add it to `hosts` or `mediaHosts` of the provider if requests should go there")
        }
        throw TransportError(
            .refusedHost, url: url,
            message: "\(reason)\(url.origin) is plain http, and \"\(provider)\" only allows https for it",
            hint: "use https, or add \"http://\(url.authority)\" to `hosts` if the source does not support it")
    }

    private func isDeclared(_ url: WebURL) -> Bool { hosts.contains { $0.matches(url, instance: instance) } }

    private func admitsOverHTTPS(_ url: WebURL) -> Bool {
        // A URL that does not parse with the other scheme is not admitted with it either.
        guard let secure = try? WebURL("https://\(url.authority)") else { return false }
        return isDeclared(secure)
    }
}
