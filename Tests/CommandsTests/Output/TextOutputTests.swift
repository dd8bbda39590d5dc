import Glibc
import Synchronization
import Testing

@testable import Commands

struct TextOutputTests {
    @Test func bytesAreBufferedUntilTheFlush() throws {
        let pipe = Pipe()
        let output = TextOutput(descriptor: pipe.writing)
        try output.write("one ")
        try output.write("two")
        #expect(pipe.waiting == 0)
        try output.flush()
        #expect(pipe.waiting == 7)
        pipe.close()
    }

    @Test func fullBufferIsWritten() throws {
        let pipe = Pipe()
        let output = TextOutput(descriptor: pipe.writing)
        try output.write(String(repeating: "x", count: 20_000))
        #expect(pipe.waiting == 20_000)
        pipe.close()
    }

    @Test func readerThatHasGoneIsAQuietSignal() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        pipe.closeReading()
        let output = TextOutput(descriptor: pipe.writing)
        try output.write("nobody reads this")
        #expect(throws: OutputClosed.self) { try output.flush() }
        #expect(throws: OutputClosed.self) { try output.flush() }
    }

    @Test func fullDiskIsAnErrorWithTheSystemsReason() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let output = TextOutput(descriptor: full)
        try output.write("text")
        let error = #expect(throws: OutputError.self) { try output.flush() }
        #expect(error?.code == .writing)
        #expect(error?.message.hasSuffix("No space left on device") == true)
    }

    @Test func statusLineIsClearedBeforeBytesAreWritten() throws {
        let calls = Mutex(0)
        let pipe = Pipe()
        let output = TextOutput(descriptor: pipe.writing) { calls.withLock { $0 += 1 } }
        try output.flush()
        #expect(calls.withLock { $0 } == 0)
        try output.write("text")
        try output.flush()
        #expect(calls.withLock { $0 } == 1)
        pipe.close()
    }
}

/// A pipe of the system.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "the system gave no pipe")
        (reading, writing) = (ends[0], ends[1])
    }

    /// How many bytes can be read.
    var waiting: Int {
        var count: Int32 = 0
        _ = ioctl(reading, UInt(FIONREAD), &count)
        return Int(count)
    }

    func closeReading() { _ = Glibc.close(reading) }

    func close() {
        closeReading()
        _ = Glibc.close(writing)
    }
}
