import HTTPTransport
import HTTPTypes
import Testing

@testable import HTTPCaching

@Suite struct RequestDirectivesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let request: String
        var answer = "max-age=3600"
        var age = 0
        var wait = 3.0
        let isReused: Bool
        var testDescription: String { "\(request) | \(answer), Age \(age)" }
    }

    /// RFC 9111 §5.2.1.
    @Test(arguments: [
        Case(request: "max-age=0", isReused: false),
        Case(request: "max-age=0", wait: 0, isReused: true),
        Case(request: "max-age=1", isReused: false),
        Case(request: "max-age=10", isReused: true),
        Case(request: "max-age=600", age: 1_800, isReused: false),
        Case(request: "max-age=x", isReused: false),
        Case(request: "max-stale=1000", answer: "max-age=1", isReused: true),
        Case(request: "max-stale", answer: "max-age=1", wait: 1e6, isReused: true),
        Case(request: "max-stale=1", answer: "max-age=1", isReused: false),
        Case(request: "max-stale=x", answer: "max-age=1", isReused: false),
        Case(request: "max-stale=1000", answer: "max-age=1500", age: 2_000, isReused: true),
        Case(request: "max-stale=1000", answer: "max-age=1, must-revalidate", isReused: false),
        Case(request: "max-stale=1000", answer: "max-age=9, no-cache", isReused: false),
        Case(request: "min-fresh=2000", answer: "max-age=1500", isReused: false),
        Case(request: "min-fresh=1000", answer: "max-age=1500", age: 1_000, isReused: false),
        Case(request: "min-fresh=1000", answer: "max-age=1500", isReused: true),
        Case(request: "no-cache", isReused: false),
        Case(request: "No-Cache", isReused: false),
        Case(request: "no-store", isReused: false),
        Case(request: "unknown, x=\"no-cache\"", isReused: true),
        Case(request: "only-if-cached", isReused: true),
        Case(request: "max-age=0", answer: "max-age=10000, immutable", isReused: true),
        Case(request: "no-cache", answer: "max-age=10000, immutable", isReused: false),
        Case(request: "max-age=0", answer: "max-age=2, immutable", isReused: false),
    ])
    func directives(_ request: Case) async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", request.answer), ("Age", "\(request.age)")]
        session.origin.reply(.init(headers: headers, body: "first"), .init(body: "second"))
        try await session.send()
        session.clock.advance(request.wait)
        let second = try await session.send(.get, "/", [("Cache-Control", request.request)])
        #expect(second.text == (request.isReused ? "first" : "second"))
    }

    @Test(arguments: [
        ([("Pragma", "no-cache")], false), ([("Pragma", "No-Cache")], false), ([("Pragma", "unknown")], true),
        ([("Pragma", "no-cache"), ("Cache-Control", "unknown")], true),
    ])
    func pragmaCountsOnlyAlone(lines: [(String, String)], isReused: Bool) async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=9")]), .init())
        try await session.send()
        #expect(try await session.send(.get, "/", lines).isCached == isReused)
    }

    @Test func onlyIfCachedNeverAsksTheServer() async throws {
        let session = CacheSession()
        let answer = try await session.send(.get, "/", [("Cache-Control", "only-if-cached")])
        #expect(answer.status == 504)
        #expect(session.origin.requests.isEmpty)
    }

    @Test func noStoreOfARequestKeepsNothing() async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=9")]))
        try await session.send(.get, "/", [("Cache-Control", "no-store")])
        #expect(try await session.send().isCached == false)
    }

    @Test func noCacheAsksWithTheStoredValidators() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=3600"), ("ETag", "abc"), ("Last-Modified", session.date(-10_000))]
        session.origin.reply(.init(headers: headers), .init(headers: headers, isConditional: true))
        try await session.send()
        let second = try await session.send(.get, "/", [("Cache-Control", "no-cache")])
        #expect(second.origin == .revalidated)
        #expect(second.status == 200 && second.text == "body")
        let asked = try #require(session.origin.requests.last)
        #expect(asked.headers[.ifNoneMatch] == "abc")
        #expect(asked.headers[.ifModifiedSince] == headers[2].1)
        #expect(asked.headers[.cacheControl] == "no-cache")
    }
}
