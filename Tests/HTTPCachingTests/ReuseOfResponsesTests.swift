import HTTPTypes
import Testing

@testable import HTTPCaching

/// What the first answer says, and whether the second request is answered with it.
struct ReuseCase: Sendable, CustomTestStringConvertible {
    let name: String
    var status = 200
    /// Header lines; a whole number is a date so many seconds from now.
    let headers: [(String, Any & Sendable)]
    var wait = 3.0
    let isReused: Bool

    init(_ name: String, _ headers: [(String, Any & Sendable)], status: Int = 200, wait: Double = 3, reused: Bool) {
        self.name = name
        self.headers = headers
        self.status = status
        self.wait = wait
        isReused = reused
    }

    var testDescription: String { name }

    func lines(_ session: CacheSession) -> [(String, String)] {
        headers.map { ($0.0, ($0.1 as? Int).map { session.date($0) } ?? "\($0.1)") }
    }
}

private func cc(_ value: String) -> (String, Any & Sendable) { ("Cache-Control", value) }

@Suite struct ReuseOfResponsesTests {
    private func check(_ reuse: ReuseCase) async throws {
        let session = CacheSession()
        session.origin.reply(
            .init(status: reuse.status, headers: reuse.lines(session), body: "first"), .init(body: "new"))
        try await session.send()
        session.clock.advance(reuse.wait)
        let second = try await session.send()
        #expect(second.isCached == reuse.isReused)
        #expect(second.text == (reuse.isReused ? "first" : "new"))
        #expect(second.status == (reuse.isReused ? reuse.status : 200))
        #expect(session.warnings.texts.isEmpty)
    }

    /// RFC 9111 §4.2.1 and §5.2.2.1.
    @Test(arguments: [
        ReuseCase("nothing said", [], reused: false),
        ReuseCase("max-age", [cc("max-age=3600")], reused: true),
        ReuseCase("max-age that is over", [cc("max-age=2")], reused: false),
        ReuseCase("max-age as old as the answer", [cc("max-age=3")], reused: false),
        ReuseCase("max-age of nothing", [cc("max-age=0")], wait: 0, reused: false),
        ReuseCase("2³¹-1", [cc("max-age=2147483647")], reused: true),
        ReuseCase("2³¹", [cc("max-age=2147483648")], reused: true),
        ReuseCase("2³¹+1", [cc("max-age=2147483649")], reused: true),
        ReuseCase("more than fits", [cc("max-age=99999999999999999999999")], reused: true),
        ReuseCase("Age beyond max-age", [("Date", 0), cc("max-age=3600"), ("Age", "7200")], reused: false),
        ReuseCase("Date long ago", [("Date", -7200), cc("max-age=3600")], reused: false),
        ReuseCase("Date in the future", [("Date", 7200), cc("max-age=3600")], reused: true),
        ReuseCase("past Expires", [cc("max-age=3600"), ("Expires", -7200), ("Date", 0)], reused: true),
        ReuseCase("unreadable Expires", [cc("max-age=3600"), ("Expires", "0"), ("Date", 0)], reused: true),
        ReuseCase("max-age=0, future Expires", [("Expires", 3600), cc("max-age=0"), ("Date", 0)], reused: false),
        ReuseCase("unknown directive", [cc("foobar, max-age=3600")], reused: true),
        ReuseCase("unknown directive with a value", [cc("foo=bar, max-age=3600, x=\"y, z\"")], reused: true),
        ReuseCase("case", [cc("MaX-aGe=3600")], reused: true),
        ReuseCase("negative", [cc("max-age=-3600")], reused: false),
        ReuseCase("s-maxage is not ours", [cc("s-maxage=3600, max-age=1")], reused: false),
        ReuseCase("s-maxage on a line of its own", [cc("s-maxage=3600"), cc("max-age=1")], reused: false),
        ReuseCase("s-maxage alone", [cc("s-maxage=3600")], reused: false),
        ReuseCase("short s-maxage", [cc("max-age=3600, s-maxage=1")], reused: true),
        ReuseCase("CDN-Cache-Control alone", [("CDN-Cache-Control", "max-age=3600")], reused: false),
        ReuseCase("CDN-Cache-Control no-store", [("CDN-Cache-Control", "no-store"), cc("max-age=9")], reused: true),
        ReuseCase("Surrogate-Control", [("Surrogate-Control", "max-age=3600")], reused: false),
    ])
    func maxAge(_ reuse: ReuseCase) async throws { try await check(reuse) }

