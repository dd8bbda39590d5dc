import HTTPTransport
import HTTPTypes
import Testing

@testable import HTTPCaching

@Suite struct PartialContentTests {
    private func part(_ range: String, _ body: String, tag: String? = "\"a\"") -> Origin.Reply {
        let headers = [("Cache-Control", "max-age=3600"), ("Content-Range", "bytes \(range)")]
        return .init(status: 206, headers: headers + (tag.map { [("ETag", $0)] } ?? []), body: body)
    }

    private func whole(_ body: String, _ headers: [(String, String)] = []) -> Origin.Reply {
        .init(headers: [("Cache-Control", "max-age=3600")] + headers, body: body)
    }

    /// RFC 9110 §14.2.
    @Test(arguments: [
        ("bytes=0-1", "01", "bytes 0-1/11"), ("bytes=1-", "1234567890", "bytes 1-10/11"),
        ("bytes=-1", "0", "bytes 10-10/11"), ("bytes=-99", "01234567890", "bytes 0-10/11"),
        ("bytes=9-99", "90", "bytes 9-10/11"), ("Bytes=3-3", "3", "bytes 3-3/11"),
    ])
    func rangesOfACompleteAnswer(range: String, body: String, contentRange: String) async throws {
        let session = CacheSession([whole("01234567890", [("A", "1")])])
        try await session.send()
        let answer = try await session.send(.get, "/", [("Range", range)])
        #expect(answer.isCached && answer.status == 206 && answer.text == body)
        #expect(answer.headers[.contentRange] == contentRange && answer.headers[line: "A"] == "1")
        #expect(answer.headers[.contentLength] == "\(body.utf8.count)")
    }

    @Test(arguments: ["bytes=11-", "bytes=5-3", "bytes=0-1,3-4", "items=0-1", "bytes=-0", "bytes=x-", "bytes"])
    func otherRangesAreTheServers(range: String) async throws {
        let session = CacheSession([whole("01234567890")])
        try await session.send()
        #expect(try await session.send(.get, "/", [("Range", range)]).isCached == false)
    }

    @Test(arguments: [
        ("bytes=-5", "56789"), ("bytes=6-8", "678"), ("bytes=6-", "6789"), ("bytes=-1", "9"), ("bytes=5-100", "56789"),
    ])
    func rangesOfAPart(range: String, body: String) async throws {
        let session = CacheSession([part("5-9/10", "56789")])
        try await session.send(.get, "/", [("Range", "bytes=-5")])
        let answer = try await session.send(.get, "/", [("Range", range)])
        #expect(answer.isCached && answer.status == 206 && answer.text == body)
    }

    @Test(arguments: [
        "0-9223372036854775807/*", "9223372036854775803-9223372036854775807/*",
        "9223372036854775802-9223372036854775806/*",
        "+5-+9/+10",
    ])
    func placesThatNoContentHasAreNotStored(range: String) async throws {
        let session = CacheSession([part(range, "56789")])
        try await session.send(.get, "/", [("Range", "bytes=-5")])
        try await session.send(.get, "/", [("Range", "bytes=0-4")])
        let answer = try await session.send(.get, "/", [("Range", "bytes=-5")])
        #expect(!answer.isCached && answer.text == "56789")
    }

    @Test(arguments: [("bytes=-5", "01234"), ("bytes=6-8", "234"), ("bytes=6-", "234"), ("bytes=-1", "4")])
    func partOfAServerThatMiscounts(range: String, body: String) async throws {
        let session = CacheSession([part("4-9/10", "01234", tag: nil)])
        try await session.send(.get, "/", [("Range", "bytes=-5")])
        let answer = try await session.send(.get, "/", [("Range", range)])
        #expect(answer.isCached && answer.text == body)
    }

    @Test(arguments: ["bytes=0-3", "bytes=4-6", "bytes=-6"])
    func rangesBeyondThePartAreTheServers(range: String) async throws {
        let session = CacheSession([part("5-9/10", "56789")])
        try await session.send(.get, "/", [("Range", "bytes=-5")])
        #expect(try await session.send(.get, "/", [("Range", range)]).isCached == false)
    }

