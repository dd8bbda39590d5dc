import ProviderModel
import Testing

@Suite("A URL has one normal form")
struct WebURLTests {
    @Test(arguments: [
        "https://example.com/", "https://example.com/a/b?c=d&e#f", "https://example.com/?q=1",
        "http://example.com:8080/x", "https://xn--bcher-kva.example/", "https://192.0.2.1/", "https://[2001:db8::1]/",
        "http://192.0.2.1:1/", "http://example.com:443/x", "http://example.com:8080/?q", "http://example.com/#f",
        "https://example.com/%C3%A9?q=%20", "https://a_b.example.com/", "https://example.com/a;b,c=(d)'!$*+@:~|[]",
        "https://example.com/?{a|b}[^`]\\", "https://example.com/#{a|b}[^]\\'", "https://example.com./",
        "https://localhost/", "https://xn--a/", "https://example.com/%2Ex/.x/x.",
    ])
    func normalURLStaysAsItIs(_ text: String) throws {
        #expect(try WebURL(text).description == text)
    }

    @Test(arguments: [
        ("HTTPS://Example.COM/Path", "https://example.com/Path"),
        ("https://example.com:443/x", "https://example.com/x"),
        ("http://example.com:80/x", "http://example.com/x"),
        ("https://example.com:80/x", "https://example.com:80/x"),
        ("https://example.com:/x", "https://example.com/x"),
        ("https://example.com:0443/x", "https://example.com/x"),
        ("http://example.com:08080/x", "http://example.com:8080/x"),
        ("https://example.com/a b?c d#e f", "https://example.com/a%20b?c%20d#e%20f"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("https://example.com", "https://example.com/"), ("https://example.com?q=1", "https://example.com/?q=1"),
        ("https://example.com#f", "https://example.com/#f"),
        ("https://example.com/\"<>\\^`{|}", "https://example.com/%22%3C%3E/%5E%60%7B|%7D"),
        ("https://example.com/?\"<>\\^`{|}'", "https://example.com/?%22%3C%3E\\^`{|}%27"),
        ("https://example.com/#\"<>\\^`{|}'", "https://example.com/#%22%3C%3E\\^%60{|}'"),
        ("https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443/"),
        ("https://example.com/%zz", "https://example.com/%zz"),
        // As browsers read them: white space, line ends, slashes, dots.
        ("  https://example.com/a \n", "https://example.com/a"), ("\u{1}https://example.com/", "https://example.com/"),
        ("ht\ntps://exam\tple.com/a\r\nb", "https://example.com/ab"),
        ("https:\\\\example.com\\a\\b?\\", "https://example.com/a/b?\\"),
        ("https:example.com", "https://example.com/"), ("https:/example.com", "https://example.com/"),
        ("https:///example.com", "https://example.com/"), ("https://@example.com/", "https://example.com/"),
        ("https://example.com\\@other.example/", "https://example.com/@other.example/"),
        ("https://example.com/a/../b/./c/..", "https://example.com/b/"),
        ("https://example.com/a/%2E%2e/b/%2e", "https://example.com/b/"),
        ("https://example.com/../../x", "https://example.com/x"),
        ("https://example.com/a//..//b", "https://example.com/a//b"),
        ("https://example.com/\u{0}\u{7f}", "https://example.com/%00%7F"),
        ("https://exam%70le.com/", "https://example.com/"),
    ])
    func otherFormsBecomeTheNormalOne(_ text: String, _ normal: String) throws {
        let url = try WebURL(text)
        #expect(url.description == normal)
        #expect(try url == WebURL(normal))
        #expect(try WebURL(url.description) == url)
    }

    /// Long texts are looked at sixteen bytes at a time.
    @Test(arguments: ["\"", "<", ">", "^", "`", "{", "}", "\u{1}", "é"])
    func whatHasToBeEncodedIsFoundWhereverItStands(_ character: String) throws {
        let encoded = character.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined()
        for place in 0..<40 {
            let (before, after) = (String(repeating: "a", count: place), String(repeating: "a", count: 40 - place))
            let url = try WebURL("https://example.com/\(before)\(character)\(after)")
            #expect(url.description == "https://example.com/\(before)\(encoded)\(after)")
        }
    }

    @Test(arguments: [
        "", "example.com", "/a", "//example.com/a", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)",
        "data:text/plain,x", "https://", "https://:80/", "https://user@example.com/", "https://user:word@example.com/",
        "https://example.com@evil.example/", "https:/user@example.com", "https://@user@example.com/",
        "https://exa mple.com/", "https://example.com:99999/", "https://example.com:8a/", "https://example.com:-1/",
        "https://[::1", "https://[::1]x/", "https://[::g]/", "https://exa%20mple.com/", "https://example.com /",
        "https://example.com%2fx/", "https://example.com%00/", "https://%ff.example/", "https://a;b/", "https://a\"b/",
    ])
    func anotherSchemeAUserNameAndABrokenHostAreRefused(_ text: String) {
        #expect(throws: InvalidURL.self) { try WebURL(text) }
    }

