import HTTPTypes
import Testing

@testable import HTTPCaching

/// Two requests, and what the first one's answer says it depends on (RFC 9111 §4.1).
struct VaryCase: Sendable, CustomTestStringConvertible {
    let name: String
    let first: [(String, String)]
    let vary: [String]
    let second: [(String, String)]
    let isReused: Bool
    var language = ""

    init(
        _ name: String,
        _ first: [(String, String)],
        vary: String...,
        then second: [(String, String)],
        reused: Bool,
        language: String = ""
    ) {
        self.name = name
        self.first = first
        self.vary = vary
        self.second = second
        isReused = reused
        self.language = language
    }

    var testDescription: String { name }
}

@Suite struct VaryTests {
    @Test(arguments: [
        VaryCase("same", [("Foo", "1")], vary: "Foo", then: [("Foo", "1")], reused: true),
        VaryCase("different", [("Foo", "1")], vary: "Foo", then: [("Foo", "2")], reused: false),
        VaryCase("missing at first", [], vary: "Foo", then: [("Foo", "1")], reused: false),
        VaryCase("missing later", [("Foo", "1")], vary: "Foo", then: [], reused: false),
        VaryCase("empty is not missing", [("Foo", "")], vary: "Foo", then: [], reused: false),
        VaryCase(
            "others do not matter", [("Foo", "1"), ("X", "2")], vary: "Foo", then: [("Foo", "1"), ("X", "3")],
            reused: true),
        VaryCase("names in any case", [("foo", "1")], vary: "FOO", then: [("Foo", "1")], reused: true),
        VaryCase(
            "two", [("Foo", "1"), ("Bar", "a")], vary: "Foo, Bar", then: [("Foo", "1"), ("Bar", "a")], reused: true),
        VaryCase(
            "two, one different", [("Foo", "1"), ("Bar", "a")], vary: "Foo, Bar", then: [("Foo", "2"), ("Bar", "a")],
            reused: false),
        VaryCase("two, both missing later", [("Foo", "1"), ("Bar", "a")], vary: "Foo, Bar", then: [], reused: false),
        VaryCase(
            "two lines", [("Foo", "1"), ("Bar", "a")], vary: "Foo", "Bar", then: [("Foo", "1"), ("Bar", "b")],
            reused: false),
        VaryCase(
            "three in another order", [("Foo", "1"), ("Bar", "a"), ("Baz", "7")], vary: "Foo, Bar, Baz",
            then: [("Baz", "7"), ("Foo", "1"), ("Bar", "abc")], reused: false),
        VaryCase(
            "three, one always missing", [("Foo", "1"), ("Baz", "7")], vary: "Foo, Bar, Baz",
            then: [("Foo", "1"), ("Baz", "7")], reused: true),
        VaryCase("star", [("Foo", "1")], vary: "*", then: [("Foo", "1")], reused: false),
        VaryCase("star, star", [], vary: "*, *", then: [], reused: false),
        VaryCase("star on two lines", [], vary: "*", "*", then: [], reused: false),
        VaryCase("empty member, star", [], vary: ", *", then: [], reused: false),
        VaryCase("empty line, star", [], vary: "", "*", then: [], reused: false),
        VaryCase("star first", [("Foo", "1")], vary: "*, Foo", then: [("Foo", "1")], reused: false),
        VaryCase("star last", [("Foo", "1")], vary: "Foo, *", then: [("Foo", "1")], reused: false),
        VaryCase("empty", [("Foo", "1")], vary: "", then: [("Foo", "2")], reused: true),
        VaryCase("one line or two", [("Foo", "1, 2")], vary: "Foo", then: [("Foo", "1"), ("Foo", "2")], reused: true),
        VaryCase("white space", [("Foo", "1,2")], vary: "Foo", then: [("Foo", " 1, 2 ")], reused: true),
        VaryCase(
            "white space in quotes", [("Foo", "\"1,2\"")], vary: "Foo", then: [("Foo", "\"1, 2\"")], reused: false),
        VaryCase("order matters", [("Foo", "1, 2")], vary: "Foo", then: [("Foo", "2, 1")], reused: false),
        VaryCase("case matters", [("Foo", "a")], vary: "Foo", then: [("Foo", "A")], reused: false),
        VaryCase(
            "languages in another order", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", "de, en")], reused: true),
        VaryCase(
            "languages in another case", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", "eN, De")], reused: true),
        VaryCase(
            "languages with white space", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", " en ,   de")], reused: true),
        VaryCase(
            "weights that are no numbers", [("Accept-Language", "en;q=nan, de;q=inf, fr;q=-1")],
            vary: "Accept-Language",
            then: [("Accept-Language", "en;q=0, de;q=1, fr;q=0")], reused: true),
        VaryCase(
            "languages with weights", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", "en;q=0.5, de")], reused: false),
        VaryCase(
            "the language liked best", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", "fr;q=0.5, de;q=1.0")], reused: true, language: "de"),
        VaryCase(
            "not the language liked best", [("Accept-Language", "en, de")], vary: "Accept-Language",
            then: [("Accept-Language", "fr, de;q=0.5")], reused: false, language: "de"),
        VaryCase(
            "two languages liked best", [("Accept-Language", "de")], vary: "Accept-Language",
            then: [("Accept-Language", "fr, de")], reused: false, language: "de"),
    ])
    func selection(_ vary: VaryCase) async throws {
        let session = CacheSession()
        var headers = [("Cache-Control", "max-age=5000")] + vary.vary.map { ("Vary", $0) }
        if !vary.language.isEmpty { headers.append(("Content-Language", vary.language)) }
        session.origin.reply(.init(headers: headers, body: "first"), .init(body: "second"))
        try await session.send(.get, "/", vary.first)
        let second = try await session.send(.get, "/", vary.second)
        #expect(second.isCached == vary.isReused)
        #expect(second.text == (vary.isReused ? "first" : "second"))
    }

    @Test func variantsAreKeptBesideEachOther() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=5000"), ("Vary", "Foo")]
        session.origin.reply(.init(headers: headers, body: "one"), .init(headers: headers, body: "two"))
        try await session.send(.get, "/", [("Foo", "1")])
        try await session.send(.get, "/", [("Foo", "2")])
        #expect(try await session.send(.get, "/", [("Foo", "1")]).text == "one")
        #expect(try await session.send(.get, "/", [("Foo", "2")]).text == "two")
        #expect(session.origin.requests.count == 2)
    }

    /// RFC 9111 §4.1: of several that match, the most recent by `Date`.
    @Test func mostRecentOfSeveralMatchesIsUsed() async throws {
        let session = CacheSession()
        let plain = [("Cache-Control", "max-age=5000"), ("Date", session.date(-100))]
        let varying = [("Cache-Control", "max-age=5000"), ("Date", session.date()), ("Vary", "Foo")]
        session.origin.reply(.init(headers: varying, body: "recent"), .init(headers: plain, body: "older"))
        try await session.send(.get, "/", [("Foo", "1")])
        try await session.send(.get, "/", [("Foo", "2")])
        #expect(try await session.send(.get, "/", [("Foo", "1")]).text == "recent")
        #expect(try await session.send(.get, "/", [("Foo", "3")]).text == "older")
    }

    @Test func otherQueriesAreOtherAnswers() async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=9")], body: "1"),
            .init(headers: [("Cache-Control", "max-age=9")], body: "2")
        )
        try await session.send(.get, "/?q=1")
        #expect(try await session.send(.get, "/?q=2").text == "2")
        #expect(try await session.send(.get, "/?q=1").text == "1")
        #expect(try await session.send(.get, "/?q=2#fragment").isCached)
    }
}
