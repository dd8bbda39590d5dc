import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("XML that is not well formed is read on behind the fault")
struct XMLRepairTests {
    private let store = DocumentStore()

    private func texts(_ markup: String) throws -> [String] {
        let document = try store.parseXML(Array(markup.utf8), url: "https://example.com/feed")
        guard case .nodes(let nodes) = try store.evaluate(xpath: "//title", on: document) else { return [] }
        return try nodes.map { node in
            guard case .node(let handle) = node else { return "" }
            return try store.textContent(of: handle)
        }
    }

    @Test(arguments: [
        ("<rss><title>a&nbsp;b</title><title>c &amp; d</title></rss>", ["a\u{A0}b", "c & d"]),
        ("<rss><title>Tom & Jerry</title><title>c &lt;b></title></rss>", ["Tom & Jerry", "c <b>"]),
        ("<rss><title>a?x=1&y=2</title><title>c</title></rss>", ["a?x=1&y=2", "c"]),
        ("<rss><title>a\u{1}b&#8;</title><title>c</title></rss>", ["ab", "c"]),
        ("<rss><title>a < b <3</title><title>c</title></rss>", ["a < b <3", "c"]),
        ("<rss><title>&unknown; &#; &#x110000;</title><title>c</title></rss>", ["&unknown; &#; \u{FFFD}", "c"]),
        ("<rss><title><![CDATA[a & b &nbsp;]]></title><title>&eacute;</title></rss>", ["a & b &nbsp;", "é"]),
        ("Warning: x <?xml version='1.0'?><rss><title>a</title></rss>", ["a"]),
        ("<rss><title>a &#146;b&uuml;</title></rss>", ["a ’bü"]),
        ("<rss><item><title>a <b>b</title></item><title>c</title></rss>", ["a b", "c"]),
        ("<rss><title>a<br>b<p>c</title><title>d</b></title></rss>", ["abc", "d"]),
        ("<rss><title><![CDATA[a <i>b</i></title><title>c</title></rss>", ["a b", "c"]),
        ("<rss><title>a</title><!-- b <title>c</title></rss>", ["a", "c"]),
        ("<rss><a b='>' c=\"'\"/><title>a<title>b</title></title></junk></rss>", ["ab", "b"]),
        // One fault that no character mends: the rest is there all the same.
        ("<rss><title>a</title><item><b></item><title>c &amp; d</title></rss>", ["a", "c & d"]),
        ("<rss><title>a &amp; b</title><title>c &amp; d</title><item>", ["a & b", "c & d"]),
    ])
    func restIsRead(_ markup: String, _ expected: [String]) throws {
        #expect(try texts(markup) == expected)
        let repairs = store.takeRepairs()
        #expect(repairs.map(\.loss) == [.markup] && repairs[0].message.hasPrefix("line 1: "))
        #expect(store.takeRepairs() == [])
    }

    @Test(arguments: [
        "<html><p>not found</html>", "{\"a\": 1}",
        "<rss", "<rss>",
    ])
    func pageOfAnotherKindIsNone(_ markup: String) {
        let error = #expect(throws: DocumentError.self) { try texts(markup) }
        #expect(error?.code == .malformed)
    }

    @Test func wellFormedDocumentIsNotRepaired() throws {
        #expect(try texts("<!DOCTYPE a [<!ENTITY x 'y'>]><rss><title>&x;&#146;</title></rss>") == ["y\u{92}"])
        #expect(store.takeRepairs() == [])
    }

    @Test func faultIsToldWithTheResult() throws {
        let environment = TestEngine().environment
        _ = try environment.documents.parseXML(Array("<rss><a>&nbsp;</a></rss>".utf8), url: "u")
        let item = "{ id: '1', type: 'image', media: [{ role: 'original', url: 'https://a.example/1.jpg' }] }"
        let value = try environment.runtime.evaluate("({ items: [\(item)] })", file: "test.js")
        var limits = WorkerLimits()
        limits.isStrict = false
        let reader = OperationResultReader(
            call: .search(ProviderQuery(text: "x")), environment: environment, limits: limits)
        let faults = try reader.result(from: value).faults
        #expect(faults.map(\.loss) == [.markup] && faults[0].path == "res.xml")
    }
}
