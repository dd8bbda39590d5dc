import HTTPTransport
import ProviderModel

/// Whose files are downloaded, and where their bytes may come from.
package final class DownloadSource: Sendable {
    /// The provider.
    package let provider: ProviderID
    /// The provider's display name.
    package let name: String
    /// What the provider asks of those who use it.
    package let terms: Terms
    /// The line that those terms ask for with each image.
    let attribution: Attribution
    /// The only places bytes may come from, with the server the user chose for `{instance}`.
    package let mediaScope: RequestScope
    /// The only places the credentials may go.
    package let credentialScope: RequestScope
    /// The user's key, for files that lie on the provider's own hosts.
    package let credentials: Credentials?

    /// A provider's files.
    package init(_ manifest: ProviderManifest, instance: WebURL? = nil, credentials: Credentials? = nil) {
        provider = manifest.id
        name = manifest.name
        terms = manifest.terms
        attribution = Attribution(manifest.terms)
        mediaScope = RequestScope(provider: manifest.id, hosts: manifest.mediaHosts, instance: instance)
        credentialScope = RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: instance)
        self.credentials = credentials
    }

    private init(provider: ProviderID, mediaHosts: [HostPattern]) {
        self.provider = provider
        name = provider.description
        terms = Terms()
        attribution = Attribution(terms)
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
