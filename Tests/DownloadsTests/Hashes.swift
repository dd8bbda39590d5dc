import Crypto

@testable import Downloads

/// What contents are known by, computed at once.
enum Hashes {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(Crypto.SHA256.hash(data: bytes)) }

    static func xxh128(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = ContentHasher(withSHA256: false)
        bytes.withUnsafeBytes { hasher.update($0) }
        return hasher.finish().hash.xxh128 ?? []
    }

    static func both(_ bytes: [UInt8]) -> ContentHash { ContentHash(xxh128: xxh128(bytes), sha256: sha256(bytes)) }
}
