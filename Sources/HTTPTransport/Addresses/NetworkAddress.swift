import Glibc

/// An IPv4 or IPv6 address, and whether it is one of the public internet.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// The address of a socket; nil when it is neither IPv4 nor IPv6.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: return nil
        }
    }

    /// Parses an address in any spelling that a resolver accepts: `127.1`, `2130706433`, `0177.0.0.1`, `[::1]`.
    package init?(literal text: String) {
        var four = in_addr()
        var six = in6_addr()
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        if inet_pton(AF_INET6, bare, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else if inet_aton(text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else {
            return nil
        }
    }

    /// Dotted decimal, or hexadecimal groups without shortening.
    package var description: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The IPv4 address that an IPv4-mapped one (`::ffff:127.0.0.1`) is at a socket; any other address itself.
    var unmapped: NetworkAddress { bytes.count == 16 && isMapped ? NetworkAddress(bytes: Array(bytes[12...])) : self }

    private var isMapped: Bool { bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff }

    /// The IPv4 address embedded in an IPv6 address: mapped, NAT64 (RFC 6052) or 6to4 (RFC 3056).
    package var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 } && bytes[12] != 0
        let isTranslated = bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) && bytes[4..<12].allSatisfy { $0 == 0 }
        if isMapped || isCompatible || isTranslated { return NetworkAddress(bytes: Array(bytes[12...])) }
        if bytes.starts(with: [0x20, 0x02]) { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Part of the address space that is not the public internet (IANA's special-purpose registries, RFC 6890).
private struct SpecialRange {
    let prefix: [UInt8]
    let bits: Int
    let name: String

    func contains(_ bytes: [UInt8]) -> Bool {
        for index in 0..<((bits + 7) / 8) {
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(bits - index * 8, 8))
            guard bytes[index] & mask == prefix[index] & mask else { return false }
        }
        return true
    }

    static let four: [SpecialRange] = [
        SpecialRange(prefix: [0], bits: 8, name: "unspecified"),
        SpecialRange(prefix: [10], bits: 8, name: "private"),
        SpecialRange(prefix: [100, 64], bits: 10, name: "carrier-grade NAT"),
        SpecialRange(prefix: [127], bits: 8, name: "loopback"),
        SpecialRange(prefix: [169, 254], bits: 16, name: "link-local"),
        SpecialRange(prefix: [172, 16], bits: 12, name: "private"),
        SpecialRange(prefix: [192, 0, 0], bits: 24, name: "reserved"),
        SpecialRange(prefix: [192, 0, 2], bits: 24, name: "documentation"),
        SpecialRange(prefix: [192, 88, 99], bits: 24, name: "reserved"),
        SpecialRange(prefix: [192, 168], bits: 16, name: "private"),
        SpecialRange(prefix: [198, 18], bits: 15, name: "benchmark"),
        SpecialRange(prefix: [198, 51, 100], bits: 24, name: "documentation"),
        SpecialRange(prefix: [203, 0, 113], bits: 24, name: "documentation"),
        SpecialRange(prefix: [224], bits: 4, name: "multicast"),
        SpecialRange(prefix: [240], bits: 4, name: "reserved"),
    ]

    static let six: [SpecialRange] = [
        SpecialRange(prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bits: 128, name: "unspecified"),
        SpecialRange(prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], bits: 128, name: "loopback"),
        SpecialRange(prefix: [0xfc], bits: 7, name: "private"),
        SpecialRange(prefix: [0xfe, 0x80], bits: 10, name: "link-local"),
        SpecialRange(prefix: [0xff], bits: 8, name: "multicast"),
        SpecialRange(prefix: [0x20, 0x01, 0x00], bits: 23, name: "reserved"),
        SpecialRange(prefix: [0x20, 0x01, 0x0d, 0xb8], bits: 32, name: "documentation"),
        SpecialRange(prefix: [0x3f, 0xff, 0x00], bits: 20, name: "documentation"),
    ]
}

extension NetworkAddress {
    /// The kind of an address outside the public internet, such as `loopback` or `private`; nil for all others.
    ///
    /// An IPv6 address that embeds an IPv4 address is of that address's kind.
    package var special: String? {
        if let embedded { return embedded.special }
        if bytes.count == 4 { return SpecialRange.four.first { $0.contains(bytes) }?.name }
        if let range = SpecialRange.six.first(where: { $0.contains(bytes) }) { return range.name }
        // Only 2000::/3 is allocated for unicast (IANA, IPv6 address space).
        return bytes[0] & 0xe0 == 0x20 ? nil : "reserved"
    }
}
