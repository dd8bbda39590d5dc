import ProviderModel
import Testing

@testable import Commands

@Suite("What is waited for", .timeLimit(.minutes(1)))
struct CountDownTests {
    private let sink = MemorySink()

    @Test func elsewhereThanOnATerminalAWaitIsSaidOnce() {
        let countDown = CountDown(on: StatusLine(to: sink, on: .pipe))
        countDown.start(seconds: 150, reason: "limit of 100 requests in 60 s", for: "pixabay")
        countDown.finish(for: "pixabay")
        #expect(sink.text == "pixabay: waiting 3 min (limit of 100 requests in 60 s)\n")
    }

    @Test func aTerminalShowsTheSecondsThatAreLeftUntilNoneIs() async {
        let countDown = CountDown(on: StatusLine(to: sink, on: .colored(80)))
        countDown.start(seconds: 1, reason: "retry", for: "pixabay")
        while !sink.text.hasSuffix("\r\u{1b}[K") { await Task.yield() }
        #expect(sink.text == "\r\u{1b}[K\u{1b}[2mpixabay: waiting 1 s (retry)\u{1b}[0m\r\u{1b}[K")
        countDown.finish(for: "pixabay")
    }

    @Test func anAnswerTakesTheWaitAway() async {
        let countDown = CountDown(on: StatusLine(to: sink, on: .colored(80)))
        countDown.start(seconds: 600, reason: "retry", for: "pixabay")
        while sink.text.isEmpty { await Task.yield() }
        countDown.finish(for: "pixabay")
        #expect(sink.text.hasSuffix("waiting 10 min (retry)\u{1b}[0m\r\u{1b}[K"))
    }

    @Test func anotherWaitOfTheSameSubjectTakesTheFirstOnesPlace() async {
        let countDown = CountDown(on: StatusLine(to: sink, on: .colored(80)))
        countDown.start(seconds: 600, reason: "first", for: "pixabay")
        countDown.start(seconds: 300, reason: "second", for: "pixabay")
        while !sink.text.contains("second") { await Task.yield() }
        countDown.finish(for: "pixabay")
        #expect(sink.text.components(of: "waiting").last?.hasPrefix(" 5 min (second)") == true)
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] { split(separator: separator) }
}
