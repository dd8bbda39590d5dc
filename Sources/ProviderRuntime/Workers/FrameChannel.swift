import CSpawn
import Glibc
import WorkerProtocol

/// Frames over non-blocking pipes, each step within a deadline and a number of bytes.
struct FrameChannel {
    let input: Int32
    let output: Int32
    private var deadline = ContinuousClock.now
    private var budget = 0
    private var left = 0
    /// The header of a frame whose payload has not been read.
    private var header: [UInt8]?
    private var lookout = Lookout()

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Begins a step: from now on nothing is waited for past `deadline`.
    mutating func begin(deadline: ContinuousClock.Instant, budget: Int) {
        self.deadline = deadline
        (self.budget, left) = (budget, budget)
    }

    /// Sends as much of a frame as the pipe takes at once, and returns how much that was.
    func sendAtOnce(_ frame: [UInt8]) -> Int { max(0, write(frame, from: 0)) }

    /// Sends a whole frame, or what is left of it.
    func send(_ frame: [UInt8], from start: Int = 0) throws(WorkerFault) {
        var sent = start
        while sent < frame.count {
            let count = write(frame, from: sent)
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: input, events: Int16(POLLOUT))
            } else if errno != EINTR {
                throw .ended(signal: nil)
            }
        }
    }

    private func write(_ frame: [UInt8], from start: Int) -> Int {
        frame.withUnsafeBytes { write_without_signal(input, $0.baseAddress.map { $0 + start }, $0.count - start) }
    }

    /// Waits a millisecond for a frame, and says whether `receive` will find all of it there.
    mutating func hasFrame() -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        var ready = poll(&entry, 1, 0)
        if ready == 0, lookout.isWorthwhile() {
            let start = ContinuousClock.now
            while ready == 0, ContinuousClock.now - start < Lookout.length {
                sched_yield()
                ready = poll(&entry, 1, 0)
            }
            lookout.note(ContinuousClock.now - start)
        }
        if ready == 0 { ready = poll(&entry, 1, 1) }
        guard ready > 0, bytesThere >= (header == nil ? FrameHeader.size : 0) else { return false }
        do {
            let head = try header ?? read(count: FrameHeader.size)
            header = head
            return bytesThere >= (try FrameHeader(head).length)
        } catch {
            // `receive` meets the same, and tells it.
            return true
        }
    }

    /// Bytes that can be read at once.
    private var bytesThere: Int {
        var count: CInt = 0
        return ioctl(output, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Waits for the next frame of the worker.
    mutating func receive() throws(WorkerFault) -> WorkerMessage {
        do {
            let header = try FrameHeader(self.header ?? read(count: FrameHeader.size))
            self.header = nil
            left -= header.length + FrameHeader.size
            guard left >= 0 else { throw WorkerFault.byteLimit(bytes: budget) }
            return try WorkerMessage(kind: header.kind, payload: read(count: header.length))
        } catch let error as WireError {
            throw .protocolViolation(error)
        } catch let fault as WorkerFault {
            throw fault
        } catch {
            throw .protocolViolation(.malformed("\(error)"))
        }
    }

    private func read(count: Int) throws(WorkerFault) -> [UInt8] {
        var fault: WorkerFault?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(output, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    fault = .ended(signal: nil)
                    return
                } else if errno == EAGAIN {
                    do throws(WorkerFault) { try wait(for: output, events: Int16(POLLIN)) } catch {
                        fault = error
                        return
                    }
                } else if errno != EINTR {
                    fault = .ended(signal: nil)
                    return
                }
            }
        }
        if let fault { throw fault }
        return bytes
    }

    private func wait(for descriptor: Int32, events: Int16) throws(WorkerFault) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let left = (deadline - ContinuousClock.now).milliseconds
            guard left > 0 else { throw .deadline }
            let ready = poll(&entry, 1, Int32(clamping: left))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw .ended(signal: nil) }
        }
    }
}
