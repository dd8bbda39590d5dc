import Glibc

/// The sockets of libcurl's connections, and what lies unread in them.
///
/// A server that sends more than it announced spoils its connection: what it sent too much would be the beginning of
/// the next answer. libcurl notices what it has read already, but before version 8 not what comes a moment later.
final class OpenSockets {
    private var descriptors: [Int32] = []
    /// Which descriptor had a port when it was looked for last; checked before it is believed.
    private var knownDescriptors: [UInt16: Int32] = [:]
    /// The local ports of connections that carry one answer at a time; in others there may always be something to read.
    private var unsharedPorts: Set<UInt16> = []

    private var hasConnection = false

    /// Notes that a transfer has got its connection.
    func noteConnection() { hasConnection = true }

    /// Whether one has since this was asked last.
    func takeConnectedFlag() -> Bool {
        defer { hasConnection = false }
        return hasConnection
    }

    /// Notes a new socket.
    func opened(_ descriptor: Int32) {
        descriptors.removeAll { $0 == descriptor }
        descriptors.append(descriptor)
    }

    /// Notes that a connection is a new one, about which nothing is known.
    func connected(from port: UInt16) { unsharedPorts.remove(port) }

    /// Notes which version of HTTP a connection has just spoken.
    func answered(from port: UInt16, version: String) {
        if version.hasPrefix("1.") { unsharedPorts.insert(port) } else { unsharedPorts.remove(port) }
    }

    /// Whether something has come that no request asked for.
    func isSpoiled(port: UInt16) -> Bool {
        guard unsharedPorts.contains(port) else { return false }
        guard let descriptor = descriptor(of: port) else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// The socket with a local port. Asking all of them each time would cost a system call for each.
    private func descriptor(of port: UInt16) -> Int32? {
        if let known = knownDescriptors[port], Self.localPort(of: known) == port { return known }
        // libcurl closes sockets unseen; those that are none any more are forgotten here.
        descriptors.removeAll { Self.localPort(of: $0) == nil }
        let found = descriptors.first { Self.localPort(of: $0) == port }
        if knownDescriptors.count > 1_024 { knownDescriptors = [:] }
        knownDescriptors[port] = found
        return found
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
