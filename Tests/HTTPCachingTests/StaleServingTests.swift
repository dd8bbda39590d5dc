import HTTPTransport
import HTTPTypes
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct StaleServingTests {
    enum Trouble: Sendable {
        case closed
        case status(Int)

        var reply: Origin.Reply {
            switch self {
            case .closed: .init(failure: .connection)
            case .status(let status): .init(status: status, body: "error")
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let answer: String
        let trouble: Trouble
        var request = ""
        var wait = 3.0
        let isServed: Bool
        var testDescription: String { "\(answer) \(trouble) \(request) after \(wait) s" }
    }

    /// RFC 9111 §4.2.4 and §4.3.3, RFC 5861 §4.
    @Test(arguments: [
        Case(answer: "max-age=2", trouble: .closed, isServed: true),
        Case(answer: "max-age=2", trouble: .status(502), isServed: true),
        Case(answer: "max-age=2", trouble: .status(503), isServed: true),
        Case(answer: "max-age=2", trouble: .status(504), isServed: true),
        Case(answer: "max-age=2", trouble: .status(500), isServed: false),
        Case(answer: "max-age=2", trouble: .status(404), isServed: false),
        Case(answer: "max-age=2, stale-if-error=60", trouble: .closed, isServed: true),
        Case(answer: "max-age=2, stale-if-error=60", trouble: .status(500), isServed: true),
        Case(answer: "max-age=2, stale-if-error=60", trouble: .status(503), isServed: true),
        Case(answer: "max-age=0, stale-if-error=1", trouble: .status(500), isServed: false),
        Case(answer: "max-age=0, stale-if-error=1", trouble: .closed, isServed: false),
        Case(answer: "max-age=0", trouble: .status(500), request: "stale-if-error=3600", isServed: true),
        Case(answer: "max-age=0", trouble: .status(500), request: "stale-if-error=1", isServed: false),
        Case(answer: "max-age=2, must-revalidate", trouble: .closed, isServed: false),
        Case(answer: "max-age=2, must-revalidate, stale-if-error=60", trouble: .closed, isServed: false),
        Case(answer: "max-age=2, no-cache", trouble: .closed, isServed: false),
        Case(answer: "max-age=2, proxy-revalidate", trouble: .closed, isServed: true),
        Case(answer: "max-age=2, s-maxage=2", trouble: .closed, isServed: true),
        Case(answer: "max-age=2", trouble: .closed, request: "no-cache", isServed: false),
        Case(answer: "max-age=2", trouble: .closed, wait: 8 * 86_400, isServed: false),
    ])
    func afterTrouble(_ stale: Case) async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", stale.answer)], body: "old"), stale.trouble.reply)
        try await session.send()
        session.clock.advance(stale.wait)
        let lines = stale.request.isEmpty ? [] : [("Cache-Control", stale.request)]
        // An error of the transport is what the caller gets when nothing may be served.
        let answer = try? await session.send(.get, "/", lines)
        #expect((answer?.text == "old") == stale.isServed)
        #expect(answer?.isStale ?? false == stale.isServed)
        let warning = answer?.headers[line: "Warning"] ?? ""
        #expect((warning.contains("110") && warning.contains("111")) == stale.isServed)
    }

    @Test func answerThatWasStaleFromTheStartIsServedToo() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: [("Expires", session.date(-5)), ("Date", session.date())]), .init(failure: .timeout))
        try await session.send()
        #expect(try await session.send().isStale)
    }

    /// RFC 5861 §3.
    @Test func staleWhileRevalidateAnswersAtOnceAndAsksBehind() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=1, stale-while-revalidate=3600"), ("ETag", "\"abc\"")]
        let newer = [("Cache-Control", "max-age=3600"), ("ETag", "\"def\"")]
        session.origin.reply(.init(headers: headers, body: "old"), .init(headers: newer, body: "new"))
        try await session.send()
        session.clock.advance(3)
        let second = try await session.send()
        #expect(second.text == "old" && second.isStale)
        await session.cache.finish()
        let third = try await session.send()
        #expect(third.isCached && third.text == "new")
        #expect(session.origin.requests.count == 2)
    }

    @Test func windowOfStaleWhileRevalidateEnds() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=1, stale-while-revalidate=4"), ("ETag", "\"abc\"")]
        session.origin.reply(.init(headers: headers, body: "old"), .init(body: "new"))
        try await session.send()
        session.clock.advance(6)
        #expect(try await session.send().text == "new")
    }

    @Test func backgroundWorkThatHangsIsCalledOff() async throws {
        let session = CacheSession()
        let gate = Gate()
        let headers = [("Cache-Control", "max-age=1, stale-while-revalidate=3600")]
        session.origin.reply(.init(headers: headers), .init(gate: gate))
        try await session.send()
        session.clock.advance(3)
        try await session.send()
        async let finished: Void = session.cache.finish(within: .milliseconds(10))
        gate.open()
        await finished
    }

    @Test func staleIsNotServedWhenThatIsSwitchedOff() async throws {
        let session = CacheSession(settings: CachingSettings(staleWhenUnreachable: .zero))
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=2")]), .init(failure: .connection))
        try await session.send()
        session.clock.advance(3)
        await #expect(throws: TransportError.self) { try await session.send() }
    }
}
