import Dispatch
import Glibc

/// The inputs on the lines of a file or a pipe, in batches of the lines that are available.
public struct DownloadInputList: AsyncSequence, Sendable {
    /// The most bytes a line may have.
    static let lineLimit = 16 << 20
    /// The most inputs at a time.
    private static let batch = 64

    private let path: String?
    private let name: String

    /// Creates a list of the lines of a file, which is opened when iteration starts.
    ///
    /// - Parameter path: the file.
    public init(path: String) {
        self.path = path
        name = path
    }

    private init() {
        path = nil
        name = "standard input"
    }

    /// The lines of the process's standard input.
    public static let standardInput = DownloadInputList()

    /// The number of lines of a regular file; nil for a pipe, which can be read only once, and for a file that cannot be opened.
    public var count: Int? {
        let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var (lines, last) = (0, UInt8(ascii: "\n"))
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let found = Glibc.read(descriptor, &chunk, chunk.count), found > 0 {
            for byte in chunk[..<found] where byte == UInt8(ascii: "\n") { lines += 1 }
            last = chunk[found - 1]
        }
        return last == UInt8(ascii: "\n") ? lines : lines + 1
    }

    /// Opens the list at its beginning.
    ///
    /// - Returns: the iterator; a file that cannot be opened fails with its first `next()`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path, name: name) }

    /// Iterates over batches of lines; a line that is not an input becomes an unreadable one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let name: String
        private let bytes: ByteSource
        private var pending: [UInt8] = []
        private var start = 0
        private var isAtEnd = false
        private var number = 0
        /// The columns, where the first line has names of such.
        private var csv: CSVInput?
        /// The record whose last line has not come.
        private var record: String?

        init(path: String?, name: String) {
            self.name = name
            bytes = ByteSource(path: path, name: name)
        }

        /// Waits for the next lines.
        ///
        /// - Returns: 1 to 64 inputs; nil at the end.
        /// - Throws: ``DownloadError`` with the code `input` when the file cannot be read or a line is longer than 16 MiB;
        ///   `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> [DownloadInput]? {
            var inputs: [DownloadInput] = []
            while inputs.count < DownloadInputList.batch {
                // Lines that have come are not held back until others do.
                guard let line = inputs.isEmpty ? try await nextLine() : knownLine() else { break }
                if let input = input(on: line) { inputs.append(input) }
            }
            if inputs.isEmpty, isAtEnd, record.take() != nil {
                inputs = [
                    DownloadInput(.unreadable("a value has no closing quotation mark"), place: "\(name):\(number)")
                ]
            }
            return inputs.isEmpty ? nil : inputs
        }

        private mutating func input(on line: ArraySlice<UInt8>) -> DownloadInput? {
            number += 1
            var line = line
            // A byte order mark, as editors on Windows write it.
            if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
            let place = "\(name):\(number)"
            guard let text = String(validating: line, as: UTF8.self) else {
                return DownloadInput(.unreadable("not valid UTF-8"), place: place)
            }
            if number == 1 {
                csv = CSVInput(header: text.withoutReturn)
                if csv != nil { return nil }
            }
            guard let csv else { return DownloadInput(line: text, place: place) }
            return input(in: text, csv, place)
        }

        /// The record that begins with a line, and ends with the line that ends its last value.
        private mutating func input(in line: String, _ csv: CSVInput, _ place: String) -> DownloadInput? {
            let text = (record.map { "\($0)\n" } ?? "") + line.withoutReturn
            record = CSVInput.isOpen(text) ? text : nil
            guard record == nil, !text.isEmpty else { return nil }
            return DownloadInput(csv.subject(of: text), place: place)
        }

        private mutating func nextLine() async throws -> ArraySlice<UInt8>? {
            while true {
                if let line = knownLine() { return line }
                if isAtEnd { return nil }
                pending.removeFirst(start)
                start = 0
                guard pending.count <= DownloadInputList.lineLimit else {
                    throw DownloadError(
                        .input,
                        "\(name):\(number + 1): the line is longer than the maximum of \(DownloadInputList.lineLimit) bytes"
                    )
                }
                let chunk = try await bytes.next()
                if chunk.isEmpty { isAtEnd = true } else { pending += chunk }
            }
        }

        /// The next line, as far as it has come.
        private mutating func knownLine() -> ArraySlice<UInt8>? {
            if let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return pending[start..<end]
            }
            guard isAtEnd, start < pending.endIndex else { return nil }
            defer { start = pending.endIndex }
            return pending[start...]
        }
    }
}

extension String {
    /// The line without the carriage return of a CSV record's end.
    fileprivate var withoutReturn: String {
        utf8.last == 0x0d ? String(decoding: utf8.dropLast(), as: UTF8.self) : self
    }
}

/// The bytes behind a descriptor; those of a pipe, which may be silent for hours, are read on a thread of their own.
private final class ByteSource: Sendable {
    private let descriptor: Int32
    private let name: String
    private let isOwn: Bool
    private let isFile: Bool
    /// Why it cannot be read, as a number of the system; 0 where it can.
    private let problem: Int32
    private let queue = DispatchQueue(label: "imgscript.input")

    init(path: String?, name: String) {
        self.name = name
        isOwn = path != nil
        descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
        let reason = errno
        var facts = stat()
        let kind = descriptor >= 0 && fstat(descriptor, &facts) == 0 ? facts.st_mode & S_IFMT : 0
        isFile = kind == S_IFREG
        problem = descriptor < 0 ? reason : kind == S_IFDIR ? EISDIR : 0
    }

    deinit { if isOwn, descriptor >= 0 { close(descriptor) } }

    /// The next bytes; none at the end.
    func next() async throws -> [UInt8] {
        if problem != 0 { throw failure(problem) }
        while true {
            try Task.checkCancellation()
            let chunk = isFile ? try read() : try await readBeside()
            if let chunk { return chunk }
        }
    }

    private func readBeside() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { answer in
            queue.async {
                var request = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
                let hasCome = poll(&request, 1, 100) > 0
                answer.resume(with: Result { hasCome ? try self.read() : nil })
            }
        }
    }

    /// What is there; nil when it was interrupted.
    private func read() throws -> [UInt8]? {
        var problem: Int32 = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            let found = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            problem = found < 0 ? errno : 0
            count = max(found, 0)
        }
        guard problem != 0 else { return chunk }
        guard problem == EINTR || problem == EAGAIN else { throw failure(problem) }
        return nil
    }

    private func failure(_ problem: Int32) -> DownloadError {
        DownloadError(.input, "could not read \(name) (\(String(cString: strerror(problem))))")
    }
}
