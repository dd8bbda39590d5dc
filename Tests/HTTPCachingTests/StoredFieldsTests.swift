import HTTPTransport
import HTTPTypes
import ProviderModel
import Testing

@testable import HTTPCaching

@Suite struct StoredFieldsTests {
    /// RFC 9111 §3.1.
    @Test(arguments: [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
    ])
    func linesAboutTheConnectionAreNotKept(name: String) async throws {
        #expect(try await stored([(name, "value")])[line: name] == nil)
    }

    @Test(arguments: [
        "Test-Header", "X-Test-Header", "Content-Type", "Content-Encoding", "Content-Location", "Content-MD5",
        "Content-Range", "Content-Security-Policy", "Clear-Site-Data", "ETag", "Public-Key-Pins", "Set-Cookie",
        "Set-Cookie2", "X-Frame-Options", "X-XSS-Protection", "WWW-Authenticate", "Strict-Transport-Security",
    ])
    func otherLinesAreKept(name: String) async throws {
        #expect(try await stored([(name, "value")])[line: name] == "value")
    }

    @Test func linesNamedByConnectionAreNotKept() async throws {
        let fields = try await stored([("Connection", "a, B"), ("a", "1"), ("b", "2"), ("c", "3")])
        #expect(fields[line: "a"] == nil && fields[line: "b"] == nil && fields[line: "c"] == "3")
    }

    /// RFC 9111 §5.2.2.4.
    @Test func linesNamedByNoCacheAreNotUsed() async throws {
        let fields = try await stored([("Cache-Control", "no-cache=\"a, b\""), ("a", "1"), ("b", "2"), ("c", "3")])
        #expect(fields[line: "a"] == nil && fields[line: "b"] == nil && fields[line: "c"] == "3")
    }

    @Test func severalLinesOfANameStayApart() async throws {
        let fields = try await stored([("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        #expect(fields[values: .setCookie] == ["a=1", "b=2"])
    }

    @Test func ageIsCountedAndDateIsNot() async throws {
        let session = CacheSession()
        let date = session.date()
        session.origin.reply(
            .init(headers: [("Cache-Control", "max-age=600"), ("Date", date), ("Age", "30")], delay: 2))
        try await session.send()
        session.clock.advance(3)
        let second = try await session.send()
        #expect(second.headers[line: "Age"] == "35")
        #expect(second.origin == .cache(age: 35, isStale: false))
        #expect(second.headers[.date] == date)
    }

    @Test func dateIsAddedWhereItIsMissing() async throws {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=600")])])
        let date = session.date()
        try await session.send()
        session.clock.advance(3)
        #expect(try await session.send().headers[.date] == date)
    }

    @Test(arguments: [0, 951_782_400, 951_868_800, 1_800_000_000, 4_102_444_799, -1])
    func writtenDatesAreRead(seconds: Int) {
        #expect(DateTime(http: DateTime(secondsSince1970: seconds).http)?.secondsSince1970 == seconds)
    }

    @Test func knownDateIsWrittenAsInTheStandard() {
        #expect(DateTime(secondsSince1970: 784_111_777).http == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    private func stored(_ headers: [(String, String)]) async throws -> HTTPFields {
        let session = CacheSession([.init(headers: [("Cache-Control", "max-age=600")] + headers)])
        try await session.send()
        let second = try await session.send()
        #expect(second.isCached)
        return second.headers
    }
}
