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

    private init(provider: ProviderID, mediaHosts: [HostPattern]) {
        self.provider = provider
        name = provider.description
        terms = Terms()
        attribution = Attribution(terms)
        detailsAddMedia = false
        mediaScope = RequestScope(provider: provider, hosts: mediaHosts)
        credentialScope = RequestScope(provider: provider, hosts: [])
        credentials = nil
    }

    /// Bare URLs, which come from the user and may lead to any public host.
    package static let bareURLs: DownloadSource = {
        guard let provider = ProviderID("url"), let host = HostPattern("http://*") else {
            preconditionFailure("the source of bare URLs does not parse")
        }
        return DownloadSource(provider: provider, mediaHosts: [host])
    }()

    /// The credentials for a file, where it lies on one of the hosts that may have them.
    package func credentials(for url: WebURL) -> Credentials? {
        credentials != nil && credentialScope.admits(url) ? credentials : nil
    }
}
