import ArgumentParser
import ImgScript

/// How pictures are drawn on a terminal.
enum PictureFormat: String, Sendable, OptionChoice {
    /// The best that the terminal is known to show.
    case auto
    /// The graphics protocol of kitty.
    case kitty
    /// The inline images of iTerm2.
    case iterm
    /// The pixels of a DEC VT340, six rows at a time.
    case sixels
    /// Half blocks in colours, or shapes without: any terminal has them.
    case symbols

    /// What a terminal shows, by the variables that it sets.
    ///
    /// xterm and others that may or may not show sixels have to be asked, and answer late or never: there the user chooses.
    static func detected(in environment: [String: String]) -> PictureFormat {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let kind = value("TERM")
        // What is between the program and the terminal passes on text alone, while the terminal's variables remain.
        if !value("TMUX").isEmpty || !value("STY").isEmpty || kind.hasPrefix("tmux") || kind.hasPrefix("screen") {
            return .symbols
        }
        if !value("NO_COLOR").isEmpty { return .symbols }
        if kind == "xterm-kitty" || kind == "xterm-ghostty" || !value("KITTY_WINDOW_ID").isEmpty { return .kitty }
        if ["iTerm.app", "WezTerm", "mintty"].contains(value("TERM_PROGRAM")) || value("LC_TERMINAL") == "iTerm2" {
            return .iterm
        }
        if kind == "foot" || kind.hasPrefix("foot-") || kind.hasPrefix("mlterm") || kind.contains("sixel") {
            return .sixels
        }
        return .symbols
    }

    /// Whether the terminal draws pixels, over the cells of the text.
    var isGraphics: Bool { self != .symbols }
}

/// How many colours symbols have, as chafa names them.
enum PictureColors: String, Sendable {
    case full
    case many = "256"
    case few = "16"
    case none

    /// The colours of a terminal, by the variables that it sets; https://no-color.org.
    init(in environment: [String: String]) {
        let kind = environment["TERM"] ?? ""
        if environment["NO_COLOR"]?.isEmpty == false {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || kind.hasSuffix("-direct") {
            self = .full
        } else {
            self = kind.contains("256color") || kind.hasPrefix("foot") || kind == "xterm-kitty" ? .many : .few
        }
    }
}

/// A size in cells of the terminal.
struct CellSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    /// The largest size within this one in the proportions of a picture, at least one cell; cells are twice as high as wide.
    func fitting(width: Int?, height: Int?) -> CellSize {
        let proportions = min(max(Double(max(width ?? 4, 1)) / Double(max(height ?? 3, 1)), 0.05), 20) * 2
        let wide = CellSize(columns: columns, rows: Int((Double(columns) / proportions).rounded()))
        guard wide.rows > rows else { return CellSize(columns: columns, rows: max(wide.rows, 1)) }
        return CellSize(columns: min(max(Int((Double(rows) * proportions).rounded()), 1), columns), rows: rows)
    }
}

/// Why a terminal cannot be used as it was asked for.
struct TerminalError: Error, Hashable, CustomStringConvertible {
    /// The kind of a failure.
    enum Code: Sendable {
        /// There is no terminal, or one that can only print.
        case noTerminal
        /// A program that is needed is not installed.
        case noProgram
        /// There is no desktop to show pages on.
        case noScreen
    }

    /// The kind of the failure.
    let code: Code
    /// What was found and what was expected.
    let message: String
    /// The command or option that helps.
    var hint: String?

    var description: String { message }

    /// Checks that text can be written anywhere on a terminal; `what` needs it.
    static func check(_ terminal: Terminal, for what: String, otherwise hint: String? = nil) throws(TerminalError) {
        guard terminal.isTerminal else {
            throw TerminalError(
                code: .noTerminal, message: "\(what) needs a terminal", hint: hint)
        }
        guard terminal.canRewrite else {
            throw TerminalError(
                code: .noTerminal,
                message: "\(what): this terminal can only print (found TERM=dumb or no TERM, expected such as xterm)",
                hint: hint)
        }
    }
}

/// Whether and how listings show pictures.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "how pictures are drawn: as kitty, iterm or sixels graphics, or as symbols; auto asks the environment",
            valueName: "format"))
    var previewFormat = PictureFormat.auto
}
