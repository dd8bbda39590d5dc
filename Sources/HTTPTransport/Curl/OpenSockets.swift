import Glibc

/// The sockets of libcurl's connections, to detect unread bytes in them.
///
/// A server that sends more than it announced corrupts its connection: the excess would be read as the beginning of the next
/// response. libcurl detects the bytes that it has read already, but before version 8 not those that arrive later.
final class OpenSockets {
    /// By their local ports, as far as they are known.
    private var descriptors: [UInt16: Int32] = [:]
    /// The local ports of connections that carry one response at a time; in others there may always be something to read.
    private var unsharedPorts: Set<UInt16> = []

    /// Closes a socket that libcurl needs no more.
    func close(_ descriptor: Int32) -> Int32 {
        if let port = descriptors.first(where: { $0.value == descriptor })?.key { descriptors[port] = nil }
        return Glibc.close(descriptor)
    }

    /// Notes a new connection over one of these sockets: for a name with several addresses, libcurl tries more than one.
    func connected(from port: UInt16, over opened: [Int32]) {
        descriptors[port] = opened.first { Self.localPort(of: $0) == port }
        unsharedPorts.remove(port)
    }

    /// Notes which version of HTTP a connection has just spoken.
    func noteResponse(from port: UInt16, _ version: String) {
        if version.hasPrefix("1.") { unsharedPorts.insert(port) } else { unsharedPorts.remove(port) }
    }

    /// Whether bytes have arrived that belong to no request.
    func isSpoiled(port: UInt16) -> Bool {
        guard unsharedPorts.contains(port), let descriptor = descriptors[port] else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    private static func localPort(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isSocket = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isSocket else { return nil }
        // The port stands at the same place for both families.
        return withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }
}
