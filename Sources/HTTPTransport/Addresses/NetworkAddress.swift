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

    /// Reads an address in any spelling that a resolver takes for one: `127.1`, `2130706433`, `0177.0.0.1`, `[::1]`.
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

    /// The IPv4 address that an IPv6 address leads to by mapping, NAT64 (RFC 6052) or 6to4 (RFC 3056).
    package var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 } && bytes[12] != 0
        let isTranslated = bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) && bytes[4..<12].allSatisfy { $0 == 0 }
        if isMapped || isCompatible || isTranslated { return NetworkAddress(bytes: Array(bytes[12...])) }
        if bytes.starts(with: [0x20, 0x02]) { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}
