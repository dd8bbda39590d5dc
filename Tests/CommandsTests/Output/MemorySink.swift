import Synchronization

@testable import Commands

/// A sink that keeps what it is given.
final class MemorySink: TextSink {
    private let bytes = Mutex<[UInt8]>([])
    private let flushed = Mutex(0)

    /// An empty sink.
    init() {}

    /// All that was written.
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// How much of it was written before the last flush.
    var flushedText: String {
        let count = flushed.withLock { $0 }
        return bytes.withLock { String(decoding: $0.prefix(count), as: UTF8.self) }
    }

    func write(_ bytes: [UInt8]) { self.bytes.withLock { $0 += bytes } }

    func flush() {
        let count = bytes.withLock { $0.count }
        flushed.withLock { $0 = count }
    }
}
