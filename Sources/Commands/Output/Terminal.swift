import Glibc
import ProviderModel

/// What an output can show, and the escape sequences for it.
struct Terminal: Hashable, Sendable {
    /// Whether it is a terminal.
    let isTerminal: Bool
    /// The cells of a line.
    private(set) var width: Int
    /// The lines that are seen at once.
    let height: Int
    /// Whether lines that were written may be written over.
    let canRewrite: Bool
    /// Whether text may be coloured.
    let hasColors: Bool
    /// Whether text may be a hyperlink.
    let hasLinks: Bool

    /// A pipe or a file.
    static let pipe = Terminal(isTerminal: false, columns: nil, environment: [:])

    /// The output behind a descriptor.
    init(descriptor: Int32, environment: [String: String]) {
        var size = winsize()
        let isTerminal = isatty(descriptor) == 1
        let isSized = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(
            isTerminal: isTerminal, columns: isSized ? Int(size.ws_col) : nil, rows: isSized ? Int(size.ws_row) : nil,
            environment: environment)
    }

    /// An output with as many columns as its driver says; else what `COLUMNS` says, else 80.
    ///
    /// A serial line or a fresh pseudo-terminal has 0 columns, which says nothing. Colours follow https://no-color.org;
    /// a terminal that is dumb or does not say what it is gets no escape sequences.
    init(isTerminal: Bool, columns: Int?, rows: Int? = nil, environment: [String: String]) {
        self.isTerminal = isTerminal
        height = rows.flatMap { $0 > 0 ? $0 : nil } ?? 24
        let known = [columns, environment["COLUMNS"].flatMap { Int($0) }].compactMap(\.self).first { $0 > 0 }
        width = min(max(known ?? 80, 20), 1_000)
        let kind = environment["TERM"] ?? ""
        canRewrite = isTerminal && !["", "dumb"].contains(kind)
        hasColors = canRewrite && (environment["NO_COLOR"] ?? "").isEmpty
        // The Linux console shows no links, and older kernels print what they do not know.
        hasLinks = hasColors && kind != "linux"
    }

    /// The cells that a line may take: in a pipe or a file nothing is broken or cut.
    var room: Int { isTerminal ? width : 1_000_000 }

    /// The same output with lines that are shorter by so many cells, for what stands indented.
    func narrowed(by cells: Int) -> Terminal {
        var narrower = self
        narrower.width -= cells
        return narrower
    }

    /// The same output with lines of so many cells.
    func resized(to width: Int) -> Terminal {
        var resized = self
        resized.width = width
        return resized
    }

    /// The text in a style.
    func paint(_ text: String, _ style: TextStyle) -> String {
        guard hasColors, style != .plain, !text.isEmpty else { return text }
        return "\u{1b}[\(style.parameters)m\(text)\u{1b}[0m"
    }

    /// A label and the text that follows it, which goes on below itself: `hint: imgscript auth set NAME stores a key`.
    func labelled(_ label: String, _ style: TextStyle, _ text: String, indent: Int = 0) -> [String] {
        let start = indent + label.displayWidth + 1
        let head = String(repeating: " ", count: indent) + paint(label, style) + " "
        return TerminalText.line(text).wrapped(to: max(room - start, 20)).enumerated().map { index, line in
            (index == 0 ? head : String(repeating: " ", count: start)) + line
        }
    }

    /// The text as a hyperlink (OSC 8); a `WebURL` has no controls that could end it early.
    func link(_ text: String, to url: WebURL?) -> String {
        guard hasLinks, let url, !text.isEmpty else { return text }
        return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }
}

/// How a piece of text is set apart where colours can be shown.
enum TextStyle: Hashable, Sendable {
    case plain
    case bold
    case dim
    /// One of a few colours, for each provider the next.
    case accent(Int)
    case good
    case warning
    case bad

    /// Select Graphic Rendition parameters, from the sixteen colours that follow the user's own theme.
    fileprivate var parameters: String {
        switch self {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .accent(let index): Self.accents[index % Self.accents.count]
        case .good: "32"
        case .warning: "1;33"
        case .bad: "1;31"
        }
    }

    /// Cyan, magenta, yellow, green, bright blue; red is for errors, and dark blue is hard to read on black.
    private static let accents = ["36", "35", "33", "32", "94"]
}
