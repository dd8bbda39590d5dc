import Glibc

/// What an output can show.
struct Terminal: Hashable, Sendable {
    /// Whether a person looks at it.
    let isTerminal: Bool
    /// The cells of a line.
    private(set) var width: Int
    /// The lines that are seen at once.
    let height: Int
    /// Whether lines that were written may be written over.
    let canRewrite: Bool
    /// Which escape sequences may be written.
    let style: TerminalStyle

    /// A pipe or a file.
    static let pipe = Terminal(isTerminal: false, columns: nil, environment: [:])

    /// The output behind a descriptor.
    init(descriptor: Int32, environment: [String: String]) {
        let isTerminal = isatty(descriptor) == 1
        let size = isTerminal ? Self.size(of: descriptor) : nil
        self.init(isTerminal: isTerminal, columns: size?.columns, rows: size?.rows, environment: environment)
    }

    /// An output with as many columns as its driver says; else what `COLUMNS` says, else 80.
    ///
    /// A serial line or a fresh pseudo-terminal has 0 columns, which says nothing.
    init(isTerminal: Bool, columns: Int?, rows: Int? = nil, environment: [String: String]) {
        self.isTerminal = isTerminal
        height = rows.flatMap { $0 > 0 ? $0 : nil } ?? 24
        canRewrite = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
        let said = [columns, environment["COLUMNS"].flatMap { Int($0) }].compactMap(\.self).first { $0 > 0 }
        width = min(max(said ?? 80, 20), 1_000)
        style = TerminalStyle(isTerminal: isTerminal, environment: environment)
    }

    /// The same output with lines that are shorter by so many cells, for what stands indented.
    func narrowed(by cells: Int) -> Terminal {
        var narrower = self
        narrower.width -= cells
        return narrower
    }

    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
