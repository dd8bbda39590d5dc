import CSystemCalls
import Dispatch
import Glibc
import WorkerProtocol

/// A running `imgscript-worker` and the socket to it: each step within a deadline and a number of bytes.
///
/// Sending and receiving block the calling thread.
final class WorkerProcess {
    /// The process's number.
    let id: pid_t
    /// This side's end of the socket.
    let socket: Int32
    private var hasEnded = false
    private var deadline = ContinuousClock.now
    private var byteLimit = 0
    private var bytesLeft = 0

    /// Starts the executable with nothing inherited: no environment, no descriptors but its socket.
    ///
    /// `memory` is in megabytes.
    init(executable: String, memory: Int) throws(WorkerError) {
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("imgscript-worker"), strdup(String(memory)), nil]
        defer { for argument in arguments { free(argument) } }
        var (id, socket) = (pid_t(), Int32())
        let code = spawn_isolated(executable, arguments, &id, &socket)
        guard code == 0 else { throw .notStarted(executable, code: code) }
        (self.id, self.socket) = (id, socket)
    }

    /// Ends the process, without waiting until its memory is freed, which takes some milliseconds.
    deinit {
        guard !hasEnded else { return }
        Glibc.kill(id, SIGKILL)
        close(socket)
        DispatchQueue.global().async { [id] in
            while waitpid(id, nil, 0) < 0, errno == EINTR {}
        }
    }

    // MARK: Messages

    /// Begins a step: until the next one, nothing is waited for after `deadline`, and no more than `byteLimit` bytes
    /// come in.
    func beginStep(deadline: ContinuousClock.Instant, byteLimit: Int) {
        self.deadline = deadline
        self.byteLimit = byteLimit
        bytesLeft = byteLimit
    }

    /// Sends a whole frame.
    func send(_ frame: [UInt8]) throws(WorkerError) {
        var sent = 0
        while sent < frame.count {
            let count = frame.withUnsafeBytes { bytes in
                // Without the signal of a closed pipe, which would end this process.
                Glibc.send(socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT)
            } else if errno != EINTR {
                throw .exited(signal: nil)
            }
        }
    }

    /// Waits for the worker's next frame.
    func receive() throws(WorkerError) -> (kind: UInt8, payload: [UInt8]) {
        let head = try read(count: FrameHeader.size)
        let header: FrameHeader
        do throws(WireError) { header = try FrameHeader(head) } catch { throw .protocolViolation(error) }
        bytesLeft -= header.length + FrameHeader.size
        guard bytesLeft >= 0 else { throw .byteLimit(bytes: byteLimit) }
        return (header.kind, try read(count: header.length))
    }

    private func read(count: Int) throws(WorkerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(socket, buffer.baseAddress.map { $0 + filled }, count - filled)
            }
            if got > 0 {
                filled += got
            } else if got < 0, errno == EAGAIN {
                try wait(for: POLLIN)
            } else if got == 0 || errno != EINTR {
                throw .exited(signal: nil)
            }
        }
        return bytes
    }

    private func wait(for events: Int32) throws(WorkerError) {
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let left = (deadline - ContinuousClock.now).milliseconds
            guard left > 0 else { throw .timedOut }
            let ready = poll(&entry, 1, Int32(clamping: left))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw .exited(signal: nil) }
        }
    }

    // MARK: The end

    /// How a process ended.
    struct Exit {
        /// The signal that ended it, if one did.
        let signal: Int32?
        /// What it returned, when it ended by itself.
        let status: Int32?

        fileprivate init(_ status: Int32) {
            let number = status & 0x7f
            signal = number == 0 ? nil : number
            self.status = number == 0 ? status >> 8 & 0xff : nil
        }
    }

    /// Ends the process at once; nothing in it is worth saving.
    func kill() {
        guard !hasEnded else { return }
        Glibc.kill(id, SIGKILL)
        _ = wait()
    }

    /// Waits for a process that has closed its end of the socket, and so is on its way out; one that stays is killed.
    func exit() -> Exit {
        for _ in 0..<100 {
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                markEnded()
                return Exit(status)
            }
            usleep(1_000)
        }
        Glibc.kill(id, SIGKILL)
        return wait()
    }

    private func wait() -> Exit {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        markEnded()
        return Exit(status)
    }

    private func markEnded() {
        hasEnded = true
        close(socket)
    }
}
