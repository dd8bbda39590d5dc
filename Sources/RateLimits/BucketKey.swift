import Crypto
import HTTPTransport
import ProviderModel

/// The key of a rate limit: one provider's server and one set of credentials.
package struct BucketKey: Hashable, Sendable {
    /// `pixabay 5d41402a`, `mastodon https://pixelfed.example`: without secrets.
    let text: String

    init(text: String) { self.text = text }

    /// The key of a request.
    package init(_ request: TransportRequest) {
        let identity = (request.credentials?.identityMaterial).map(Self.digest)
        let parts = [request.scope.provider.description, request.scope.instance?.origin, identity]
        text = parts.compactMap(\.self).joined(separator: " ")
    }

    /// 32 bits of a digest: enough to distinguish a user's few keys, too little to find a key by.
    private static func digest(_ material: [UInt8]) -> String {
        SHA256.hash(data: material).prefix(4).hexadecimal
    }
}
