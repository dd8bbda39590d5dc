import HTTPTransport
import ProviderModel

/// The provider of files, and the hosts they may come from.
package final class DownloadSource: Sendable {
    /// The provider.
    package let provider: ProviderID
    /// The provider's display name.
    package let name: String
    /// The provider's terms of use.
    package let terms: Terms
    /// The credit line that those terms require.
    let attribution: Attribution
    /// Whether the details of an item have files that lists lack.
    let detailsAddMedia: Bool
    /// The hosts that files may come from, with the chosen server for `{instance}`.
    package let mediaScope: RequestScope
    /// The hosts that credentials may be sent to.
    package let credentialScope: RequestScope
    /// The user's key, for files that lie on the provider's own hosts.
    package let credentials: Credentials?

    /// A provider's files; `asksDetails` says whether details may be requested for files that lists lack.
    package init(
        _ manifest: ProviderManifest, instance: WebURL? = nil, credentials: Credentials? = nil, asksDetails: Bool = true
    ) {
        provider = manifest.id
        name = manifest.name
        terms = manifest.terms
        attribution = Attribution(manifest.terms)
        detailsAddMedia = asksDetails && manifest.description(of: .details)?.addsMedia ?? false
        mediaScope = RequestScope(provider: manifest.id, hosts: manifest.mediaHosts, instance: instance)
        credentialScope = RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: instance)
        self.credentials = credentials
    }

    /// The source of files at URLs of the user's, with the cookies that the hosts of `credentialScope` get.
    private init(
        provider: ProviderID, mediaHosts: [HostPattern], cookies: Credentials? = nil, for hosts: [HostPattern] = []
    ) {
        self.provider = provider
        name = provider.description
        terms = Terms()
        attribution = Attribution(terms)
        detailsAddMedia = false
        mediaScope = RequestScope(provider: provider, hosts: mediaHosts)
        credentialScope = RequestScope(provider: provider, hosts: hosts)
        credentials = cookies
    }

    /// Bare URLs, which come from the user and may lead to any public host.
    package static let bareURLs = DownloadSource(provider: bareProvider, mediaHosts: [anyHost])

    /// The bare URLs of one server, which gets the user's cookies for it, and nobody else; nil where it has none.
    package static func bareURLs(
        of url: WebURL, cookies source: any CookieSource
    ) throws(TransportError) -> DownloadSource? {
        guard let host = HostPattern("http://\(url.authority)") else { return nil }
        let cookies = try source.cookies(of: RequestScope(provider: bareProvider, hosts: [host])).cookies
        let method = AuthenticationMethod(placement: .cookies(needs: []), isOptional: true)
        guard
            let credentials = Credentials(provider: bareProvider, methods: [method], secrets: [:], cookies: cookies)
        else { return nil }
        return DownloadSource(provider: bareProvider, mediaHosts: [anyHost], cookies: credentials, for: [host])
    }

    private static let bareProvider: ProviderID = {
        guard let provider = ProviderID("url") else { preconditionFailure("the name of bare URLs is no id") }
        return provider
    }()

    private static let anyHost: HostPattern = {
        guard let host = HostPattern("http://*") else { preconditionFailure("the pattern of all hosts does not parse") }
        return host
    }()

    /// The credentials for a file, where it lies on one of the hosts that may have them.
    package func credentials(for url: WebURL) -> Credentials? {
        credentials != nil && credentialScope.admits(url) ? credentials : nil
    }
}
