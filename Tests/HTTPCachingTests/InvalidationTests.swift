import HTTPTransport
import HTTPTypes
import ProviderModel
import Testing

@testable import HTTPCaching

@Suite struct InvalidationTests {
    private let fresh = Origin.Reply(headers: [("Cache-Control", "max-age=100000")])

    /// RFC 9111 §4.4.
    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"])
    func successOfAnUnsafeMethodEndsTheStoredAnswer(method: String) async throws {
        let session = CacheSession([fresh])
        try await session.send()
        try await session.send(HTTPRequest.Method(method)!)
        #expect(try await session.send().isCached == false)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "M-SEARCH"])
    func failureOfAnUnsafeMethodEndsNothing(method: String) async throws {
        let session = CacheSession()
        session.origin.reply(fresh, .init(status: 500))
        try await session.send()
        try await session.send(HTTPRequest.Method(method)!)
        #expect(try await session.send().isCached)
    }

    @Test(arguments: ["OPTIONS", "TRACE", "HEAD"])
    func safeMethodsEndNothing(method: String) async throws {
        let session = CacheSession([fresh])
        try await session.send()
        try await session.send(HTTPRequest.Method(method)!)
        #expect(try await session.send().isCached)
    }

    @Test(arguments: [
        ("Location", "/target", true), ("Content-Location", "target", true),
        ("Location", "http://origin.example/target", true), ("Location", "http://other.example/target", false),
        ("Content-Location", "https://origin.example/target", false), ("Location", "http://[", false),
    ])
    func namedURLsOfTheSameOriginEndToo(name: String, value: String, isEnded: Bool) async throws {
        let session = CacheSession()
        session.origin.reply(fresh, .init(status: 201, headers: [(name, value)]), fresh)
        try await session.send(.get, "/target")
        try await session.send(.post, "/form")
        #expect(try await session.send(.get, "/target").isCached == !isEnded)
    }

    @Test(arguments: ["Location", "Content-Location"])
    func answersOfOtherOriginsStay(name: String) async throws {
        let session = CacheSession()
        let other = try WebURL("http://other.example/target")
        session.origin.reply(fresh, .init(status: 201, headers: [(name, other.description)]), fresh)
        try await session.send { $0.url = other }
        try await session.send(.post, "/form")
        #expect(try await session.send { $0.url = other }.isCached)
    }

    @Test func everyVariantAndEverybodysAnswerEnds() async throws {
        let varying = Origin.Reply(headers: [("Cache-Control", "max-age=9"), ("Vary", "Foo")])
        let session = CacheSession([varying])
        try await session.send(.get, "/", [("Foo", "1")])
        try await session.send(.get, "/", [("Foo", "2"), ("Authorization", "somebody else's")])
        try await session.send(.delete)
        #expect(try session.store.list().isEmpty)
    }

    /// RFC 9110 §9.3.3.
    @Test func answerToPostIsOneToGetWhenItSaysSo() async throws {
        let session = CacheSession()
        let headers = [("Expires", session.date(9_000)), ("Content-Location", "/"), ("Date", session.date())]
        session.origin.reply(.init(headers: headers, body: "posted"), .init(body: "got"))
        try await session.send(.post) { $0.body = [1] }
        #expect(try await session.send().text == "posted")
    }

    @Test(arguments: [
        [("Expires", "0"), ("Content-Location", "/else")], [("Content-Location", "/")],
        [("Cache-Control", "max-age=9")],
        [("Cache-Control", "max-age=9, no-store"), ("Content-Location", "/")],
    ])
    func otherAnswersToPostAreNot(headers: [(String, String)]) async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: headers, body: "posted"), .init(body: "got"))
        try await session.send(.post)
        #expect(try await session.send().text == "got")
    }

    @Test func postIsNeverAnsweredFromTheStore() async throws {
        let session = CacheSession([fresh])
        try await session.send()
        try await session.send(.post)
        try await session.send(.post)
        #expect(session.origin.requests.count == 3)
    }
}

@Suite struct HeadTests {
    private let stale = [("Cache-Control", "max-age=2"), ("Template-A", "1"), ("ETag", "\"a\"")]

    @Test func freshAnswerToGetAnswersHead() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=9"), ("X", "1")])])
        try await session.send()
        let head = try await session.send(.head)
        #expect(head.isCached && head.body.isEmpty && head.headers[line: "X"] == "1")
    }

    @Test func answerToHeadIsNoneToGet() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=9")])])
        try await session.send(.head)
        #expect(try await session.send().text == "body")
        #expect(session.origin.requests.count == 2)
    }

    /// RFC 9111 §4.3.5.
    @Test(arguments: [("ETag", "\"a\""), ("Other", "1"), ("Content-Length", "4")])
    func headBringsTheStoredAnswerUpToDate(name: String, value: String) async throws {
        let session = CacheSession()
        let newer = [("Cache-Control", "max-age=1000"), ("Template-A", "2"), (name, value)]
        session.origin.reply(.init(headers: stale), .init(headers: newer), .init(body: "new"))
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send(.head).isCached == false)
        let answer = try await session.send()
        #expect(answer.isCached && answer.text == "body" && answer.headers[line: "Template-A"] == "2")
    }

    @Test func headOfAnotherVersionEndsTheStoredAnswer() async throws {
        let session = CacheSession()
        let newer = [("Cache-Control", "max-age=1000"), ("ETag", "\"b\"")]
        session.origin.reply(.init(headers: stale), .init(headers: newer), .init(body: "new"))
        try await session.send()
        session.clock.advance(3)
        try await session.send(.head)
        #expect(try await session.send().text == "new")
    }

    @Test func errorToHeadChangesNothing() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: stale), .init(status: 410, headers: [("Cache-Control", "max-age=9")]), .init())
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send(.head).status == 410)
        #expect(try await session.send().isCached == false)
    }
}
