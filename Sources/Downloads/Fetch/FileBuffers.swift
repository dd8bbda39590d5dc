import Synchronization

/// Memory that small files are put together in, one after another.
///
/// Given back to the system after each file, it would have to be got again page by page for the next.
final class FileBuffers: Sendable {
    private let idle = Mutex<[[UInt8]]>([])

    /// How many are kept for the next files.
    private static let idleLimit = 64

    /// An empty buffer with room for so many bytes.
    func take(_ capacity: Int) -> [UInt8] {
        var buffer = idle.withLock { $0.popLast() } ?? []
        buffer.reserveCapacity(capacity)
        return buffer
    }

    /// Takes a buffer back that nobody else holds.
    func takeBack(_ buffer: consuming [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        let empty = buffer
        idle.withLock { idle in
            if idle.count < Self.idleLimit { idle.append(empty) }
        }
    }
}
