import Glibc
import ProviderModel
import Synchronization

/// Messages beside the results, on the error output: errors, warnings, notes and what is being waited for.
///
/// Waits stand on one line that is rewritten every second on a terminal, and are printed once elsewhere.
final class StatusLine: Sendable {
    /// How much is printed.
    enum Verbosity: Int, Comparable, Sendable {
        /// Errors only.
        case quiet
        case normal
        /// Debug lines too.
        case verbose

        static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Wait {
        let subject: String
        let reason: String
        let end: ContinuousClock.Instant

        /// `pixabay: waiting 12 s (limit of 100 requests in 60 s)`.
        var text: String {
            let seconds = (ContinuousClock.now.duration(to: end) / .seconds(1)).rounded(.up)
            return TerminalText.line("\(subject): waiting \(Duration.seconds(Int(seconds)).inWords) (\(reason))")
        }
    }

    /// Requests of a provider that have not been answered.
    private struct PendingRequests {
        let subject: String
        var count = 1
        /// When the first was sent, or the last response came.
        var since = ContinuousClock.now
        /// Whether a terminal that cannot rewrite lines has been told.
        var isPrinted = false

        /// Whether a response takes so long that a user should know what is being waited for.
        var isSlow: Bool { since.duration(to: .now) >= StatusLine.patience }

        /// `pixabay: waiting for a response (8 s)`.
        var text: String {
            let seconds = Int(since.duration(to: .now) / .seconds(1))
            return TerminalText.line("\(subject): waiting for a response (\(Duration.seconds(seconds).inWords))")
        }
    }

    /// The time after which it is shown that a response is being waited for.
    private static let patience = Duration.seconds(1)

    private struct State {
        var waits: [Wait] = []
        var pending: [PendingRequests] = []
        /// Lines that stay below everything that is printed.
        var footer: [String] = []
        /// How many lines of the footer and the waits are on the screen.
        var shownLines = 0
        /// Rewrites the waits; nil while there are none.
        var ticker: Task<Void, Never>?
    }

    let terminal: Terminal
    private let output: TextOutput
    private let verbosity: Verbosity
    private let state = Mutex(State())

    /// Messages to the error output, unbuffered: what is printed there may be the last.
    init(
        to output: TextOutput = TextOutput(descriptor: STDERR_FILENO, bufferSize: 0), on terminal: Terminal,
        verbosity: Verbosity = .normal
    ) {
        self.output = output
        self.terminal = terminal
        self.verbosity = verbosity
    }

    /// Messages to the error output of a process with this environment.
    convenience init(environment: [String: String], verbosity: Verbosity = .normal) {
        self.init(on: Terminal(descriptor: STDERR_FILENO, environment: environment), verbosity: verbosity)
    }

    deinit { state.withLock(\.ticker)?.cancel() }

    /// Whether only errors are printed.
    var isQuiet: Bool { verbosity == .quiet }

    // MARK: - Messages

    /// Prints what failed, and the command that helps.
    func error(_ message: String, hint: String? = nil) { print("error:", .bad, message, hint: hint) }

    /// Prints what may not be as expected.
    func warning(_ message: String, hint: String? = nil) {
        if verbosity >= .normal { print("warning:", .warning, message, hint: hint) }
    }

    /// Prints what is good to know.
    func note(_ message: String, hint: String? = nil) {
        if verbosity >= .normal { print([TerminalText.line(message)] + hintLines(hint)) }
    }

    /// Prints lines that were rendered elsewhere.
    func note(rendered lines: [String]) {
        if verbosity >= .normal { print(lines) }
    }

    /// Prints what helps to find a fault.
    func debug(_ message: @autoclosure () -> String) {
        if verbosity >= .verbose { trace(TerminalText.line(message())) }
    }

    /// Prints a line of a trace, which was asked for; its columns stay as they are.
    func trace(_ line: String) { print([terminal.paint(line, .dim)]) }

    private func print(_ label: String, _ style: TextStyle, _ message: String, hint: String?) {
        print([terminal.paint(label, style) + " " + TerminalText.line(message)] + hintLines(hint))
    }

    private func hintLines(_ hint: String?) -> [String] {
        hint.map { [terminal.paint("hint:", .dim) + " " + TerminalText.line($0)] } ?? []
    }

    private func print(_ lines: [String]) {
        state.withLock { state in
            let text = erasing(state) + lines.map { $0 + "\n" }.joined()
            send(text + shownText(of: &state))
        }
    }

    // MARK: - Waits

    /// Shows that a provider is being waited for, in place of its last wait.
    func wait(seconds: Int, reason: String, for subject: String) {
        guard verbosity >= .normal else { return }
        let wait = Wait(subject: subject, reason: reason, end: .now + .seconds(seconds))
        state.withLock { state in
            let isNew = !state.waits.contains { $0.subject == subject }
            state.waits.removeAll { $0.subject == subject }
            state.waits.append(wait)
            if terminal.hasColors {
                redraw(&state)
                startTicking(&state)
            } else if isNew {
                send(erasing(state) + wait.text + "\n" + shownText(of: &state))
            }
        }
    }

