import Glibc
import TestSupport

/// A server on this machine to which no connection comes about: its queue is full, and nobody takes from it.
final class BlackHole {
    /// The host and the port.
    let address: String
    var origin: String { "http://\(address)" }
    private var descriptors: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener, address, size)
                _ = listen(listener, 0)
                _ = getsockname(listener, address, &length)
            }
        }
        self.address = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        descriptors.append(listener)
        // More than the queue holds; the kernel drops what comes after.
        for _ in 0..<4 {
            let client = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, size) }
            }
            descriptors.append(client)
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
