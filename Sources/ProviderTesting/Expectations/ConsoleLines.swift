import Synchronization

/// What scripts write with `console` while a test runs, as much as anyone would read.
final class ConsoleLines: Sendable {
    /// The most lines of one test, however many steps it has.
    static let limit = 500

    private let lines = Mutex<[String]>([])

    /// Adds a line while there is room.
    func add(_ line: String) {
        lines.withLock { lines in
            if lines.count < Self.limit { lines.append(line) }
            if lines.count == Self.limit { lines.append("console: more was written than is shown") }
        }
    }

    /// The lines since this was asked last.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
