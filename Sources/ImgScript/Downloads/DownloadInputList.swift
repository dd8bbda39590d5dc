import Dispatch
import Glibc

extension ImageEngine {
    /// The inputs on the lines of a file or a pipe, each handed on as soon as it is there.
    public struct DownloadInputList: AsyncSequence, Sendable {
        /// The most bytes a line may have.
        static let lineLimit = 16 << 20

        private let path: String?
        private let name: String

        /// The lines of a file.
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

        /// How many inputs there are at most, as far as that can be told without reading what can be read only once.
        public var count: Int? {
            let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
            guard descriptor >= 0 else { return nil }
            defer { Glibc.close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            var (lines, last) = (0, UInt8(ascii: "\n"))
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 64) { chunk in
                while case let found = Glibc.read(descriptor, chunk.baseAddress, chunk.count), found > 0 {
                    let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<found]).assumingMemoryBound(to: UInt8.self)
                    for byte in bytes where byte == UInt8(ascii: "\n") { lines &+= 1 }
                    last = chunk[found - 1]
                }
            }
            return last == UInt8(ascii: "\n") ? lines : lines + 1
        }

        /// Opens the list at its beginning.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path, name: name) }

        /// Reads lines; one that cannot be an input is told as one that is unreadable.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let name: String
            private let bytes: ByteSource
            private var pending: [UInt8] = []
            private var start = 0
            private var isAtEnd = false
            private var number = 0

            init(path: String?, name: String) {
                self.name = name
                bytes = ByteSource(path: path, name: name)
            }

            /// The next input; throws when the file cannot be read.
            public mutating func next() async throws -> DownloadInput? {
                while var line = try await nextLine() {
                    number += 1
                    // A mark of byte order, as editors on Windows set it.
                    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
                    let place = "\(name):\(number)"
                    guard let text = String(validating: line, as: UTF8.self) else {
                        return DownloadInput(.unreadable("it is no UTF-8 text"), place: place)
                    }
                    if let input = DownloadInput(line: text, place: place) { return input }
                }
                return nil
            }

            private mutating func nextLine() async throws -> ArraySlice<UInt8>? {
                var searched = start
                while true {
                    if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                        defer { start = end + 1 }
                        return pending[start..<end]
                    }
                    if isAtEnd {
                        defer { start = pending.endIndex }
                        return start < pending.endIndex ? pending[start...] : nil
                    }
                    pending.removeFirst(start)
                    start = 0
                    searched = pending.count
                    guard pending.count <= DownloadInputList.lineLimit else {
                        throw DownloadFailure(
                            .input,
                            "\(name):\(number + 1): the line is longer than \(DownloadInputList.lineLimit) bytes")
                    }
                    let chunk = try await bytes.next()
                    if chunk.isEmpty { isAtEnd = true } else { pending += chunk }
                }
            }
        }
    }
}

/// The bytes behind a descriptor; those of a pipe, which may be silent for hours, are read beside the threads that all
/// tasks share.
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
            // A thread for the queue would have to wait while libcurl is being loaded.
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

    private func failure(_ problem: Int32) -> ImageEngine.DownloadFailure {
        .init(.input, "\(name) cannot be read: \(String(cString: strerror(problem)))")
    }
}
