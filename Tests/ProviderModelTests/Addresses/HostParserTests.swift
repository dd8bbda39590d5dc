import ProviderModel
import Testing

/// Hosts of URLs: one spelling of each address and of each name, before anything is compared with it.
struct HostParserTests {
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "0x7f.1", "0X7F000001", "0177.0.0.1", "017700000001",
        "127.0.1", "127.0x0.0.01", "%31%32%37.0.0.1", "１２７．０．０．１", "127。0。0。1", "0x7f.0x.0.1", "⑫7.⓪.⓪.①",
    ])
    func everySpellingOfAnIPv4AddressIsTheSame(_ host: String) throws {
        let url = try WebURL("http://\(host)/")
        #expect(url.host == "127.0.0.1" && url.isLoopback)
    }

    @Test(arguments: [
        ("[::1]", "[::1]"), ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[::]", "[::]"), ("[1::]", "[1::]"),
        ("[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[1:0:2:0:0:3:0:0]", "[1:0:2::3:0:0]"),
        ("[0001:0:0:02:3:4:5:6]", "[1::2:3:4:5:6]"), ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"),
        ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"), ("[64:ff9b::10.0.0.1]", "[64:ff9b::a00:1]"),
    ])
    func everySpellingOfAnIPv6AddressIsTheSame(_ host: String, _ expected: String) throws {
        #expect(try WebURL("http://\(host)/").host == expected)
    }

    @Test(arguments: [
        "256.0.0.1", "1.2.3.4.5", "1.2.3.08", "0x100000000", "4294967296", "1..2", "a.1.2.3.4", "foo.0x4", "0xfoo.09",
        "[1]", "[1:2:3:4:5:6:7:8:9]", "[1::2::3]", "[:1]", "[1:]", "[::1%25lo]", "[::1%lo]", "[::127.0.0]",
        "[::01.2.3.4]",
        "[::12345]", "[1:2:3:4:5:6:7:1.2.3.4]", "[1:2:3:4:5:6:7::8]", "[]", "[", "[::1", "::1",
    ])
    func brokenAddressIsNoHost(_ host: String) {
        #expect(throws: InvalidURL.self) { try WebURL("http://\(host)/") }
    }

    @Test(arguments: [
        ("BÜCHER.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
        ("xn--BCHER-kva.example", "xn--bcher-kva.example"), ("b%C3%BCcher.example", "xn--bcher-kva.example"),
        ("Straße.example", "xn--strae-oqa.example"), ("fox。example", "fox.example"), ("ｆｏｘ.example", "fox.example"),
        ("fo\u{ad}x.example", "fox.example"), ("☃.example", "xn--n3h.example"), ("狐.example", "xn--e5x.example"),
        ("лиса.example", "xn--80apiz.example"), ("ثعلب.example", "xn--ngbf6b3b.example"),
        ("-fox-.example", "-fox-.example"), ("fo--x.example", "fo--x.example"), ("xn--a.example", "xn--a.example"),
        ("x--ü.example", "xn--x---joa.example"), ("نامه\u{200c}ای.example", "xn--mgba3gch31f060k.example"),
        ("क्\u{200d}ष.example", "xn--11b2ezcw70k.example"),
    ])
    func internationalNameIsInASCII(_ name: String, _ expected: String) throws {
        let url = try WebURL("https://\(name)/")
        #expect(url.host == expected)
        #expect(try WebURL(url.description) == url)
    }

    @Test(arguments: [
        "fo\u{202e}x.example", "fox\u{fffd}.example", "\u{308}x.example", "fo\u{200d}x.example", "xn--tešla.example",
        "xn--a.ü", "aث.example", "٠ا1.example", "fo℀x.example", "xn--fox-.ü", "\u{ad}", "\u{378}.example",
    ])
    func nameThatBrowsersRefuseIsRefused(_ name: String) {
        #expect(throws: InvalidURL.self) { try WebURL("https://\(name)/") }
    }

    @Test func patternsAndInstancesAreComparedInTheSameForm() throws {
        let pattern = try #require(HostPattern("*.bücher.example"))
        #expect(pattern.matches(try WebURL("https://a.xn--bcher-kva.example/")))
        #expect(HostPattern("http://0x7f.1:8080")?.matches(try WebURL("http://127.0.0.1:8080/")) == true)
        #expect(HostPattern("fox.example?x") == nil && HostPattern("fox.example\\x") == nil)
    }
}
