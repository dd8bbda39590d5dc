import ProviderModel
import Testing

@testable import HTTPTransport

/// Where a cookie may be sent, as RFC 6265 has it.
struct CookieTests {
    private func cookie(
        _ domain: String = "example.com", isHostOnly: Bool = false, path: String = "/", isSecure: Bool = false,
        expires: Int? = nil
    ) -> Cookie {
        Cookie(
            name: "a", value: "1", domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            expires: expires)!
    }

    @Test(arguments: [
        ("https://example.com/", false, true), ("https://www.example.com/", false, true),
        ("https://www.example.com/", true, false), ("https://example.com/", true, true),
        ("https://badexample.com/", false, false), ("https://example.com.evil.test/", false, false),
        ("https://com/", false, false),
    ])
    func domainIsMatchedByWholeLabels(_ url: String, _ isHostOnly: Bool, _ isSent: Bool) throws {
        #expect(cookie(isHostOnly: isHostOnly).matches(try WebURL(url), at: 0) == isSent)
    }

    @Test func addressHasNoHostsBelowIt() throws {
        #expect(!cookie("0.0.1").matches(try WebURL("http://127.0.0.1/"), at: 0))
        #expect(cookie("127.0.0.1").matches(try WebURL("http://127.0.0.1/"), at: 0))
    }

    @Test(arguments: [
        ("/", "/x", true), ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/ab", false), ("/a/", "/a", false),
        ("/a/", "/a/b", true),
    ])
    func pathIsMatchedByWholeSegments(_ path: String, _ requested: String, _ isSent: Bool) throws {
        #expect(cookie(path: path).matches(try WebURL("https://example.com\(requested)"), at: 0) == isSent)
    }

    @Test func secureCookieGoesOverTLSOnlyAndExpiredOneNowhere() throws {
        let (plain, secure) = (try WebURL("http://example.com/"), try WebURL("https://example.com/"))
        #expect(!cookie(isSecure: true).matches(plain, at: 0) && cookie(isSecure: true).matches(secure, at: 0))
        #expect(cookie(expires: 11).matches(secure, at: 10) && !cookie(expires: 10).matches(secure, at: 10))
    }

    @Test(arguments: [
        (["example.com"], "example.com", true, true), (["api.example.com"], "example.com", false, true),
        (["api.example.com"], "example.com", true, false), (["example.com"], "www.example.com", false, false),
        (["*.example.com"], "www.example.com", true, true), (["*.example.com"], "example.com", false, true),
        (["*.example.com"], "example.com", true, false), (["*"], "example.com", false, false),
        (["api.example.com"], "other.test", false, false), (["{instance}"], "booru.test", true, true),
    ])
    func onlyCookiesOfTheProvidersHostsAreItsOwn(
        _ hosts: [String], _ domain: String, _ isHostOnly: Bool, _ belongs: Bool
    ) throws {
        let scope = RequestScope(
            provider: ProviderID("p")!, hosts: hosts.map { HostPattern($0)! },
            instance: try WebURL("https://booru.test"))
        #expect(cookie(domain, isHostOnly: isHostOnly).belongs(to: scope) == belongs)
    }

    @Test func hostsThatWereNotGrantedGetNone() {
        var scope = RequestScope(provider: ProviderID("p")!, hosts: [HostPattern("example.com")!])
        scope.granted = [HostPattern("other.test")!]
        #expect(!cookie().belongs(to: scope))
    }
}

/// `Set-Cookie` lines, as browsers read them.
struct SetCookieTests {
    private let url = try! WebURL("https://www.example.com/a/b?c")

