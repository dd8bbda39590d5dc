import Glibc
import Synchronization

/// The process's output: collected in a buffer, written when flushed or when much has come together.
///
/// The caller ignores SIGPIPE; a reader that has gone then shows as `OutputClosed`.
final class StandardOutput: TextSink {
    private struct State {
        var pending: [UInt8] = []
        var isClosed = false
    }

    /// A pipe's capacity on Linux is 64 KiB; a quarter of it goes out in one call without waiting.
    private static let capacity = 16_384

    private let descriptor: Int32
    private let beforeWriting: @Sendable () -> Void
    private let state = Mutex(State())

    /// Output to a descriptor; `beforeWriting` runs before bytes go out, to take away a status line in their place.
    init(descriptor: Int32 = STDOUT_FILENO, beforeWriting: @escaping @Sendable () -> Void = {}) {
        self.descriptor = descriptor
        self.beforeWriting = beforeWriting
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.pending += bytes
            if state.pending.count >= Self.capacity { try send(&state) }
        }
    }

    func flush() throws {
        try state.withLock { try send(&$0) }
    }

    private func send(_ state: inout State) throws {
        guard !state.isClosed else { throw OutputClosed() }
        guard !state.pending.isEmpty else { return }
        beforeWriting()
        let bytes = state.pending
        state.pending.removeAll(keepingCapacity: true)
        do {
            try DescriptorWriter(descriptor: descriptor).write(bytes)
        } catch {
            state.isClosed = true
            throw error
        }
    }
}

/// The process's error output: unbuffered, as what is said there may be the last that is said.
final class StandardError: TextSink {
    /// The error output.
    init() {}

    func write(_ bytes: [UInt8]) throws { try DescriptorWriter(descriptor: STDERR_FILENO).write(bytes) }

    func flush() {}
}

/// Writes all of some bytes to a descriptor, however many calls that takes.
struct DescriptorWriter {
    /// Where the bytes go.
    let descriptor: Int32

    /// Writes all bytes; throws `OutputClosed` when nobody reads any more.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            // A terminal shared with another program may have been left non-blocking by it.
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw OutputClosed()
            case let code:
                throw OutputError(.writing, "the output cannot be written: \(String(cString: strerror(code)))")
            }
        }
    }

    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }
}
