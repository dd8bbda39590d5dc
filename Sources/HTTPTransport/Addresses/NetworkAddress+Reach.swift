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
    /// An IPv6 address that leads to an IPv4 address is judged by that one.
    package var special: String? {
        if let embedded { return embedded.special }
        if bytes.count == 4 { return SpecialRange.four.first { $0.contains(bytes) }?.name }
        if let range = SpecialRange.six.first(where: { $0.contains(bytes) }) { return range.name }
        // Only 2000::/3 has been handed out; everything else is somebody's experiment or trick.
        return bytes[0] & 0xe0 == 0x20 ? nil : "reserved"
    }
}
