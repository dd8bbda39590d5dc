import HTTPTransport
import HTTPTypes
import Testing

@testable import HTTPCaching

@Suite struct ValidationTests {
    /// RFC 9111 §4.3.1.
    @Test(arguments: ["\"abc\"", "W/\"abc\"", "abc", "w/\"abc\""])
    func staleAnswerIsAskedAboutByItsTag(tag: String) async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=2"), ("ETag", tag)]
        session.origin.reply(.init(headers: headers), .init(headers: headers, body: "new", isConditional: true))
        try await session.send()
        session.clock.advance(3)
        let second = try await session.send()
        #expect(session.origin.requests.last?.headers[.ifNoneMatch] == tag)
        #expect(second.status == 200 && second.text == "body" && second.origin == .revalidated)
        #expect(try await session.send().isCached)
    }

    @Test func linesNamedByVaryGoWithTheQuestion() async throws {
        let session = CacheSession()
        let headers = [("Expires", session.date(1)), ("ETag", "\"a\""), ("Date", session.date()), ("Vary", "Abc")]
        session.origin.reply(.init(headers: headers), .init(headers: headers, isConditional: true))
        try await session.send(.get, "/", [("Abc", "123")])
        session.clock.advance(3)
        try await session.send(.get, "/", [("Abc", "123")])
        #expect(session.origin.requests.last?.headers[line: "Abc"] == "123")
    }

    @Test func noCacheAnswerIsKeptAndAskedAboutEveryTime() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=100, no-cache"), ("ETag", "\"a\"")]
        session.origin.reply(.init(headers: headers), .init(headers: headers, isConditional: true))
        try await session.send()
        for _ in 0..<2 { #expect(try await session.send().origin == .revalidated) }
        #expect(session.origin.requests.count == 3)
    }

    @Test func fullAnswerTakesThePlaceOfTheStoredOne() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=2"), ("ETag", "\"a\"")], body: "old"),
            .init(headers: [("Cache-Control", "max-age=2"), ("ETag", "\"b\"")], body: "new")
        )
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send().text == "new")
        #expect(try await session.send().isCached)
        #expect(try session.store.list().count == 1)
    }

    /// RFC 9111 §4.3.4: a 304 about another version says nothing about the stored one.
    @Test func notModifiedOfAnotherVersionIsNotUsed() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=2"), ("ETag", "\"a\"")], body: "old"),
            .init(status: 304, headers: [("ETag", "\"b\"")]),
            .init(headers: [("Cache-Control", "max-age=2"), ("ETag", "\"b\"")], body: "new")
        )
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send().text == "new")
        #expect(session.origin.requests.last?.headers[.ifNoneMatch] == nil)
    }

    @Test func outdatedAnswerGoesWhenItsSuccessorMayNotBeKept() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=2"), ("ETag", "\"a\"")], body: "old"),
            .init(headers: [("Cache-Control", "no-store")], body: "secret"),
            .init(failure: .connection)
        )
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send().text == "secret")
        await #expect(throws: TransportError.self) { try await session.send() }
    }

    struct Update: Sendable, CustomTestStringConvertible {
        let name: String
        var old = "old"
        var new = "new"
        let isUpdated: Bool
        var testDescription: String { name }
    }

    /// RFC 9111 §3.2.
    @Test(arguments: [
        Update(name: "Test-Header", isUpdated: true), Update(name: "X-Test-Header", isUpdated: true),
        Update(name: "Content-Foo", isUpdated: true), Update(name: "X-Content-Foo", isUpdated: true),
        Update(name: "Cache-Control", old: "max-age=1", new: "max-age=3600", isUpdated: true),
        Update(name: "Content-Type", old: "text/plain", new: "text/plain;charset=utf-8", isUpdated: true),
        Update(name: "Content-Location", old: "/foo", new: "/bar", isUpdated: true),
        Update(name: "Content-Security-Policy", isUpdated: true), Update(name: "Content-MD5", isUpdated: true),
        Update(name: "Set-Cookie", old: "a=b", new: "a=c", isUpdated: true),
        Update(name: "X-Frame-Options", old: "deny", new: "sameorigin", isUpdated: true),
        Update(
            name: "Expires", old: "Fri, 01 Jan 2038 01:01:01 GMT", new: "Mon, 11 Jan 2038 11:11:11 GMT",
            isUpdated: true),
        Update(name: "Content-Length", old: "4", new: "10", isUpdated: false),
        Update(name: "Content-Encoding", isUpdated: false), Update(name: "Content-Range", isUpdated: false),
    ])
    func notModifiedUpdatesWhatItMay(_ update: Update) async throws {
        let session = CacheSession()
        let rest = [("ETag", "\"a\"")] + (update.name == "Cache-Control" ? [] : [("Cache-Control", "max-age=2")])
        session.origin.reply(
            .init(headers: rest + [(update.name, update.old), ("Kept", "1")]),
            .init(headers: rest + [(update.name, update.new)], isConditional: true)
        )
        try await session.send()
        session.clock.advance(3)
        for isValidated in [true, false] {
            let answer = try await session.send()
            #expect(answer.origin == .revalidated || !isValidated)
            #expect(answer.headers[line: update.name] == (update.isUpdated ? update.new : update.old))
            #expect(answer.headers[line: "Kept"] == "1")
            #expect(answer.text == "body")
        }
        #expect(session.origin.requests.count == 2)
    }

    @Test func lastModifiedAloneValidates() async throws {
        let session = CacheSession()
        let changed = ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=2"), changed, ("Test", "A")]),
            .init(headers: [changed, ("Date", session.date(3))], isConditional: true)
        )
        try await session.send()
        session.clock.advance(3)
        let second = try await session.send()
        #expect(second.origin == .revalidated && second.headers[line: "Test"] == "A")
    }

    struct Condition: Sendable, CustomTestStringConvertible {
        let lines: [(String, String)]
        let status: Int
        var testDescription: String { "\(lines)" }
    }

    /// RFC 9111 §4.3.2: the cache evaluates the caller's own conditions.
    @Test(arguments: [
        Condition(lines: [("If-None-Match", "\"abc\"")], status: 304),
        Condition(lines: [("If-None-Match", "W/\"abc\"")], status: 304),
        Condition(lines: [("If-None-Match", "\"1\", \"abc\", \"2\"")], status: 304),
        Condition(lines: [("If-None-Match", "\"1\""), ("If-None-Match", "\"abc\"")], status: 304),
        Condition(lines: [("If-None-Match", "*")], status: 304),
        Condition(lines: [("If-None-Match", "\"other\"")], status: 200),
        Condition(lines: [("If-Modified-Since", "Wed, 01 Jan 2020 00:00:00 GMT")], status: 304),
        Condition(lines: [("If-Modified-Since", "Thursday, 02-Jan-20 00:00:00 GMT")], status: 304),
        Condition(lines: [("If-Modified-Since", "Tue, 31 Dec 2019 00:00:00 GMT")], status: 200),
        Condition(lines: [("If-Modified-Since", "nonsense")], status: 200),
        Condition(
            lines: [("If-None-Match", "\"x\""), ("If-Modified-Since", "Thu, 02 Jan 2020 00:00:00 GMT")], status: 200),
    ])
    func conditionsOfTheCaller(_ condition: Condition) async throws {
        let session = CacheSession()
        let headers = [
            ("Cache-Control", "max-age=900"), ("ETag", "\"abc\""), ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT"),
        ]
        session.origin.reply(.init(headers: headers))
        try await session.send()
        let second = try await session.send(.get, "/", condition.lines)
        #expect(second.isCached && second.status == condition.status)
        #expect(second.headers[.eTag] == "\"abc\"" && second.body.isEmpty == (condition.status == 304))
    }

    @Test func conditionsOfTheCallerAreJudgedAfterValidation() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=2"), ("ETag", "\"ours\""), ("Last-Modified", session.date(-3_000))]
        session.origin.reply(.init(headers: headers), .init(headers: headers, isConditional: true))
        try await session.send()
        session.clock.advance(3)
        let second = try await session.send(.get, "/", [("If-Modified-Since", session.date(-100))])
        #expect(second.status == 304)
        #expect(session.origin.requests.last?.headers[.ifNoneMatch] == "\"ours\"")
    }

    @Test func conditionsOfTheCallerGoOnWhenNothingIsStored() async throws {
        let session = CacheSession([.init(headers: [("ETag", "\"a\"")], isConditional: true)])
        #expect(try await session.send(.get, "/", [("If-None-Match", "\"a\"")]).status == 304)
        #expect(session.origin.requests.last?.headers[.ifNoneMatch] == "\"a\"")
    }

    @Test(arguments: ["If-Match", "If-Unmodified-Since"])
    func conditionsAboutChangesAreTheServers(name: String) async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: [("Cache-Control", "max-age=900")]), .init(status: 412))
        try await session.send()
        #expect(try await session.send(.get, "/", [(name, "\"x\"")]).status == 412)
        #expect(try await session.send().status == 200)
    }
}
