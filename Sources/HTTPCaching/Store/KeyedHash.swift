import Crypto

/// A keyed hash: HMAC with SHA-256, cut to 128 bits.
///
/// The key belongs to one cache and never leaves it, so that neither URLs nor secrets can be found by trying.
struct KeyedHash: Sendable {
    private let key: SymmetricKey

    /// How many bytes a key has.
    static let keyLength = 16

    /// A hash with a key of 16 bytes; nil for any other length.
    init?(key: [UInt8]) {
        guard key.count == Self.keyLength else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// 16 bytes that show nothing of the input to anyone without the key.
    func hash(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(16))
    }
}
