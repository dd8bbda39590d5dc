import Synchronization

@testable import Commands

/// What an output was given.
final class MemorySink: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// An output without a buffer that writes into this.
    var output: TextOutput {
        TextOutput(bufferSize: 0) { [self] bytes in self.bytes.withLock { $0 += bytes } }
    }

    /// All that was written.
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
