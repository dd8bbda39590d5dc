import ProviderModel
import Testing

@testable import ScriptEngine

@Suite("Requests are read as the contract says")
struct RequestReaderTests {
    @Test(arguments: [
        ("7", "expected a request: an object with a url, found 7"),
        ("{}", "url: expected a URL, found undefined"),
        ("{ url: 7 }", "url: expected a URL, found 7"),
        ("{ url: '' }", "url: expected a URL, found an empty string"),
        ("{ url: '/a' }", "url: expected a URL, found \"/a\"; a relative URL needs `base` in the manifest"),
        (
            "{ url: 'https://example.com/', method: 'get' }",
            "method: expected one of GET, POST, PUT, DELETE, HEAD, found \"get\""
        ),
        ("{ url: 'https://example.com/', query: 'a=b' }", "query: expected an object, found \"a=b\""),
        (
            "{ url: 'https://example.com/', query: { a: {} } }",
            "query.a: expected a string, a number or a boolean, found an object"
        ),
        (
            "{ url: 'https://example.com/', query: { a: [[]] } }",
            "query.a[0]: expected a string, a number or a boolean, found an array"
        ),
        (
            "{ url: 'https://example.com/', query: { a: NaN } }",
            "query.a: expected a string, a number or a boolean, found NaN"
        ),
        (
            "{ url: 'https://example.com/', headers: { 'a b': 'c' } }",
            "headers[\"a b\"]: expected a header name, found \"a b\""
        ),
        ("{ url: 'https://example.com/', headers: { a: 7 } }", "headers.a: expected a string, found 7"),
        ("{ url: 'https://example.com/', json: 1, form: {} }", "form: expected one of json, form and body, found two"),
        (
            "{ url: 'https://example.com/', accept: 'csv' }",
            "accept: expected one of json, html, xml, text, found \"csv\""
        ),
        (
            "{ url: 'https://example.com/', query: { a: 'x'.repeat(8192) } }",
            "expected a URL, found a URL of 8215 bytes, more than 8192 with its `query`"
        ),
        ("{ url: 'https://example.com/', auth: true }", "auth: expected false or nothing, found true"),
        ("{ url: 'https://example.com/', allowStatus: 404 }", "allowStatus: expected an array of statuses, found 404"),
        ("{ url: 'https://example.com/', allowStatus: [42] }", "allowStatus[0]: expected an HTTP status, found 42"),
        ("{ url: 'https://example.com/', cookies: {} }", "cookies: expected a field of a request, found \"cookies\""),
        ("[{ url: 'https://example.com/' }, null]", "[1]: expected a request: an object with a url, found null"),
    ])
    func badRequestIsReportedWithItsPath(_ expression: String, _ message: String) {
        let engine = TestEngine()
        #expect(
            violation {
                _ = try engine.read(expression) { reader throws(ContractViolation) in try reader.requests(base: nil) }
            } == message)
    }

    @Test(arguments: [
        (
            "{ url: 'https://example.com/a', query: { q: 'a b&ä', n: 1, on: true, no: null, un: undefined, l: ['x', null, 2] } }",
            "https://example.com/a?q=a%20b%26%C3%A4&n=1&on=true&l=x&l=2"
        ),
        ("{ url: 'https://example.com/a?x=1', query: { y: 2 } }", "https://example.com/a?x=1&y=2"),
        ("{ url: 'search', query: { y: 1e21 } }", "https://api.example.com/v1/search?y=1e%2B21"),
        ("{ url: '/search' }", "https://api.example.com/search"),
        ("{ url: '//other.example/x' }", "https://other.example/x"),
        ("{ url: '?page=2' }", "https://api.example.com/v1/?page=2"),
        ("{ url: '../up' }", "https://api.example.com/up"),
    ])
    func urlIsResolvedAndItsQueryEncoded(_ expression: String, _ url: String) throws {
        let base = try WebURL("https://api.example.com/v1/")
        let (requests, _) = try TestEngine().read(expression) { reader throws(ContractViolation) in
            try reader.requests(base: base)
        }
        #expect(requests[0].url.description == url)
    }

    @Test func wholeRequestIsRead() throws {
        let (requests, isBatch) = try TestEngine().read(
            "[{ url: 'https://example.com/', method: 'POST', headers: { A: 'b', C: null }, json: { a: [1] }, accept: 'html', auth: false, allowStatus: [404] }]"
        ) { reader throws(ContractViolation) in try reader.requests(base: nil) }
        #expect(isBatch)
        #expect(requests[0].method == .post && requests[0].format == .html && !requests[0].usesCredentials)
        #expect(requests[0].headers == [NamedValue("A", "b")])
        #expect(requests[0].body == .json(JSONText(validated: #"{"a":[1]}"#)))
        #expect(requests[0].allowedStatus == [404])
    }
}