    /// RFC 9111 §5.2: how directives are read.
    @Test(arguments: [
        ReuseCase("the first of two", [cc("max-age=1800, max-age=1")], reused: true),
        ReuseCase("the first of two lines", [cc("max-age=1800"), cc("max-age=1")], reused: true),
        ReuseCase("a stale first", [cc("max-age=1, max-age=1800")], reused: false),
        ReuseCase("a stale first line", [cc("max-age=1"), cc("max-age=1800")], reused: false),
        ReuseCase("in quotes", [cc("max-age=\"3600\"")], reused: true),
        ReuseCase("inside another's quotes", [cc("extension=\"max-age=3600\", max-age=1")], reused: false),
        ReuseCase("inside another's quotes, after", [cc("max-age=1, extension=\"max-age=3600\"")], reused: false),
        ReuseCase("inside quotes with an escape", [cc("x=\"a\\\", max-age=3600\", max-age=1")], reused: false),
        ReuseCase("space before =", [cc("max-age =3600")], reused: false),
        ReuseCase("space after =", [cc("max-age= 3600")], reused: false),
        ReuseCase("spaces around members", [cc(" ,  max-age=3600  ,, ")], reused: true),
        ReuseCase("leading zeros", [cc("max-age=003600")], reused: true),
        ReuseCase("single quotes", [cc("max-age='3600'")], reused: false),
        ReuseCase("fraction .0", [cc("max-age=3600.0")], reused: false),
        ReuseCase("fraction .5", [cc("max-age=3600.5")], reused: false),
        ReuseCase("letter before", [cc("max-age=a3600")], reused: false),
        ReuseCase("letter after", [cc("max-age=3600a")], reused: false),
        ReuseCase("plus", [cc("max-age=+3600")], reused: false),
        ReuseCase("no value", [cc("max-age")], reused: false),
        ReuseCase("empty value", [cc("max-age=")], reused: false),
        ReuseCase("quote that never ends", [cc("max-age=\"3600")], reused: false),
        ReuseCase("unreadable max-age, good Expires", [cc("max-age=x"), ("Expires", 3600)], reused: false),
    ])
    func parsing(_ reuse: ReuseCase) async throws { try await check(reuse) }

    /// RFC 9111 §5.3.
    @Test(arguments: [
        ReuseCase("future", [("Expires", 2_592_000), ("Date", 0)], reused: true),
        ReuseCase("past", [("Expires", -2_592_000), ("Date", 0)], reused: false),
        ReuseCase("now", [("Expires", 0), ("Date", 0)], wait: 0, reused: false),
        ReuseCase("before a fast Date", [("Expires", 300), ("Date", 400)], reused: false),
        ReuseCase("zero", [("Expires", "0"), ("Date", 0)], reused: false),
        ReuseCase("minus one", [("Expires", "-1"), ("Date", 0)], reused: false),
        ReuseCase("nothing", [("Expires", ""), ("Date", 0)], reused: false),
        ReuseCase("unreadable Date", [("Date", "foo"), ("Expires", 10)], wait: 0, reused: true),
        ReuseCase("no Date", [("Expires", 10)], reused: true),
        ReuseCase("Age beyond it, slow Date", [("Date", -10), ("Expires", 10), ("Age", "25")], wait: 0, reused: false),
        ReuseCase("Age beyond it, fast Date", [("Date", 10), ("Expires", 20), ("Age", "15")], wait: 0, reused: false),
        ReuseCase("the first of two", [("Expires", -10), ("Expires", 3600), ("Date", 0)], reused: false),
        ReuseCase("weekday in capitals", [("Expires", "THU, 18 Aug 2050 02:01:18 GMT"), ("Date", 0)], reused: true),
        ReuseCase("month in capitals", [("Expires", "Thu, 18 AUG 2050 02:01:18 GMT"), ("Date", 0)], reused: true),
        ReuseCase("zone in mixed case", [("Expires", "Thu, 18 Aug 2050 02:01:18 gMT"), ("Date", 0)], reused: true),
        ReuseCase("RFC 850", [("Expires", "Thursday, 18-Aug-50 02:01:18 GMT"), ("Date", 0)], reused: true),
        ReuseCase("asctime", [("Expires", "Thu Aug 18 02:01:18 2050"), ("Date", 0)], reused: true),
        ReuseCase("points in the time", [("Expires", "Thu, 18 Aug 2050 02.01.18 GMT"), ("Date", 0)], reused: false),
    ])
    func expires(_ reuse: ReuseCase) async throws { try await check(reuse) }

    /// RFC 9111 §5.1.
    @Test(arguments: [
        ReuseCase("letters", [("Date", 0), cc("max-age=3600"), ("Age", "abc")], reused: true),
        ReuseCase("negative", [("Date", 0), cc("max-age=3600"), ("Age", "-7200")], reused: true),
        ReuseCase("fraction", [("Date", 0), cc("max-age=3600"), ("Age", "7200.0")], reused: true),
        ReuseCase("2³¹-1", [("Date", 0), cc("max-age=3600"), ("Age", "2147483647")], reused: false),
        ReuseCase("2³¹", [("Date", 0), cc("max-age=3600"), ("Age", "2147483648")], reused: false),
        ReuseCase("more than fits", [("Date", 0), cc("max-age=3600"), ("Age", "99999999999999999999")], reused: false),
        ReuseCase("old, 0", [("Date", 0), cc("max-age=3600"), ("Age", "7200, 0")], reused: false),
        ReuseCase("0, old", [("Date", 0), cc("max-age=3600"), ("Age", "0, 7200")], reused: true),
        ReuseCase(
            "old on the first line", [("Date", 0), cc("max-age=3600"), ("Age", "7200"), ("Age", "0")], reused: false),
        ReuseCase(
            "old on the second line", [("Date", 0), cc("max-age=3600"), ("Age", "0"), ("Age", "7200")], reused: true),
        ReuseCase("not old, twice", [("Date", 0), cc("max-age=9999"), ("Age", "3600"), ("Age", "3600")], reused: true),
        ReuseCase("0, 0", [("Date", 0), cc("max-age=3600"), ("Age", "0, 0")], reused: true),
        ReuseCase("with a parameter", [("Date", 0), cc("max-age=3600"), ("Age", "7200;foo=bar")], reused: true),
    ])
    func age(_ reuse: ReuseCase) async throws { try await check(reuse) }

