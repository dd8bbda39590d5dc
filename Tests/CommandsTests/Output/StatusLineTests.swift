import ProviderModel
import Testing

@testable import Commands

struct StatusLineTests {
    private let sink = MemorySink()

    @Test func errorsCarryTheProgramsNameAndAdvice() {
        StatusLine(to: sink, on: .pipe).error("there is no provider “x”", hint: "imgscript providers lists them")
        #expect(sink.text == "imgscript: there is no provider “x”\n  → imgscript providers lists them\n")
    }

    @Test func labelIsRedOnATerminal() {
        StatusLine(to: sink, on: .colored(80)).error("no")
        #expect(sink.text == "\u{1b}[1;31mimgscript:\u{1b}[0m no\n")
    }

    @Test func providersErrorBeginsWithItsPlace() {
        let error = ProviderError(
            .timeout,
            provider: "pixabay",
            operation: .search,
            phase: "parse",
            message: "ran longer than 2 s",
            hint: "look for a loop"
        )
        StatusLine(to: sink, on: .pipe).error(error)
        #expect(sink.text == "pixabay: search.parse: ran longer than 2 s\n  → look for a loop\n")
    }

    @Test func waitIsWrittenOverOnATerminal() {
        let status = StatusLine(to: sink, on: .colored(80))
        status.wait("waiting 2 s", for: "pixabay")
        status.wait("waiting 1 s", for: "pixabay")
        status.finishWaiting(for: "pixabay")
        let erase = "\r\u{1b}[K"
        let lines = ["\u{1b}[2mpixabay: waiting 2 s\u{1b}[0m", "\u{1b}[2mpixabay: waiting 1 s\u{1b}[0m", ""]
        #expect(sink.text == lines.map { erase + $0 }.joined())
    }

    @Test func waitIsSaidOnceElsewhere() {
        let status = StatusLine(to: sink, on: .pipe)
        status.wait("waiting 2 s", for: "pixabay")
        status.wait("waiting 1 s", for: "pixabay")
        status.wait("waiting 9 s", for: "flickr")
        #expect(sink.text == "pixabay: waiting 2 s\nflickr: waiting 9 s\n")
    }

    @Test func linePassesForResultsAndMessages() {
        let status = StatusLine(to: sink, on: .colored(80))
        status.wait("waiting", for: "a")
        status.clear()
        status.clear()
        let erase = "\r\u{1b}[K"
        let shown = "\(erase)\u{1b}[2ma: waiting\u{1b}[0m"
        #expect(sink.text == shown + erase)
        status.wait("waiting", for: "a")
        status.note(rendered: "14 images")
        #expect(sink.text == shown + erase + shown + "\(erase)14 images\n" + shown)
    }

    @Test func lineIsNeverLongerThanTheTerminal() {
        let status = StatusLine(to: sink, on: .colored(30))
        for name in ["pixabay", "flickr", "wikimedia-commons"] { status.wait("waiting 12 s", for: name) }
        let shown = sink.text.split(separator: "\r").map { String($0).replacing("\u{1b}[K", with: "").seen }
        #expect(shown.allSatisfy { $0.displayWidth < 30 })
    }

    @Test(arguments: [(StatusLine.Verbosity.quiet, 1), (.normal, 4), (.verbose, 5)])
    func verbosityDecidesWhatIsSaid(verbosity: StatusLine.Verbosity, count: Int) {
        let status = StatusLine(to: sink, on: .pipe, verbosity: verbosity)
        status.error("error")
        status.warning("warning")
        status.note(rendered: "note")
        status.wait("wait", for: "pixabay")
        status.debug("debug")
        #expect(sink.text.lines.count == count)
    }

    @Test func messagesFromElsewhereAreHarmless() {
        let status = StatusLine(to: sink, on: .colorless(80), verbosity: .verbose)
        let hostile = "a\u{1b}]0;x\u{07}\r\nimgscript: fake\u{9b}2J\u{202e}"
        status.error(hostile, hint: hostile)
        status.warning(hostile)
        status.debug(hostile)
        status.wait(hostile, for: hostile)
        status.error(ProviderError(.script, provider: "p", message: hostile, hint: hostile))
        #expect(sink.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(sink.text.lines.count == 7)
    }

    @Test func linesBelowAreWrittenOverAndStayBelow() {
        let status = StatusLine(to: sink, on: .colorless(80))
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
        let status = StatusLine(to: sink, on: .colored(80))
        status.showBelow(["a"])
        status.wait("waiting 2 s", for: "pixabay")
        status.clear()
        #expect(
            sink.text.hasSuffix("a\u{1b}[K\n\u{1b}[2mpixabay: waiting 2 s\u{1b}[0m\u{1b}[J\r" + "\r\u{1b}[1A\u{1b}[J"))
    }
}
