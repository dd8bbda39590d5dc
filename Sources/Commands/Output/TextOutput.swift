import Glibc
import Synchronization

/// Text for a file descriptor: collected in a buffer, written when flushed or when the buffer is full.
///
/// The process ignores SIGPIPE; a reader that has gone shows as `OutputClosed`.
final class TextOutput: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isClosed = false
        /// Whether a reader that has gone is no reason to stop.
        var needsNoReader = false
    }

    /// A quarter of a pipe's capacity on Linux, which one call writes without waiting.
    static let defaultBufferSize = 16_384

    private let bufferSize: Int
    private let send: @Sendable ([UInt8]) throws -> Void
    private let state = Mutex(State())

    /// Output to a descriptor; `beforeWriting` runs before bytes are written, to clear a status line in their place.
    convenience init(
        descriptor: Int32 = STDOUT_FILENO, bufferSize: Int = defaultBufferSize,
        beforeWriting: @escaping @Sendable () -> Void = {}
    ) {
        self.init(bufferSize: bufferSize) { bytes in
            beforeWriting()
            try Self.write(bytes, to: descriptor)
        }
    }

    /// Output that is passed to a function.
    init(bufferSize: Int, send: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.bufferSize = bufferSize
        self.send = send
    }

    /// Has the command go on when its reader has gone: what is written then goes nowhere.
    ///
    /// Other failures are thrown once.
    func continueWithoutReader() { state.withLock { $0.needsNoReader = true } }

    /// Takes UTF-8 text.
    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.pending += bytes
            if state.pending.count >= bufferSize { try flush(&state) }
        }
    }

    /// Takes text.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Takes one line and ends it.
    func writeLine(_ text: String) throws { try write(text + "\n") }

    /// Writes what is in the buffer.
    func flush() throws { try state.withLock { try flush(&$0) } }

    private func flush(_ state: inout State) throws {
        guard !state.isClosed else {
            state.pending.removeAll()
            if state.needsNoReader { return }
            throw OutputClosed()
        }
        guard !state.pending.isEmpty else { return }
        let bytes = state.pending
        state.pending.removeAll(keepingCapacity: true)
        do { try send(bytes) } catch {
            state.isClosed = true
            if !(error is OutputClosed && state.needsNoReader) { throw error }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // A terminal shared with another program may have been left non-blocking by it.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            case EPIPE: throw OutputClosed()
            case let code:
                throw OutputError(.writing, "could not write the output: \(String(cString: strerror(code)))")
            }
        }
    }
}

/// The reader closed the output, as `head` does after its lines: the command stops quietly, but for downloads, which go on.
struct OutputClosed: Error, Hashable {}

/// Why results cannot be printed.
struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The kind of a failure.
    enum Code: String, Sendable {
        /// There is no such format, or its template cannot be read.
        case unknownFormat
        /// A template names a field or a filter that does not exist.
        case unknownField
        /// The system did not take what was written.
        case writing
        /// The system does not report changes to files.
        case watching
    }

    /// The kind of the failure.
    let code: Code
    /// What was found and what was expected.
    let message: String

    /// Creates an error.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    var description: String { message }
}