    /// RFC 9111 §4.2.2: a tenth of the time since the last change, for statuses that may have it.
    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func heuristicFreshness(status: Int) async throws {
        try await check(ReuseCase("", [("Last-Modified", -86_400), ("Date", 0)], status: status, reused: true))
    }

    @Test(arguments: [201, 202, 302, 307, 400, 403, 500, 502, 503, 504, 599])
    func noHeuristicFreshness(status: Int) async throws {
        try await check(
            ReuseCase("", [("Last-Modified", -86_400), ("Date", 0)], status: status, wait: 0, reused: false))
    }

    @Test func publicAllowsHeuristicsForAnyStatus() async throws {
        let headers: [(String, Any & Sendable)] = [("Last-Modified", -86_400), ("Date", 0), cc("public")]
        try await check(ReuseCase("", headers, status: 599, reused: true))
    }

    @Test(arguments: [(5, false), (10, false), (29, false), (31, true), (60, true), (600, true), (43_200, true)])
    func heuristicIsATenth(changed: Int, isReused: Bool) async throws {
        try await check(ReuseCase("", [("Last-Modified", -changed), ("Date", 0)], reused: isReused))
    }

    @Test func heuristicHasALimit() async throws {
        let headers: [(String, Any & Sendable)] = [("Last-Modified", -400 * 86_400), ("Date", 0)]
        try await check(ReuseCase("", headers, wait: 6 * 86_400, reused: true))
        try await check(ReuseCase("", headers, wait: 8 * 86_400, reused: false))
    }

    /// RFC 9111 §3: every final status may be kept when the answer says how long.
    @Test(arguments: [
        200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599,
    ])
    func explicitFreshness(status: Int) async throws {
        try await check(ReuseCase("", [cc("max-age=100000"), ("Last-Modified", 0)], status: status, reused: true))
        let stale: [(String, Any & Sendable)] = [("Expires", -5000), ("Date", 0)]
        let session = CacheSession()
        let old = ReuseCase("", stale, status: status, reused: false)
        session.origin.reply(.init(status: status, headers: old.lines(session), body: "first"), .init(body: "new"))
        try await session.send()
        #expect(try await session.send().text == "new")
    }

    /// RFC 9111 §5.2.2.
    @Test(arguments: [
        ReuseCase("private", [cc("private, max-age=3600")], reused: true),
        ReuseCase("private with names", [cc("private=\"a\", max-age=3600")], reused: true),
        ReuseCase("no-store", [cc("no-store")], wait: 0, reused: false),
        ReuseCase("no-store in any case", [cc("No-StOrE, max-age=100")], wait: 0, reused: false),
        ReuseCase("no-store and fresh", [cc("max-age=10000, no-store"), ("Expires", 10_000)], wait: 0, reused: false),
        ReuseCase("no-cache", [cc("max-age=10000, no-cache"), ("Expires", 10_000)], wait: 0, reused: false),
        ReuseCase("no-cache in any case", [cc("max-age=10000, No-CaChE")], wait: 0, reused: false),
        ReuseCase(
            "must-revalidate while fresh", [cc("max-age=10000, must-revalidate"), ("ETag", "\"a\"")], reused: true),
        ReuseCase("must-understand, known status", [cc("max-age=3600, no-store, must-understand")], reused: true),
        ReuseCase(
            "must-understand, unknown status", [cc("max-age=3600, must-understand, no-store")], status: 599,
            reused: false),
        ReuseCase("immutable", [cc("max-age=10000, immutable")], reused: true),
        ReuseCase("Pragma in an answer", [cc("max-age=3600"), ("Pragma", "no-cache")], reused: true),
        ReuseCase("Pragma and heuristics", [("Last-Modified", -10_000), ("Pragma", "no-cache")], reused: true),
        ReuseCase("Set-Cookie", [cc("max-age=3600"), ("Set-Cookie", "a=b")], reused: true),
        ReuseCase("Content-Disposition", [cc("max-age=9"), ("Content-Disposition", "attachment")], reused: true),
    ])
    func directives(_ reuse: ReuseCase) async throws { try await check(reuse) }
}
