import Synchronization

/// The lines that scripts write with `console`, up to a limit.
final class ScriptLog: Sendable {
    /// The maximum number of lines of one test.
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
