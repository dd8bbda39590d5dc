import Glibc
import WorkerProtocol

/// The worker's side of the connection to its host: blocking reads and writes on standard input and output.
struct MessagePipe {
    /// Reads the next message of the host; nil when the host has closed the connection.
    func receive() throws(WireError) -> HostMessage? {
        guard let head = read(count: FrameHeader.size) else { return nil }
        let header = try FrameHeader(head)
        guard let payload = read(count: header.length) else { return nil }
        return try HostMessage(kind: header.kind, payload: payload)
    }

    /// Sends a message; false when the host has closed the connection.
    func send(_ message: WorkerMessage) -> Bool { send(message.frame) }

    /// Sends an encoded message; false when the host has closed the connection.
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
