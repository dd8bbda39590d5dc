import Glibc

/// The sockets of libcurl's connections, and what lies unread in them.
///
/// A server that sends more than it announced spoils its connection: what it sent too much would be the beginning of
/// the next answer. libcurl notices what it has read already, but before version 8 not what comes a moment later.
final class OpenSockets {
    /// Those whose local port has not been asked for: an unconnected socket has none.
    private var unasked: [Int32] = []
    private var descriptors: [UInt16: Int32] = [:]
    /// The local ports of connections that carry one answer at a time; in others there may always be something to read.
    private var unsharedPorts: Set<UInt16> = []

    private var connected: [CurlTransfer] = []
    /// The peer that was asked for last: many requests go to one server.
    private var lastPeer: (text: String, address: NetworkAddress)?

    init() { unsharedPorts.reserveCapacity(4) }

    /// Notes that a transfer has got its connection.
    func noteConnection(of transfer: CurlTransfer) { connected.append(transfer) }

    /// Keeps nothing of a transfer that is over.
    func forgetConnection(of transfer: CurlTransfer) { connected.removeAll { $0 === transfer } }

    /// Those that have since this was asked last.
    func takeConnected() -> [CurlTransfer] {
        guard !connected.isEmpty else { return [] }
        defer { connected = [] }
        return connected
    }

    /// The address of a peer as libcurl writes it; nil for what is none.
    func address(of peer: UnsafePointer<CChar>) -> NetworkAddress? {
        if let lastPeer, lastPeer.text.withCString({ strcmp($0, peer) == 0 }) { return lastPeer.address }
        let text = String(cString: peer)
        guard let address = NetworkAddress(literal: text) else { return nil }
        lastPeer = (text, address)
        return address
    }

    /// Notes a new socket.
    func opened(_ descriptor: Int32) {
        forget(descriptor)
        unasked.append(descriptor)
    }

    /// Closes a socket that libcurl needs no more.
    func close(_ descriptor: Int32) -> Int32 {
        forget(descriptor)
        return Glibc.close(descriptor)
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

    /// The socket with a local port; each is asked once, which costs a system call.
    private func descriptor(of port: UInt16) -> Int32? {
        if let known = descriptors[port] { return known }
        guard let place = unasked.firstIndex(where: { Self.localPort(of: $0) == port }) else { return nil }
        let found = unasked.remove(at: place)
        descriptors[port] = found
        return found
    }

    private func forget(_ descriptor: Int32) {
        unasked.removeAll { $0 == descriptor }
        guard let known = descriptors.first(where: { $0.value == descriptor }) else { return }
        descriptors[known.key] = nil
        unsharedPorts.remove(known.key)
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
