import Glibc

/// What an output can show.
struct Terminal: Hashable, Sendable {
    /// Whether a person looks at it.
    let isTerminal: Bool
    /// The cells of a line.
    let width: Int
    /// Which escape sequences may be written.
    let style: TerminalStyle

    /// A pipe or a file.
    static let pipe = Terminal(isTerminal: false, columns: nil, environment: [:])

    /// The output behind a descriptor.
    init(descriptor: Int32, environment: [String: String]) {
        let isTerminal = isatty(descriptor) == 1
        let columns = isTerminal ? Self.columns(of: descriptor) : nil
        self.init(isTerminal: isTerminal, columns: columns, environment: environment)
    }

    /// An output with as many columns as its driver says; else what `COLUMNS` says, else 80.
    ///
    /// A serial line or a fresh pseudo-terminal has 0 columns, which says nothing.
    init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
        self.isTerminal = isTerminal
        let said = [columns, environment["COLUMNS"].flatMap { Int($0) }].compactMap(\.self).first { $0 > 0 }
        width = min(max(said ?? 80, 20), 1_000)
        style = TerminalStyle(isTerminal: isTerminal, environment: environment)
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Int(size.ws_col)
    }
}
