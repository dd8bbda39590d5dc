import TestSupport
import Testing

@testable import ScriptEngine

@Suite("URL and URLSearchParams are those of browsers")
struct URLTests {
    @Test(arguments: [
        ("new URL('HTTPS://Example.COM:443/a b?x=1#y').href", "https://example.com/a%20b?x=1#y"),
        ("new URL('/c?d', 'https://example.com/a/b').href", "https://example.com/c?d"),
        ("new URL('../c', 'https://example.com/a/b/').href", "https://example.com/a/c"),
        ("new URL('https://example.com').pathname", "/"),
        ("new URL('https://example.com:8080/x').host", "example.com:8080"),
        ("new URL('https://example.com:8080/x').hostname", "example.com"),
        ("new URL('https://example.com:8080/x').port", "8080"),
        ("new URL('https://example.com/x').origin", "https://example.com"),
        ("new URL('https://example.com/x?a=1#b').search", "?a=1"),
        ("new URL('https://example.com/x?a=1#b').hash", "#b"),
        ("new URL('https://example.com/x?a=b+c&a=d').searchParams.getAll('a').join('|')", "b c|d"),
        (
            "(() => { const u = new URL('https://example.com/x?a=1'); u.searchParams.set('q', 'ä &'); u.searchParams.delete('a'); return u.href; })()",
            "https://example.com/x?q=%C3%A4+%26"
        ),
        (
            "(() => { const u = new URL('https://example.com/x'); u.pathname = 'a/b'; u.search = 'c=d'; u.hash = 'e'; return String(u); })()",
            "https://example.com/a/b?c=d#e"
        ),
        (
            "(() => { const u = new URL('https://example.com/x'); u.hostname = 'other.example'; u.port = 81; u.protocol = 'http'; return u.href; })()",
            "http://other.example:81/x"
        ),
        ("String(URL.canParse('/x'))", "false"),
        ("String(URL.canParse('/x', 'https://example.com'))", "true"),
        ("JSON.parse(JSON.stringify({ u: new URL('https://example.com/') })).u", "https://example.com/"),
        ("new URLSearchParams({ a: 1, b: 'x y' }).toString()", "a=1&b=x+y"),
        ("new URLSearchParams([['a', '1'], ['a', '2']]).toString()", "a=1&a=2"),
        ("[...new URLSearchParams('?b=2&a=1')].map((p) => p.join('=')).join()", "b=2,a=1"),
        (
            "(() => { const p = new URLSearchParams('b=2&a=1'); p.sort(); p.append('c', '3'); return `${p} ${p.size} ${p.has('a')} ${p.get('z')}`; })()",
            "a=1&b=2&c=3 3 true null"
        ),
        ("new URLSearchParams('a=%zz&b=%C3%A4').get('b')", "ä"),
        ("new URLSearchParams({ a: \"!'()~*\" }).toString()", "a=%21%27%28%29%7E*"),
    ])
    func textComesOut(_ expression: String, _ text: String) {
        #expect(TestEngine().json(expression) == "\"\(text)\"")
    }

    @Test(arguments: [
        ("<https://example.com/?page=2>; rel=\"next\"", #"{"next":"https://example.com/?page=2"}"#),
        (
            "</?page=2>; rel=next, </?page=9>; rel=\"last\"",
            #"{"next":"https://example.com/?page=2","last":"https://example.com/?page=9"}"#
        ),
        (
            "</a,b>; title=\"x, y; z\"; rel=\"prev first\"",
            #"{"prev":"https://example.com/a,b","first":"https://example.com/a,b"}"#
        ),
        ("</1>; rel=next, </2>; rel=next", #"{"next":"https://example.com/1"}"#),
        ("<ftp://x/>; rel=next, nonsense", "{}"),
        ("", "{}"),
    ])
    func linkHeaderIsReadByRelation(_ header: String, _ links: String) throws {
        let engine = TestEngine()
        let lines = "[\"Link\",\"\(header.replacing("\"", with: "\\\""))\"]"
        let response = try engine.environment.runtime.call(
            engine.environment.prelude.response,
            [.number(0), .number(200), .text("https://example.com/x"), .text(lines)])
        let value = try engine.environment.runtime.property("links", of: response)
        #expect(try engine.environment.json(of: value)?.string == links)
    }

    @Test func linkHeaderMadeToBeSlowIsReadInTime() throws {
        let engine = TestEngine()
        let header = String(repeating: "<a>; x", count: 5_000) + String(repeating: "; a=", count: 5_000)
        let response = try engine.environment.runtime.call(
            engine.environment.prelude.response,
            [.number(0), .number(200), .text("https://example.com/x"), .text("[\"Link\",\"\(header)\"]")])
        let start = ProcessorTime.used
        _ = try engine.environment.runtime.property("links", of: response)
        #expect(ProcessorTime.used - start < .seconds(1))
    }
}
