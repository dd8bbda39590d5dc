import CZlib

/// A checksum over bytes that come in pieces: finds what a disk or another program changed by accident.
///
/// CRC-32, as in gzip and PNG: every row that is written has one, and a cryptographic digest costs more than SQLite does.
package struct Checksum: Sendable {
    private var register = crc32(0, nil, 0)

    /// A checksum of no bytes yet.
    package init() {}

    /// The checksum of bytes that are all there.
    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    /// Takes in the next piece.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // zlib takes a null pointer for a new beginning.
        guard let start = bytes.baseAddress else { return }
        register = crc32_z(register, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// The checksum of all that was taken in.
    package var value: UInt64 { UInt64(register) }
}
