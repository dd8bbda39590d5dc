import Testing

@testable import Commands

struct LoadingProgressTests {
    private let sink = MemorySink()

    private func progress(on terminal: Terminal, _ start: ContinuousClock.Instant) -> LoadingProgress {
        LoadingProgress(on: StatusLine(to: sink.output, on: terminal), at: start)
    }

    @Test func elsewhereThanOnATerminalItIsALineASecond() {
        let start = ContinuousClock.now
        var progress = progress(on: .pipe, start)
        for milliseconds in stride(from: 0, through: 2_500, by: 250) {
            progress.show(milliseconds / 250, of: 10, at: start + .milliseconds(milliseconds))
        }
        progress.end()
        #expect(sink.text == "loading the providers: 4 of 10\nloading the providers: 8 of 10\n")
    }

    @Test func onATerminalItIsOneLineThatGoes() {
        var progress = progress(on: .colored(80), .now)
        progress.show(0, of: 2)
        progress.show(1, of: 2)
        #expect(sink.text.hasSuffix("\rloading the providers: 1 of 2\u{1b}[J\r"))
        progress.end()
        #expect(sink.text.hasSuffix("\r\u{1b}[K"))
        #expect(!sink.text.contains("\n"))
    }
}
