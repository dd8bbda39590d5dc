import Crypto
import HTTPTransport
import HTTPTypes
import ProviderModel

/// The key of a stored response: the target URI (RFC 9111 §2) and the requester.
///
/// The method is always GET. Both parts are keyed hashes, which reveal neither secrets nor, without the key, URLs.
package struct CacheKey: Hashable, Sendable {
    /// The target URI.
    let target: Int64
    /// The identity of the requester; 0 without credentials.
    let identity: Int64

    /// The key of a request.
    ///
    /// The requester is identified by the credentials that the transport adds, and by an `Authorization` line: another key may see
    /// other responses, with or without `Vary`. A `Cookie` line is left to `Vary`.
    init(_ request: TransportRequest, hash: KeyedHash) {
        target = Self.target(request.url, hash: hash)
        let material = [request.credentials?.identityMaterial, request.headers[.authorization].map { Array($0.utf8) }]
        guard material.contains(where: { $0 != nil }) else {
            identity = 0
            return
        }
        identity = Self.number(hash.hash(material.flatMap { [UInt8(ascii: "|")] + ($0 ?? []) }))
    }

    /// The number of a URL, without its fragment.
    static func target(_ url: WebURL, hash: KeyedHash) -> Int64 { number(hash.hash(Array(text(url).utf8))) }

    /// The URL as a cache sees it.
    static func text(_ url: WebURL) -> String { url.origin + url.target }

    private static func number(_ hash: [UInt8]) -> Int64 {
        Int64(bitPattern: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// A keyed hash: HMAC with SHA-256, truncated to 128 bits.
///
/// The key stays within one cache, so that URLs and secrets cannot be found by trying.
package struct KeyedHash: Sendable {
    private let key: SymmetricKey

    /// How many bytes a key has.
    static let keyLength = 16

    /// A hash with a key of 16 bytes; nil for any other length.
    init?(key: [UInt8]) {
        guard key.count == Self.keyLength else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// A hash with a new key.
    static func random() -> KeyedHash { KeyedHash(SymmetricKey(size: .bits128)) }

    private init(_ key: SymmetricKey) { self.key = key }

    /// A hash of 16 bytes, which reveals nothing of the input without the key.
    func hash(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(16))
    }
}
