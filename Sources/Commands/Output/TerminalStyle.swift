import ProviderModel

/// How a piece of text is set apart where colours can be shown.
enum TextStyle: Hashable, Sendable {
    case plain
    case bold
    case dim
    /// One colour for each provider, in turn.
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

/// Which escape sequences may be written.
struct TerminalStyle: Hashable, Sendable {
    /// Whether text may be coloured.
    let hasColors: Bool
    /// Whether text may be a hyperlink.
    let hasLinks: Bool

    /// No escape sequences at all.
    static let plain = TerminalStyle(hasColors: false, hasLinks: false)

    /// A style of one's own making.
    init(hasColors: Bool, hasLinks: Bool) {
        self.hasColors = hasColors
        self.hasLinks = hasLinks
    }

    /// The style for an output: https://no-color.org, and nothing for a terminal that is dumb or does not say what it is.
    init(isTerminal: Bool, environment: [String: String]) {
        let kind = environment["TERM"] ?? ""
        let isCapable = isTerminal && !kind.isEmpty && kind != "dumb"
        hasColors = isCapable && (environment["NO_COLOR"] ?? "").isEmpty
        // The Linux console shows no links, and older kernels print what they do not know.
        hasLinks = hasColors && kind != "linux"
    }

    /// The text in a style.
    func paint(_ text: String, _ style: TextStyle) -> String {
        guard hasColors, style != .plain, !text.isEmpty else { return text }
        return "\u{1b}[\(style.parameters)m\(text)\u{1b}[0m"
    }

    /// The text as a hyperlink (OSC 8); a `WebURL` has no controls that could end it early.
    func link(_ text: String, to url: WebURL?) -> String {
        guard hasLinks, let url, !text.isEmpty else { return text }
        return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }
}
