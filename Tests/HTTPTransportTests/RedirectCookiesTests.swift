import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// Redirects that set a cookie and come back, as in a browser.
struct RedirectCookiesTests {
    private func transport() throws -> RedirectingTransport {
        RedirectingTransport(over: CurlTransport(settings: try .loopback()))
    }

    private static func sending(_ cookie: String, to location: String) -> LoopbackReply {
        .answer(302, headers: [("Location", location), ("Set-Cookie", cookie)])
    }

    @Test(arguments: ["seen=1; Path=/; HttpOnly", "seen=1; Path=/; SameSite=Lax; Max-Age=60", "seen=1"])
    func requestComesBackWithTheCookie(_ cookie: String) async throws {
        let server = try LoopbackServer { request in
            request.header("cookie") == "seen=1" ? .answer(text: "there") : Self.sending(cookie, to: request.path)
        }
        #expect(try await transport().send(server.request("/a")).text == "there")
        #expect(server.requests.map { $0.header("cookie") } == [nil, "seen=1"])
        // A stored redirect would lead here again.
        #expect(server.requests.map { $0.header("cache-control") } == [nil, "no-cache"])
    }

    @Test func cookiesEndWithTheRequest() async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? Self.sending("seen=1; Path=/", to: "/b") : .answer(text: "there")
        }
        let transport = try transport()
        _ = try await transport.send(server.request("/a"))
        _ = try await transport.send(server.request("/b"))
        #expect(server.requests.map { $0.header("cookie") } == [nil, "seen=1", nil])
        #expect(server.requests.map { $0.header("cache-control") } == [nil, nil, nil])
    }

    @Test func cookieIsReplacedAndDeletedOnTheWay() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/a": Self.sending("x=1; Path=/", to: "/b")
            case "/b": Self.sending("x=2; Path=/", to: "/c")
            case "/c": Self.sending("x=; Path=/; Max-Age=0", to: "/d")
            default: .answer()
            }
        }
        _ = try await transport().send(server.request("/a"))
        #expect(server.requests.map { $0.header("cookie") } == [nil, "x=1", "x=2", nil])
    }

    @Test func otherHostGetsNoneAndSetsItsOwn() async throws {
        let home = Mutex("")
        let other = try LoopbackServer { _ in Self.sending("theirs=1; Path=/", to: home.withLock(\.self) + "/back") }
        let server = try LoopbackServer { request in
            request.path == "/back" ? .answer() : Self.sending("ours=1; Path=/", to: "http://localhost:\(other.port)/")
        }
        home.withLock { $0 = server.origin }
        _ = try await transport().send(server.request("/a"))
        #expect(other.requests.map { $0.header("cookie") } == [nil])
        #expect(server.requests.map { $0.header("cookie") } == [nil, "ours=1"])
    }

    @Test func cookieStandsBesideThatOfAKey() async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? Self.sending("seen=1; Path=/", to: "/b") : .answer()
        }
        var request = server.request("/a")
        request.credentials = Credentials(
            provider: ProviderID("tested")!,
            methods: [AuthenticationMethod(placement: .cookie([NamedValue("key", "{key}")]))], secrets: ["key": "k3y"])
        _ = try await transport().send(request)
        #expect(server.requests.map { $0.header("cookie") } == ["key=k3y", "seen=1; key=k3y"])
    }
}

/// Addresses in header lines, in whatever charset they are.
struct AddressLineTests {
    /// The value of a line, each character of which is a byte.
    private func value(of text: String, _ name: String = "Location") -> String? {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        var parser = ResponseHeadParser(limit: 1 << 16, decoding: DecodingPolicy([:]))
        let line = Array("\(name): ".utf8) + bytes + [0x0d, 0x0a]
        for line in [Array("HTTP/1.1 302 Found\r\n".utf8), line, [0x0d, 0x0a]] {
            _ = line.withUnsafeBytes { parser.take($0) }
        }
        return HTTPField.Name(name).flatMap { parser.head.headers[$0] }
    }

    @Test(arguments: [
        ("/synspr\u{c3}\u{b8}", "https://a.test/synspr%C3%B8"), ("/synspr\u{f8}", "https://a.test/synspr%F8"),
        ("//b\u{c3}\u{bc}cher.test/x y", "https://xn--bcher-kva.test/x%20y"), ("  /a\\b  ", "https://a.test/a/b"),
        ("/%C3%B8?\u{f8}#\u{c3}\u{a9}", "https://a.test/%C3%B8?%F8#%C3%A9"),
    ])
    func locationIsTakenByItsBytes(_ bytes: String, _ expected: String) throws {
        let text = try #require(value(of: bytes))
        #expect(try WebURL("https://a.test/").resolving(text).description == expected)
    }

    @Test func otherLinesAreUTF8ElseLatin1() {
        #expect(value(of: "f\u{c3}\u{b8}", "X-Name") == "fø")
        #expect(value(of: "f\u{f8}", "X-Name") == "fø")
    }

    @Test(arguments: [
        ("https://a.test/пост/1#x", "https://a.test/%D0%BF%D0%BE%D1%81%D1%82/1"),
        ("https://bücher.test", "https://xn--bcher-kva.test/"),
        ("https://a.test/x y", "https://a.test/x%20y"), ("https://a.test", "https://a.test"), ("no page", "no page"),
    ])
    func refererIsASCII(_ value: String, _ sent: String) throws {
        var request = TransportRequest(url: try WebURL("https://a.test/"))
        try request.addFileHeaders([NamedValue("referer", value)])
        #expect(request.headers[.referer] == sent)
    }
}