    /// Removes a wait that is over.
    func finishWaiting(for subject: String) {
        state.withLock { state in
            guard state.waits.contains(where: { $0.subject == subject }) else { return }
            state.waits.removeAll { $0.subject == subject }
            if state.shownLines > 0 { redraw(&state) }
        }
    }

    /// Notes that a request of a provider was sent: where its response takes long, a terminal shows that.
    func beginRequest(of subject: String) {
        guard verbosity >= .normal, terminal.isTerminal else { return }
        state.withLock { state in
            if let index = state.pending.firstIndex(where: { $0.subject == subject }) {
                state.pending[index].count += 1
            } else {
                state.pending.append(PendingRequests(subject: subject))
            }
            startTicking(&state)
        }
    }

    /// Notes that a request of a provider was answered, or failed.
    func endRequest(of subject: String) {
        state.withLock { state in
            guard let index = state.pending.firstIndex(where: { $0.subject == subject }) else { return }
            let wasShown = state.pending[index].isSlow && state.shownLines > 0
            state.pending[index].count -= 1
            state.pending[index].since = .now
            if state.pending[index].count == 0 { state.pending.remove(at: index) }
            if wasShown { redraw(&state) }
        }
    }

    private func startTicking(_ state: inout State) {
        if state.ticker == nil { state.ticker = tickEverySecond() }
    }

    private func tickEverySecond() -> Task<Void, Never> {
        Task { [weak self] in
            // Cancellation ends the loop.
            while (try? await Task.sleep(for: .seconds(1))) != nil, self?.tick() == true {}
        }
    }

    /// Rewrites the waits with the time that is left; false when there are none.
    private func tick() -> Bool {
        state.withLock { state in
            state.waits.removeAll { $0.end <= .now }
            if !terminal.hasColors { printSlow(&state) }
            let isShown = !state.waits.isEmpty || state.pending.contains(where: \.isSlow)
            if state.shownLines > 0 || isShown { redraw(&state) }
            let isNeeded = !state.waits.isEmpty || !state.pending.isEmpty
            if !isNeeded { state.ticker = nil }
            return isNeeded
        }
    }

    /// Prints once for each provider that a response takes long, where no line can be rewritten.
    private func printSlow(_ state: inout State) {
        for index in state.pending.indices where state.pending[index].isSlow && !state.pending[index].isPrinted {
            state.pending[index].isPrinted = true
            send(erasing(state) + TerminalText.line("\(state.pending[index].subject): waiting for a response") + "\n")
        }
    }

    // MARK: - Lines below

    /// Shows lines below everything that is printed, in place of those before; none removes them.
    ///
    /// They are rendered, and shorter than the terminal's.
    func showBelow(_ lines: [String]) {
        state.withLock { state in
            guard lines != state.footer || state.shownLines == 0 else { return }
            let former = state.shownLines
            state.footer = lines
            guard !lines.isEmpty else { return send(erasing(state) + shownText(of: &state)) }
            // Written over, not erased first: nothing flickers.
            send((former > 1 ? "\r\u{1b}[\(former - 1)A" : "\r") + shownText(of: &state))
        }
    }

    /// Removes the lines, so that results can be written in their place, until they are next shown.
    func clear() {
        state.withLock { state in
            guard state.shownLines > 0 else { return }
            send(erasing(state))
            state.shownLines = 0
        }
    }

    private static let erase = "\r\u{1b}[K"

    /// The sequence that erases the shown lines, and leaves the cursor where the first began.
    private func erasing(_ state: State) -> String {
        switch state.shownLines {
        case 0: ""
        case 1: Self.erase
        case let rows: "\r\u{1b}[\(rows - 1)A\u{1b}[J"
        }
    }

    private func redraw(_ state: inout State) {
        let erasing = state.footer.isEmpty ? Self.erase : erasing(state)
        send(erasing + shownText(of: &state))
    }

    /// The footer and the waits, from where the cursor stands.
    private func shownText(of state: inout State) -> String {
        let isWaiting = !state.waits.isEmpty || state.pending.contains(where: \.isSlow)
        let waits = terminal.hasColors && isWaiting ? [waitLine(of: state)] : []
        let lines = state.footer + waits
        state.shownLines = lines.count
        guard !state.footer.isEmpty else { return lines.joined() }
        // The cursor waits where a line begins: what the terminal itself writes there, as ^C, wraps at no end of a line.
        return lines.joined(separator: "\u{1b}[K\n") + "\u{1b}[J\r"
    }

    private func waitLine(of state: State) -> String {
        // A provider that waits for its rate is told of as that.
        let slow = state.pending.filter { pending in
            pending.isSlow && !state.waits.contains { $0.subject == pending.subject }
        }
        let text = (state.waits.map(\.text) + slow.map(\.text)).joined(separator: " · ")
        // The last cell stays free: some terminals move on to the next line when it is filled.
        return terminal.paint(text.cut(to: terminal.width - 1), .dim)
    }

    private func send(_ text: String) {
        // An error output that fails cannot report its own failure.
        try? output.write(text)
    }
}
