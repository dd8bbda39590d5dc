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

    @Test func keyIsOnlySentByMethodsThatTheFileDeclares() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...2, total: 2)) }
        func search(declaring methods: String, key: String? = "s3cr3t") throws -> CommandRun {
            let auth = "\(methods) auth: { type: 'query', name: 'key', optional: true },"
            let script = LoopbackSource.provider("loop", port: source.server.port, auth: auth)
            try source.add("loop", script.replacing("({ url:", with: "({ method: 'DELETE', url:"))
            return try self.search(source, key.map { ["IMGSCRIPT_LOOP_KEY": $0] } ?? [:])
        }
        let refused = try search(declaring: "")
        #expect(refused.status == 64)
        #expect(
            refused.errors.contains(
                "its file sends DELETE with your key, which it does not declare (declared: GET, HEAD, POST)"))
        #expect(refused.errors.contains("methods: ['POST', 'DELETE']"))
        #expect(source.server.requests.isEmpty)
        #expect(try search(declaring: "methods: ['DELETE'],").status == 0)
        #expect(try search(declaring: "", key: nil).status == 0, "without a key it is any request")
        #expect(source.server.requests.map(\.method) == ["DELETE", "DELETE"])
    }

    private func search(_ source: LoopbackSource, _ environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(
            ["search", "-p", "loop", "-f", "urls", "x"] + source.arguments,
            environment: environment.merging(["XDG_STATE_HOME": state.path]) { first, _ in first })
    }
}