    @Test(arguments: [
        "https://anna:secretsecret@a.test/", "https:anna:secretsecret@a.test", "http:\\\\secretsecret@a.test",
    ])
    func refusedUserNameIsNotShown(_ text: String) {
        let error = #expect(throws: InvalidURL.self) { try WebURL(text) }
        #expect(error?.description.contains("://***@a.test") == true)
        #expect(error?.description.contains("secretsecret") == false)
    }

    @Test(arguments: ["a", "/a", "https://b.test/c#d"])
    func referenceIsReadAsTheWholeIs(_ reference: String) throws {
        let base = try WebURL("https://a.test/x/y?z")
        #expect(try base.resolving("\n  \(reference)\t ") == base.resolving(reference))
        #expect(try base.resolving(reference.substituting("\\", for: "/")) == base.resolving(reference))
    }

    @Test func endlessURLIsRefused() throws {
        let stem = "https://example.com/"
        #expect(try WebURL(stem + String(repeating: "a", count: 8_192 - stem.count)).path.count == 8_173)
        #expect(throws: InvalidURL.self) { try WebURL(stem + String(repeating: "a", count: 8_193 - stem.count)) }
        // Encoding makes it longer: what is printed has to parse again.
        let encoded = try WebURL(stem + String(repeating: "<", count: (8_192 - stem.count) / 3))
        #expect(encoded.description.count == 8_192)
        #expect(try WebURL(encoded.description) == encoded)
        #expect(throws: InvalidURL.self) {
            try WebURL(stem + String(repeating: "<", count: (8_192 - stem.count) / 3 + 1))
        }
        #expect(throws: InvalidURL.self) { try WebURL("https://" + String(repeating: "a", count: 256) + "/") }
        #expect(throws: InvalidURL.self) { try WebURL("https://" + String(repeating: "é", count: 260) + "/") }
    }

    @Test(
        arguments: [
            ("https://example.com", "example.com", "example.com", "/", nil),
            ("https://example.com?q", "example.com", "example.com", "/", "q"),
            ("https://example.com#f", "example.com", "example.com", "/", nil),
            ("http://example.com:8080/a/b?c=d?e#f?g", "example.com", "example.com:8080", "/a/b", "c=d?e"),
            ("https://[::1]:8443/a?", "[::1]", "[::1]:8443", "/a", ""),
        ] as [(String, String, String, String, String?)])
    func partsAreFound(_ text: String, host: String, authority: String, path: String, query: String?) throws {
        let url = try WebURL(text)
        #expect(url.host == host)
        #expect(url.authority == authority)
        #expect(url.path == path)
        #expect(url.query == query)
        #expect(url.target == path + (query.map { "?\($0)" } ?? ""))
        #expect(url.origin == "\(url.scheme.rawValue)://\(authority)")
        #expect(url.withoutQuery == url.origin + path)
        #expect(url.withoutFragment == url.origin + url.target)
        #expect(try WebURL(url.withoutFragment).target == url.target)
    }

    @Test(
        arguments: [
            ("/a/fox.JPG?x=y.png#z", "fox", "jpg"), ("/a/fox.jpg//", "fox", "jpg"),
            ("/red%20fox+1.tar.gz", "red fox 1.tar", "gz"), ("/a/fox", "fox", nil), ("/.hidden", ".hidden", nil),
            ("", "example.com", nil), ("/?a/b.jpg", "example.com", nil), ("/a.b/", "a", "b"),
            ("/fox.not-one", "fox", nil), ("/%zz.png", "%zz", "png"),
        ] as [(String, String, String?)])
    func fileNameIsTheLastPartOfThePath(_ rest: String, stem: String, ending: String?) throws {
        let url = try WebURL("https://example.com" + rest)
        #expect(url.fileStem == stem)
        #expect(url.fileEnding == ending)
    }

    @Test func queryItemsAreDecodedInOrder() throws {
        let url = try WebURL("https://example.com/?a=1&b=x+y%26&a=%C3%A9&c&=d&&e=f=g")
        #expect(url.queryItems.map { "\($0.name):\($0.value)" } == ["a:1", "b:x y&", "a:é", "c:", ":d", "e:f=g"])
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com/?a%20b=c%26d&a=%C3%A9"),
        ("https://example.com/x", "https://example.com/x?a%20b=c%26d&a=%C3%A9"),
        ("https://example.com/x?", "https://example.com/x?a%20b=c%26d&a=%C3%A9"),
        ("https://example.com/x?y=1", "https://example.com/x?y=1&a%20b=c%26d&a=%C3%A9"),
        ("https://example.com/x?y=?", "https://example.com/x?y=?&a%20b=c%26d&a=%C3%A9"),
        ("https://example.com/x?y=1&", "https://example.com/x?y=1&a%20b=c%26d&a=%C3%A9"),
    ])
    func pairsAreAddedEncoded(_ text: String, _ expected: String) throws {
        let url = try WebURL(text)
        #expect(try url.appending(query: [("a b", "c&d"), ("a", "é")]).description == expected)
        #expect(try url.appending(query: []) == url)
        let long = String(repeating: "x", count: 8_192)
        #expect(throws: InvalidURL.self) { try url.appending(query: [("q", long)]) }
    }

    // RFC 3986 §5.4.1 and §5.4.2, with https as the scheme; user information and other schemes are not taken.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
        ("#s", "/b/c/d;p?q#s"), ("g#s", "/b/c/g#s"), ("g?y#s", "/b/c/g?y#s"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
        ("g;x?y#s", "/b/c/g;x?y#s"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"),
        ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"),
        ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"),
        ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"),
        ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
        ("g?y/../x", "/b/c/g?y/../x"), ("g#s/./x", "/b/c/g#s/./x"), ("g#s/../x", "/b/c/g#s/../x"),
    ])
    func referenceIsResolved(_ reference: String, _ expected: String) throws {
        #expect(try WebURL("https://a/b/c/d;p?q").resolving(reference).description == "https://a" + expected)
    }

    @Test(
        arguments: [
            ("https://g/x", "https://g/x"), ("//g", "https://g/"), ("//g/x?y", "https://g/x?y"),
            ("1:2", "https://a/b/c/1:2"), ("mailto:x", nil), ("g:h", nil), ("//user@g/", nil),
            ("a/b:c", "https://a/b/c/a/b:c"), ("?a:b", "https://a/b/c/d;p?a:b"), ("a b", "https://a/b/c/a%20b"),
            (":foo", "https://a/b/c/:foo"), ("///g", "https://g/"), ("\\\\g\\x", "https://g/x"), ("/\\g", "https://g/"),
            ("https:x", "https://a/b/c/x"), ("https:/x", "https://a/x"), ("http:x", "http://x/"),
            ("%2e%2E/x", "https://a/b/x"),
            ("?", "https://a/b/c/d;p?"), ("#", "https://a/b/c/d;p?q#"),
        ] as [(String, String?)])
    func referenceWithItsOwnHostOrSchemeIsCheckedAnew(_ reference: String, _ expected: String?) throws {
        let base = try WebURL("https://a/b/c/d;p?q")
        #expect((try? base.resolving(reference))?.description == expected)  // nil is what is compared
    }

    @Test func baseWithoutPathOrWithFragmentIsResolvedAgainst() throws {
        #expect(try WebURL("https://a").resolving("g").description == "https://a/g")
        #expect(try WebURL("https://a?q").resolving("?y").description == "https://a/?y")
        #expect(try WebURL("https://a/b#f").resolving("#s").description == "https://a/b#s")
    }

    @Test(arguments: [
        ("https://a/x", "https://a/y", true), ("https://a", "https://a:443", true), ("https://a", "http://a", false),
        ("https://a", "https://a:444", false), ("https://a", "https://b.a", false),
    ])
    func originIsSchemeHostAndPort(_ left: String, _ right: String, same: Bool) throws {
        #expect(try WebURL(left).isSameOrigin(as: WebURL(right)) == same)
    }

    @Test(arguments: [
        ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
        ("127.0.0.1.example.com", false), ("localhost.example.com", false), ("example.com", false),
        ("128.0.0.1", false),
    ])
    func thisMachineIsKnown(_ host: String, isLoopback: Bool) throws {
        #expect(try WebURL("https://\(host)/").isLoopback == isLoopback)
    }
}