    @Test func partIsNoAnswerToAPlainRequest() async throws {
        let session = CacheSession()
        session.origin.reply(part("0-4/10", "01234"), whole("abcdefghij"))
        try await session.send(.get, "/", [("Range", "bytes=0-4")])
        let answer = try await session.send()
        #expect(answer.status == 200 && answer.text == "abcdefghij")
    }

    /// RFC 9111 §3.3 and §3.4.
    @Test func restIsFetchedAndBothMakeTheWhole() async throws {
        let session = CacheSession()
        session.origin.reply(part("0-4/10", "01234"), part("5-9/10", "56789"))
        try await session.send(.get, "/", [("Range", "bytes=0-4")])
        let answer = try await session.send()
        #expect(answer.status == 200 && answer.text == "0123456789" && answer.headers[.contentRange] == nil)
        let asked = try #require(session.origin.requests.last)
        #expect(asked.headers[.range] == "bytes=5-" && asked.headers[.ifRange] == "\"a\"")
        let again = try await session.send()
        #expect(again.isCached && again.text == "0123456789" && again.status == 200)
    }

    @Test(arguments: ["W/\"a\"", "\"b\"", nil])
    func partsOfUnknownOrOtherVersionsAreNeverCombined(tag: String?) async throws {
        let session = CacheSession()
        session.origin.reply(part("0-4/10", "01234", tag: tag), part("5-9/10", "vwxyz"), whole("abcdefghij"))
        try await session.send(.get, "/", [("Range", "bytes=0-4")])
        #expect(try await session.send().text == "abcdefghij")
    }

    @Test func partsThatTouchAreCombined() async throws {
        let session = CacheSession()
        session.origin.reply(part("0-4/10", "01234"), part("4-9/10", "456789"))
        try await session.send(.get, "/", [("Range", "bytes=0-4")])
        try await session.send(.get, "/", [("Range", "bytes=4-9")])
        let answer = try await session.send()
        #expect(answer.isCached && answer.text == "0123456789")
    }

    @Test func conditionOfARangeIsHeeded() async throws {
        let session = CacheSession([whole("0123456789", [("ETag", "\"a\"")])])
        try await session.send()
        let same = try await session.send(.get, "/", [("Range", "bytes=0-1"), ("If-Range", "\"a\"")])
        #expect(same.isCached && same.status == 206 && same.text == "01")
        let other = try await session.send(.get, "/", [("Range", "bytes=0-1"), ("If-Range", "\"b\"")])
        #expect(other.isCached && other.status == 200 && other.text == "0123456789")
    }

    @Test func staleAnswerIsValidatedBeforeARangeIsCut() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=2"), ("ETag", "\"a\"")]
        session.origin.reply(.init(headers: headers, body: "0123456789"), .init(headers: headers, isConditional: true))
        try await session.send()
        session.clock.advance(3)
        let answer = try await session.send(.get, "/", [("Range", "bytes=2-4")])
        #expect(answer.origin == .revalidated && answer.status == 206 && answer.text == "234")
    }

    @Test func newPartOfTheStoredVersionBringsItsLinesUpToDate() async throws {
        let session = CacheSession()
        let headers = [("Cache-Control", "max-age=2"), ("ETag", "\"a\""), ("A", "1"), ("B", "1")]
        let newer = [("Cache-Control", "max-age=9"), ("ETag", "\"a\""), ("A", "2"), ("Content-Range", "bytes 0-1/10")]
        session.origin.reply(
            .init(headers: headers, body: "0123456789"), .init(status: 206, headers: newer, body: "01"))
        try await session.send()
        session.clock.advance(3)
        try await session.send(.get, "/", [("Range", "bytes=0-1")])
        let answer = try await session.send()
        #expect(answer.isCached && answer.text == "0123456789")
        #expect(answer.headers[line: "A"] == "2" && answer.headers[line: "B"] == "1")
    }

    @Test func errorToARangeIsNotTheAnswerToAll() async throws {
        let session = CacheSession()
        session.origin.reply(.init(status: 416, headers: [("Cache-Control", "max-age=9")]), whole("all"))
        try await session.send(.get, "/", [("Range", "bytes=99-")])
        #expect(try await session.send().text == "all")
    }
}
