import Crypto

@testable import Downloads

/// What contents are known by, computed at once.
enum Hashes {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(Crypto.SHA256.hash(data: bytes)) }
}
