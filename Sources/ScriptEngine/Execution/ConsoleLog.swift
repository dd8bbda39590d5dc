/// The lines that a script writes with `console`, up to a limit.
final class ConsoleLog {
    /// The maximum number of lines in one step.
    static let lineLimit = 500
    /// The maximum number of UTF-8 bytes in one step.
    static let byteLimit = 256 << 10

    /// Sends a line to the host.
    var output: (_ level: String, _ text: String) -> Void = { _, _ in }
    private var lines = 0
    private var bytes = 0

    /// Resets the limits for a step.
    func beginStep() { (lines, bytes) = (0, 0) }

    /// Sends a line within the bounds of the step; says once that they are exceeded.
    func write(_ level: String, _ text: String) {
        guard lines <= Self.lineLimit else { return }
        lines += 1
        bytes += text.utf8.count
        guard lines <= Self.lineLimit, bytes <= Self.byteLimit else {
            lines = Self.lineLimit + 1
            output("warning", "console: further output of this step was dropped")
            return
        }
        output(level, text)
    }
}
