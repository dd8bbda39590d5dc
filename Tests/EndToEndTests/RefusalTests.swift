import Foundation
import Synchronization
import TestSupport
import Testing

/// What a script alone finds in an answer holds for every run after it.
struct RefusalTests {
    private let state = TemporaryFolder()

    @Test func refusalThatOnlyTheScriptSeesIsHeededByTheNextRun() throws {
        let asked = Mutex<[ContinuousClock.Instant]>([])
        let source = try LoopbackSource { _ in
            let isFirst = asked.withLock { asked in
                asked.append(.now)
                return asked.count == 1
            }
            guard isFirst else { return .answer(text: LoopbackSource.page(1...2, total: 2)) }
            return .answer(headers: [("Retry-After", "3")], text: #"{"refusal": "come back later"}"#)
        }
        let script = LoopbackSource.provider("loop", port: source.server.port)
        let check = "check: (res) => { if (res.json.refusal) require('imgscript').fail('rate', res.json.refusal); },"
        try source.add("loop", script.replacing("  search: {", with: "  \(check)\n  search: {"))

        let refused = try search(source)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("come back later"))
        let answered = try search(source)
        #expect(answered.status == 0)
        #expect(answered.output.contains("images.example/1.jpg"))
        let times = asked.withLock(\.self)
        #expect(times.count == 2)
        #expect(times[1] - times[0] > .seconds(2.9))
    }

    private func search(_ source: LoopbackSource) throws -> CommandRun {
        try CommandRun(
            ["search", "-p", "loop", "-f", "urls", "x"] + source.arguments,
            environment: ["XDG_STATE_HOME": state.path])
    }
}