    @Test func attributesAreKept() throws {
        let line = "sid=31d4d96e407aad42; Domain=.Example.com; Path=/x; Secure; HttpOnly; SameSite=Lax; Max-Age=60"
        let cookie = try #require(Cookie(setBy: line, from: url, at: 1_000))
        #expect(
            cookie
                == Cookie(
                    name: "sid", value: "31d4d96e407aad42", domain: "example.com", isHostOnly: false, path: "/x",
                    isSecure: true, isHTTPOnly: true, expires: 1_060, sameSite: .lax))
    }

    @Test func withoutAttributesItIsOfThisHostAndFolder() throws {
        let cookie = try #require(Cookie(setBy: " a = b=c ", from: url, at: 0))
        #expect(cookie == Cookie(name: "a", value: "b=c", domain: "www.example.com", isHostOnly: true, path: "/a"))
    }

    @Test(arguments: [
        "no pair", "=", "a=1; Domain=com", "a=1; Domain=co.uk", "a=1; Domain=..example.com",
        "a=1; Domain=www.example.com:443", "a=1; Domain=other.test", "a=1; Domain=b.www.example.com",
        "__Host-a=1; Secure; Path=/; Domain=example.com", "__Secure-a=1", "a=\u{1}",
    ])
    func lineThatBrowsersIgnoreIsIgnored(_ line: String) { #expect(Cookie(setBy: line, from: url, at: 0) == nil) }

    @Test(arguments: [
        ("fox hare=1", "fox hare", "1"), ("狐=狸", "狐", "狸"), ("a=b\tc", "a", "b\tc"), ("a=\"b c\"", "a", "\"b c\""),
    ])
    func namesAndValuesAreTakenAsTheyAre(_ line: String, _ name: String, _ value: String) throws {
        let cookie = try #require(Cookie(setBy: line, from: url, at: 0))
        #expect(cookie.name == name && cookie.value == value)
    }

    /// As browsers have it, by the Public Suffix List.
    @Test(
        arguments: [
            ("https://fox.co.uk/", "co.uk", nil), ("https://a.fox.co.uk/", "fox.co.uk", false),
            ("https://co.uk/", "co.uk", true),
            ("https://a.bücher.example/", "bücher.example", false), ("https://127.0.0.1/", "127.0.0.1", false),
            ("https://localhost/", "localhost", true), ("https://127.0.0.1/", "0.0.1", nil),
        ] as [(String, String, Bool?)])
    func domainOfManyOwnersIsNoneOfACookie(_ url: String, _ domain: String, _ isHostOnly: Bool?) throws {
        #expect(Cookie(setBy: "a=1; Domain=\(domain)", from: try WebURL(url), at: 0)?.isHostOnly == isHostOnly)
    }

    @Test func plainHTTPSetsNoSecureCookie() throws {
        #expect(Cookie(setBy: "a=1; Secure", from: try WebURL("http://www.example.com/"), at: 0) == nil)
    }

    @Test(arguments: [
        ("Wed, 09 Jun 2021 10:18:14 GMT", 1_623_233_894), ("Wednesday, 09-Jun-21 10:18:14 GMT", 1_623_233_894),
        ("Wed Jun  9 10:18:14 2021", 1_623_233_894), ("9 jun 70 10:18:14", 13_774_694), ("soon", nil),
        ("31 Feb 2021 10:18:14", nil), ("09 Jun 2021 91:22:33 21:01:22", nil), ("9 Jun 2021 1:2:3", 1_623_200_523),
        ("09 Jun 2021", nil), ("09 Jun 1500 10:18:14", nil),
    ])
    func dateIsReadAsServersWriteIt(_ text: String, _ seconds: Int?) { #expect(CookieDate.seconds(text) == seconds) }

    @Test func maxAgeGoesBeforeExpiresAndEndsAfter400Days() throws {
        let past = "Expires=Wed, 09 Jun 2021 10:18:14 GMT"
        #expect(Cookie(setBy: "a=1; \(past); Max-Age=5", from: url, at: 10)?.expires == 15)
        #expect(Cookie(setBy: "a=1; Max-Age=-5", from: url, at: 10)?.expires == 0)
        #expect(Cookie(setBy: "a=1; Max-Age=9223372036854775807", from: url, at: 10)?.expires == 10 + 400 * 86_400)
    }
}

/// The cookies of one login.
struct CookieJarTests {
    private let url = try! WebURL("https://example.com/a/b")
    private let scope = RequestScope(provider: ProviderID("p")!, hosts: [HostPattern("example.com")!])

    private func jar(_ lines: [String]) -> CookieJar {
        var jar = CookieJar()
        _ = jar.take(lines, from: url, in: scope, at: 0)
        return jar
    }

    @Test func longerPathsGoFirstThenEarlierCookies() {
        let jar = jar(["x=1; Path=/", "y=2; Path=/a/b", "z=3; Path=/"])
        #expect(jar.header(for: url, at: 0) == "y=2; x=1; z=3")
        #expect(jar.header(for: try! WebURL("https://other.test/"), at: 0) == nil)
    }

    @Test func sameCookieIsReplacedAndAnExpiredOneDeletesIt() {
        var jar = jar(["a=1; Path=/", "b=2; Path=/"])
        _ = jar.take(["a=3; Path=/"], from: url, in: scope, at: 0)
        #expect(jar.header(for: url, at: 0) == "a=3; b=2")
        let isDeleted = jar.take(["a=; Path=/; Max-Age=0"], from: url, in: scope, at: 0)
        #expect(isDeleted)
        #expect(jar.header(for: url, at: 0) == "b=2")
        let isChanged = jar.take(["b=2; Path=/"], from: url, in: scope, at: 0)
        #expect(!isChanged)
    }

    @Test func hostOutsideTheProvidersSetsNone() throws {
        var jar = CookieJar()
        let isChanged = jar.take(["a=1"], from: try WebURL("https://cdn.example.com/"), in: scope, at: 0)
        #expect(!isChanged)
    }
}

/// `cookies.txt` and JSON.
struct CookieTextTests {
    private let text = """
        # Netscape HTTP Cookie File

        .example.com\tTRUE\t/\tTRUE\t1893456000\tsid\tabc def
        #HttpOnly_www.example.com\tFALSE\t/x\tFALSE\t0\tlogin\t12345\r
        example.org\tFALSE\t/\tFALSE\t0\tempty
        """

    @Test func netscapeFileIsRead() throws {
        let cookies = try CookieText.cookies(in: text, of: "cookies.txt")
        #expect(
            cookies == [
                Cookie(
                    name: "sid", value: "abc def", domain: "example.com", isHostOnly: false, isSecure: true,
                    expires: 1_893_456_000)!,
                Cookie(
                    name: "login", value: "12345", domain: "www.example.com", isHostOnly: true, path: "/x",
                    isHTTPOnly: true)!,
                Cookie(name: "empty", value: "", domain: "example.org", isHostOnly: true)!,
            ])
    }

    @Test func storedCookiesAreReadAsTheyWere() throws {
        var cookies = try CookieText.cookies(in: text, of: "cookies.txt")
        cookies[0].sameSite = Cookie.SameSite.none
        cookies[1].sameSite = .strict
        #expect(try CookieText.cookies(in: CookieText.json(cookies), of: "stored") == cookies)
    }

    @Test func extensionsJSONIsRead() throws {
        let json = """
            [{"domain": ".example.com", "expirationDate": 1893456000.5, "hostOnly": false, "httpOnly": true, "name": "sid",
              "path": "/", "sameSite": "no_restriction", "secure": true, "session": false, "storeId": "0", "value": "v"}]
            """
        #expect(
            try CookieText.cookies(in: json, of: "c.json") == [
                Cookie(
                    name: "sid", value: "v", domain: "example.com", isHostOnly: false, isSecure: true, isHTTPOnly: true,
                    expires: 1_893_456_000, sameSite: Cookie.SameSite.none)!
            ])
    }

    @Test(arguments: [
        (
            "byte order mark, CRLF, small letters",
            "\u{feff}# Netscape HTTP Cookie File\r\n\r\na.test\tfalse\t/\ttrue\t9.25\tn\tv\r\n"
        ),
        ("old line ends", "# x\ra.test\tFALSE\t/\tTRUE\t9\tn\tv\r"),
        ("an eighth column", "a.test\tFALSE\t/\tTRUE\t9\tn\tv\t7\tmore"),
        ("spaces for tabs", "a.test FALSE  / TRUE 9 n v\n"),
        ("spaces before the end", "a.test\tFALSE\t/\tTRUE\t 9 \tn\tv"),
        ("spaces before the line", "  a.test\tFALSE\t/\tTRUE\t9\tn\tv\n  # x\n"),
        ("no line end", "a.test\tFALSE\t/\tTRUE\t9\tn\tv"),
    ])
    func fileIsReadAsProgramsWriteIt(_ kind: String, _ text: String) throws {
        let reading = try CookieText.read(Array(text.utf8), of: "c.txt")
        #expect(reading.faults == [])
        #expect(
            reading.cookies == [
                Cookie(name: "n", value: "v", domain: "a.test", isHostOnly: true, isSecure: true, expires: 9)!
            ])
    }

    @Test func fileInUTF16IsRead() throws {
        let text = "a.test\tFALSE\t/\tFALSE\t0\tn\tvé\r\n"
        for isLittle in [true, false] {
            let bytes = ([0xfeff] + text.utf16).flatMap { unit in
                let pair = [UInt8(unit & 0xff), UInt8(unit >> 8)]
                return isLittle ? pair : pair.reversed()
            }
            #expect(try CookieText.read(bytes, of: "c.txt").cookies.map(\.value) == ["vé"])
        }
    }

    @Test(
        arguments: [
            ("0", nil), ("", nil), ("-1", nil), ("1893456000000", 1_893_456_000), ("253402300799", 253_402_300_799),
            ("1893456000000000", 1_893_456_000), ("13537929600000000", 1_893_456_000),
        ] as [(String, Int?)])
    func endIsInSeconds(_ end: String, _ seconds: Int?) throws {
        #expect(try CookieText.cookies(in: "a.test\tFALSE\t/\tFALSE\t\(end)\tn\tv", of: "c").first?.expires == seconds)
    }

    @Test func domainWithADotIsOneForHostsBelow() throws {
        let text = ".a.test\tFALSE\t/\tFALSE\t0\tn\tv\nb.test\tTRUE\t/\tFALSE\t0\tn\tv"
        #expect(try CookieText.cookies(in: text, of: "c").map(\.isHostOnly) == [false, false])
    }

    private static let faults = [
        ("a=b; c=secretsecret", "c.txt:1: found 1 field (expected 7, with tabs between them)"),
        ("# x\n.a.test\tTRUE\t/\tFALSE\tsecretsecret\tn\tsecretsecret", "c.txt:2: the fifth field is not a time"),
        ("\r\n\r\n.a.test\tTRUE\t/\tFALSE\t1.7e308\tn\tsecretsecret", "c.txt:3: the fifth field is not a time"),
        (".a.test\tTRUE\t/\tFALSE\t0\tn;\tsecretsecret", "c.txt:1: found a name or value that no cookie has"),
        ("[{\"secretsecret\"", "c.txt: found no valid JSON array"),
        ("[{\"name\": \"a\", \"value\": \"secretsecret\"}]", "c.txt: [0]: found no cookie"),
    ]

    @Test(arguments: faults)
    func errorNamesThePlaceAndShowsNoCookie(_ text: String, _ message: String) {
        let error = #expect(throws: TransportError.self) { try CookieText.cookies(in: text, of: "c.txt") }
        #expect(error?.message.contains(message) == true)
        #expect(error?.description.contains("secretsecret") == false)
    }

    @Test(arguments: faults.prefix(4))
    func brokenLineCostsNoOther(_ text: String, _ message: String) throws {
        let good = "b.test\tFALSE\t/\tFALSE\t0\tn\tv"
        let reading = try CookieText.read(Array("\(text)\n\(good)".utf8), of: "c.txt")
        #expect(reading.cookies.map(\.domain) == ["b.test"])
        #expect(reading.faults.count == 1 && reading.faults[0].hasPrefix(message))
        #expect(!reading.faults[0].contains("secretsecret"))
    }

    @Test func lineThatIsNotUTF8IsLeftOut() throws {
        let line = Array("b.test\tFALSE\t/\tFALSE\t0\tn\t".utf8)
        let reading = try CookieText.read(line + [0xff, 0x0a] + line + Array("v".utf8), of: "c.txt")
        #expect(reading.cookies.map(\.value) == ["v"] && reading.faults == ["c.txt:1: is not UTF-8"])
    }

    @Test func entryOfAnArrayCostsNoOther() throws {
        let json = #"[{"name": "a"}, 1, {"domain": "b.test", "name": "n", "value": "v", "expires": -1}]"#
        let reading = try CookieText.read(Array(json.utf8), of: "c.json")
        #expect(reading.cookies == [Cookie(name: "n", value: "v", domain: "b.test", isHostOnly: true)!])
        #expect(reading.faults.map { String($0.prefix(11)) } == ["c.json: [0]", "c.json: [1]"])
    }

    @Test(arguments: [
        #"{"cookies": [{"domain": ".a.test", "name": "n", "value": "v", "path": "/", "expires": 9.5, "sameSite": "Lax"}]}"#,
        #"[{"domain": ".a.test", "name": "n", "value": "v", "expiry": 9, "sameSite": "Lax"}]"#,
    ])
    func testToolsJSONIsRead(_ json: String) throws {
        #expect(
            try CookieText.cookies(in: json, of: "c.json") == [
                Cookie(name: "n", value: "v", domain: "a.test", isHostOnly: false, expires: 9, sameSite: .lax)!
            ])
    }
}
