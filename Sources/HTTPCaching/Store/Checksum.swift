import Crypto

/// A checksum over bytes that come in pieces: finds what a disk or another program changed.
struct Checksum: Sendable {
    private var digest = SHA256()

    /// The checksum of bytes that are all there.
    static func of(_ bytes: [UInt8]) -> UInt64 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    /// Takes in the next piece.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bufferPointer: bytes) }

    /// The checksum of all that was taken in: 64 bits are enough against accidents.
    var value: UInt64 { digest.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
