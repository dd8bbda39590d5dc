import ProviderModel
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct StatusLineTests {
    private let sink = MemorySink()

    private func status(on terminal: Terminal, _ verbosity: StatusLine.Verbosity = .normal) -> StatusLine {
        StatusLine(to: sink.output, on: terminal, verbosity: verbosity)
    }

    @Test func everyMessageBeginsWithItsKind() {
        let status = status(on: .pipe)
        status.error("unknown provider \"x\"", hint: "imgscript providers lists all")
        status.warning("slow")
        status.note("14 images")
        #expect(
            sink.text == """
                error: unknown provider "x"
                hint: imgscript providers lists all
                warning: slow
                14 images

                """)
    }

    @Test func labelIsRedOnATerminal() {
        status(on: .colored(80)).error("no")
        #expect(sink.text == "\u{1b}[1;31merror:\u{1b}[0m no\n")
    }

    @Test func providersErrorNamesItsPlace() {
        let error = ProviderError(
            .timeout, provider: "pixabay", operation: .search, phase: "parse", message: "ran longer than 2 s",
            hint: "look for a loop")
        status(on: .pipe).error(error)
        #expect(sink.text == "error: pixabay: search.parse: ran longer than 2 s\nhint: look for a loop\n")
    }

    @Test(arguments: [(StatusLine.Verbosity.quiet, 1), (.normal, 4), (.verbose, 5)])
    func verbosityDecidesWhatIsPrinted(verbosity: StatusLine.Verbosity, count: Int) {
        let status = status(on: .pipe, verbosity)
        status.error("error")
        status.warning("warning")
        status.note(rendered: ["note"])
        status.wait(seconds: 9, reason: "retry", for: "pixabay")
        status.debug("debug")
        #expect(sink.text.lines.count == count)
    }

    @Test func messagesFromElsewhereAreHarmless() {
        let status = status(on: .colorless(80), .verbose)
        let hostile = "a\u{1b}]0;x\u{07}\r\nimgscript: fake\u{9b}2J\u{202e}"
        status.error(hostile, hint: hostile)
        status.warning(hostile)
        status.debug(hostile)
        status.wait(seconds: 9, reason: hostile, for: hostile)
        status.error(ProviderError(.script, provider: "p", message: hostile, hint: .plain(hostile)))
        #expect(sink.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(sink.text.lines.count == 7)
    }

    // MARK: - Waits

    private static let erase = "\r\u{1b}[K"

    @Test func waitIsPrintedOnceElsewhereThanOnATerminal() {
        let status = status(on: .pipe)
        status.wait(seconds: 150, reason: "limit of 100 requests in 60 s", for: "pixabay")
        status.wait(seconds: 90, reason: "retry", for: "pixabay")
        status.wait(seconds: 9, reason: "retry", for: "flickr")
        status.finishWaiting(for: "pixabay")
        #expect(
            sink.text
                == "pixabay: waiting 3 min (limit of 100 requests in 60 s)\nflickr: waiting 9 s (retry)\n")
    }

    /// A server that takes its time is shown as that, until it answers.
    @Test func slowResponseIsShownOnATerminalUntilItComes() async throws {
        let status = status(on: .colored(80))
        status.beginRequest(of: "pixabay")
        #expect(sink.text == "", "most responses come at once")
        while !sink.text.contains("pixabay: waiting for a response (1 s)") {
            try await Task.sleep(for: .milliseconds(10))
        }
        status.endRequest(of: "pixabay")
        #expect(sink.text.hasSuffix(Self.erase))
    }

    @Test func waitCountsDownOnATerminalUntilItIsOver() async {
        let status = status(on: .colored(80))
        status.wait(seconds: 1, reason: "retry", for: "pixabay")
        while !sink.text.hasSuffix(Self.erase) { await Task.yield() }
        #expect(sink.text == "\(Self.erase)\u{1b}[2mpixabay: waiting 1 s (retry)\u{1b}[0m\(Self.erase)")
        status.finishWaiting(for: "pixabay")
    }

    @Test func laterWaitReplacesTheFirst() {
        let status = status(on: .colored(80))
        status.wait(seconds: 600, reason: "first", for: "pixabay")
        status.wait(seconds: 300, reason: "second", for: "pixabay")
        status.finishWaiting(for: "pixabay")
        let lines = ["waiting 10 min (first)", "waiting 5 min (second)"].map { "\u{1b}[2mpixabay: \($0)\u{1b}[0m" }
        #expect(sink.text == (lines + [""]).map { Self.erase + $0 }.joined())
    }

    @Test func waitGivesWayToResultsAndMessages() {
        let status = status(on: .colored(80))
        status.wait(seconds: 9, reason: "retry", for: "a")
        status.clear()
        status.clear()
        let text = "\u{1b}[2ma: waiting 9 s (retry)\u{1b}[0m"
        let shown = Self.erase + text
        #expect(sink.text == shown + Self.erase)
        status.wait(seconds: 9, reason: "retry", for: "a")
        status.note(rendered: ["14 images"])
        #expect(sink.text == shown + Self.erase + shown + "\(Self.erase)14 images\n" + text)
    }

    @Test func lineIsNeverLongerThanTheTerminal() {
        let status = status(on: .colored(30))
        for name in ["pixabay", "flickr", "wikimedia-commons"] { status.wait(seconds: 12, reason: "retry", for: name) }
        let shown = sink.text.split(separator: "\r").map { String($0).replacing("\u{1b}[K", with: "").seen }
        #expect(shown.allSatisfy { $0.displayWidth < 30 })
    }

    // MARK: - Lines below

    @Test func linesBelowAreWrittenOverAndStayBelow() {
        let status = status(on: .colorless(80))
        status.showBelow(["a", "b"])
        status.showBelow(["a", "b"])
        status.showBelow(["c", "d"])
        status.note("said")
        status.showBelow([])
        let (up, first) = ("\r\u{1b}[1A", "\ra\u{1b}[K\nb\u{1b}[J\r")
        let second = "c\u{1b}[K\nd\u{1b}[J\r"
        let erase = "\r\u{1b}[1A\u{1b}[J"
        #expect(sink.text == first + up + second + erase + "said\n" + second + erase)
    }

    @Test func waitStandsBelowTheLines() {
        let status = status(on: .colored(80))
        status.showBelow(["a"])
        status.wait(seconds: 2, reason: "retry", for: "pixabay")
        status.clear()
        #expect(
            sink.text.hasSuffix(
                "a\u{1b}[K\n\u{1b}[2mpixabay: waiting 2 s (retry)\u{1b}[0m\u{1b}[J\r" + "\r\u{1b}[1A\u{1b}[J"))
    }
}
