import Synchronization

/// What scripts write with `console`, as much as anyone would read.
final class ScriptLog: Sendable {
    /// The most lines of one test, however many steps it has.
    static let limit = 500

    private let kept = Mutex<[String]>([])

    /// Adds a line while there is space.
    func add(_ line: String) {
        kept.withLock { lines in
            if lines.count < Self.limit { lines.append(line) }
            if lines.count == Self.limit { lines.append("console: further output was dropped") }
        }
    }

    /// The lines, in order.
    var lines: [String] { kept.withLock { $0 } }

    /// The lines since this was asked last.
    func take() -> [String] {
        kept.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
