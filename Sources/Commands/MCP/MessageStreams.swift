import Dispatch
import Glibc
import ProviderModel

/// The messages that a client writes, one a line.
enum MessageInput {
    /// The longest message in bytes.
    private static let limit = 8 << 20

    /// The lines of a file, to its end; of a longer one comes the beginning, which is no message.
    static func lines(of descriptor: Int32) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            // Reading waits for the client, until the process ends.
            DispatchQueue(label: "mcp input").async {
                var line: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    var rest = buffer[..<count]
                    while let end = rest.firstIndex(of: 0x0a) {
                        line += rest[..<end].prefix(limit - line.count)
                        if !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { continuation.yield(line) }
                        line = []
                        rest = rest[(end + 1)...]
                    }
                    line += rest.prefix(limit - line.count)
                }
                if !line.isEmpty { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// Writes messages in order, one a line, without having anybody wait for the client to read them.
final class MessageOutput: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "mcp output")
    private let whenClosed: @Sendable () -> Void

    /// An output to a file; `whenClosed` is called when nobody reads it any more.
    init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.whenClosed = whenClosed
    }

    func send(_ message: JSONValue) {
        queue.async { [self] in
            if !descriptor.writeAll(Array((message.compact + "\n").utf8)) { whenClosed() }
        }
    }

    /// Waits until everything is written.
    func flush() async { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
}
