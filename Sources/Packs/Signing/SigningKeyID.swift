/// The number by which a key is found, chosen at random when it is made.
package struct SigningKeyID: Hashable, Sendable, CustomStringConvertible {
    /// Its eight bytes as they stand in keys and signatures.
    let bytes: [UInt8]

    static let size = 8

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The number as minisign prints it, without zeros in front: `5F3A81C02D9E4B76`.
    package var description: String {
        String(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 16, uppercase: true)
    }
}
