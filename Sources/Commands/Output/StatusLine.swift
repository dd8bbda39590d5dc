import ProviderModel
import Synchronization

/// What is said beside the results, on the error output: errors, warnings, what is being waited for.
///
/// What is waited for stands on one line that is written over on a terminal, and is said once elsewhere.
final class StatusLine: Sendable {
    /// How much is said.
    enum Verbosity: Int, Comparable, Sendable {
        /// Errors only.
        case quiet
        case normal
        /// Debug lines too.
        case verbose

        static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var waits: [(subject: String, text: String)] = []
        /// Lines that stand below everything that is said.
        var footer: [String] = []
        /// How many lines of the footer and the waits are on the screen.
        var shown = 0

        var isLineShown: Bool { shown > 0 }
    }

    private let sink: any TextSink
    let terminal: Terminal
    private let verbosity: Verbosity
    private let state = Mutex(State())

    /// Messages to a sink.
    init(to sink: any TextSink = StandardError(), on terminal: Terminal, verbosity: Verbosity = .normal) {
        self.sink = sink
        self.terminal = terminal
        self.verbosity = verbosity
    }

    /// Whether nothing is said but errors.
    var isQuiet: Bool { verbosity == .quiet }

    /// Says what went wrong, and what to do next.
    func error(_ message: String, hint: String? = nil) {
        write(label("imgscript:", .bad) + TerminalText.line(message), hint: hint)
    }

    /// Says what went wrong with a provider.
    func error(_ error: ProviderError) {
        let text = TerminalText.line(error.description)
        let place = text.prefix { $0 != " " }
        write(label(String(place), .bad) + text.dropFirst(place.count + 1), hint: error.fullHint)
    }

    /// Says what may not be as expected.
    func warning(_ message: String, hint: String? = nil) {
        guard verbosity >= .normal else { return }
        write(label("imgscript: warning:", .warning) + TerminalText.line(message), hint: hint)
    }

    /// Says what is good to know.
    func note(_ message: String, hint: String? = nil) {
        guard verbosity >= .normal else { return }
        write(TerminalText.line(message), hint: hint)
    }

    /// Says a line that was rendered elsewhere, such as a `ResultSummary`.
    func note(rendered line: String) {
        if verbosity >= .normal { write(line) }
    }

    /// Says what helps to find a fault.
    func debug(_ message: @autoclosure () -> String) {
        if verbosity >= .verbose { write(TableCell(message(), .dim).rendered(on: terminal)) }
    }

    /// Says a step of a trace, which was asked for; its columns stay where they are.
    func trace(_ line: TraceLine) { write(terminal.style.paint(line.text, .dim)) }

    /// Says a line that a script wrote during a trace.
    func trace(console message: String) { write(TableCell(message, .dim).rendered(on: terminal)) }

    /// Shows what a provider is being waited for, in place of what it said before: `waiting 12 s for the rate limit`.
    func wait(_ text: String, for subject: String) {
        guard verbosity >= .normal else { return }
        state.withLock { state in
            let isNew = !state.waits.contains { $0.subject == subject }
            state.waits.removeAll { $0.subject == subject }
            state.waits.append((subject, text))
            if terminal.style.hasColors {
                send(line(for: &state))
            } else if isNew {
                send(erasing(state) + TerminalText.line("\(subject): \(text)") + "\n" + footer(for: &state))
            }
        }
    }

    /// Takes away what was said about a wait that is over.
    func finishWaiting(for subject: String) {
        state.withLock { state in
            guard state.waits.contains(where: { $0.subject == subject }) else { return }
            state.waits.removeAll { $0.subject == subject }
            if state.isLineShown { send(line(for: &state)) }
        }
    }

    /// Shows lines below everything that is said, in place of those it showed before; none takes them away.
    ///
    /// They are rendered, and shorter than the terminal's.
    func showBelow(_ lines: [String]) {
        state.withLock { state in
            guard lines != state.footer || !state.isLineShown else { return }
            let former = state.shown
            state.footer = lines
            guard !lines.isEmpty else { return send(erasing(state) + footer(for: &state)) }
            // Written over, not erased first: nothing flickers.
            send((former > 1 ? "\r\u{1b}[\(former - 1)A" : "\r") + footer(for: &state))
        }
    }

    /// Takes the lines away, so that results can be written in their place; they are shown again by whoever shows them.
    func clear() {
        state.withLock { state in
            guard state.isLineShown else { return }
            send(erasing(state))
            state.shown = 0
        }
    }

    /// Back to the line's start, and erase to its end (ECMA-48 EL).
    private static let erase = "\r\u{1b}[K"

    private func label(_ text: String, _ style: TextStyle) -> String { terminal.style.paint(text, style) + " " }

    /// What takes the shown lines away, and leaves the cursor where the first began.
    private func erasing(_ state: State) -> String {
        switch state.shown {
        case 0: ""
        case 1: Self.erase
        default: "\r\u{1b}[\(state.shown - 1)A\u{1b}[J"
        }
    }

    /// The lines below, from where the cursor stands to the end of the screen.
    private func footer(for state: inout State) -> String {
        guard !state.footer.isEmpty else {
            state.shown = 0
            return ""
        }
        let lines = state.footer + (terminal.style.hasColors && !state.waits.isEmpty ? [waits(state)] : [])
        state.shown = lines.count
        // The cursor waits where a line begins: what the terminal itself writes there, as ^C, wraps at no end of a line.
        return lines.joined(separator: "\u{1b}[K\n") + "\u{1b}[J\r"
    }

    private func line(for state: inout State) -> String {
        if !state.footer.isEmpty { return erasing(state) + footer(for: &state) }
        state.shown = state.waits.isEmpty ? 0 : 1
        return Self.erase + waits(state)
    }

    private func waits(_ state: State) -> String {
        let text = state.waits.map { TerminalText.line("\($0.subject): \($0.text)") }.joined(separator: " · ")
        // The last cell stays free: some terminals move on to the next line when it is filled.
        return terminal.style.paint(text.cut(to: terminal.width - 1), .dim)
    }

    private func write(_ line: String, hint: String? = nil) {
        let lines = [line, hint.map { "  → " + TerminalText.line($0) }].compactMap(\.self)
        state.withLock { state in
            let erase = erasing(state)
            let said = lines.map { $0 + "\n" }.joined()
            guard state.footer.isEmpty else { return send(erase + said + footer(for: &state)) }
            send(erase + said + (state.isLineShown ? self.line(for: &state) : ""))
        }
    }

    private func send(_ text: String) {
        // Nobody is left to be told that nobody can be told.
        try? sink.write(text)
    }
}
