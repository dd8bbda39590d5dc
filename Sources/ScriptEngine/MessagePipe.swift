import Glibc
import WorkerProtocol

/// The worker's ends of the wall: blocking reads and writes on standard input and output.
struct MessagePipe {
    private let memory = PreparedMemory()

    /// How long the host's next message is looked out for before the worker sleeps.
    ///
    /// Many answers are at hand when they are asked for, and waking up takes as long as reading the JSON of one.
    private static let lookout = Duration.microseconds(50)

    /// Reads the next message of the host; nil when the host has closed the pipe.
    func receive() throws(WireError) -> HostMessage? {
        prepareForMessage()
        guard let head = read(count: FrameHeader.size) else { return nil }
        let header = try FrameHeader(head)
        memory.note(messageOf: header.length)
        guard let payload = read(count: header.length) else { return nil }
        return try HostMessage(kind: header.kind, payload: payload)
    }

    /// Sends a message; false when the host has closed the pipe.
    func send(_ message: WorkerMessage) -> Bool { send(message.frame) }

    /// Sends a message that is put together already.
    func send(_ frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private func prepareForMessage() {
        let end = UpTime.now + Self.lookout
        while !hasMessage {
            // First the host, which may have been given the same processor.
            sched_yield()
            guard memory.touchMore() || UpTime.now < end else { break }
        }
        memory.end()
    }

    /// Whether something has come, or the host has gone.
    var hasMessage: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    private func read(count: Int) -> [UInt8]? {
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(STDIN_FILENO, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isComplete = false
                    return
                }
                filled += got
            }
        }
        return isComplete ? bytes : nil
    }
}
