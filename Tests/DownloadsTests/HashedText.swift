import Crypto

@testable import Downloads

/// Digests as they are written.
enum HashedText {
    static func sha256(_ bytes: [UInt8]) -> String { Array(Crypto.SHA256.hash(data: bytes)).hexadecimal }
}
