import Testing

@testable import ScriptEngine

@Suite("Pages are read as browsers read them")
struct HTMLParserTests {
    private let store = DocumentStore()

    private func body(_ markup: String) throws -> String {
        let document = try store.parseHTML(Array(markup.utf8), url: "https://example.com/")
        guard case .nodes(let nodes) = try store.evaluate(xpath: "//body", on: document),
            case .node(let body)? = nodes.first
        else { return "" }
        return try store.innerHTML(of: body)
    }

    @Test(arguments: [
        ("<picture><source srcset=a><img src=b></picture>", "<picture><source srcset=\"a\"><img src=\"b\"></picture>"),
        ("<p>a<section>b</section>", "<p>a</p><section>b</section>"),
        ("<h2>a<h3>b</h3>", "<h2>a</h2><h3>b</h3>"),
        ("<table><tr><td>x</table>", "<table><tbody><tr><td>x</td></tr></tbody></table>"),
        ("<textarea><img src=a></textarea>", "<textarea>&lt;img src=a&gt;</textarea>"),
        ("<!--><p>a", "<!----><p>a</p>"),
        ("<p>a<o:p>b</o:p>c", "<p>a<o:p>b</o:p>c</p>"),
        ("<table><img src=a><tr><td></table>", "<img src=\"a\"><table><tbody><tr><td></td></tr></tbody></table>"),
        ("<b><p>a</b>b</p>", "<b></b><p><b>a</b>b</p>"),
        ("<a href=1>x<a href=2>y", "<a href=\"1\">x</a><a href=\"2\">y</a>"),
        ("<ul><li>a<li>b<div>c</ul>", "<ul><li>a</li><li>b<div>c</div></li></ul>"),
        ("<noscript><img src=a></noscript>", "<noscript><img src=\"a\"></noscript>"),
        ("<select><option>a<option>b", "<select><option>a</option><option>b</option></select>"),
        ("<image src=a>", "<img src=\"a\">"), ("a\r\nb\rc", "a\nb\nc"), ("<pre>\na", "<pre>a</pre>"),
        ("<p id=a id=b>", "<p id=\"a\"></p>"), ("<br/><div/>a", "<br><div>a</div>"),
    ])
    func treeIsThatOfTheStandard(_ markup: String, _ expected: String) throws {
        // A page that begins with a head's own element has its body behind it.
        #expect(try body("<body>" + markup) == expected)
    }

    @Test(arguments: [
        ("&copy &amp;&AMP; &notin; &notit;", "© &amp;&amp; ∉ ¬it;"), ("&#146;&#x80;&#0;", "’€\u{FFFD}"),
        ("<a href='?a=1&copy=2&lt'>x</a>", "<a href=\"?a=1&amp;copy=2&lt;\">x</a>"),
        ("&NotEqualTilde;&ThickSpace;", "≂̸\u{205F}\u{200A}"), ("a&b &; &#; &#x;", "a&amp;b &amp;; &amp;#; &amp;#x;"),
    ])
    func referencesAreResolved(_ markup: String, _ expected: String) throws {
        let written = expected.replacing("&lt;\">", with: "<\">")
        #expect(try body("<body>" + markup) == written)
    }

    @Test func titleAloneHasABody() throws {
        let document = try store.parseHTML(Array("<title>a</title>".utf8), url: "u")
        #expect(try store.outerHTML(of: document) == "<html><head><title>a</title></head><body></body></html>")
    }

    @Test func scriptMayHoldMarkupInAComment() throws {
        let script = "<!-- <script>a</script> b -->c"
        #expect(try body("<body><script>\(script)</script>d") == "<script>\(script)</script>d")
    }

    @Test func longScriptIsRead() throws {
        let json = "[\"<p>&amp;" + String(repeating: "0123456789", count: 1_050_000) + "\"]"
        let document = try store.parseHTML(Array("<script type=a>\(json)</script><p>end".utf8), url: "u")
        #expect(try store.evaluate(xpath: "string-length(//script)", on: document) == .number(Double(json.utf8.count)))
        #expect(try store.evaluate(xpath: "string(//p)", on: document) == .string("end"))
    }

    @Test func namesOfSVGKeepTheirCapitals() throws {
        let svg = "<svg viewbox='0 0 1 1'><lineargradient gradientunits=a></lineargradient><foreignObject><DIV></svg>"
        let expected =
            "<svg viewBox=\"0 0 1 1\"><linearGradient gradientUnits=\"a\"></linearGradient>"
            + "<foreignObject><div></div></foreignObject></svg>"
        #expect(try body("<body>" + svg) == expected)
        let engine = TestEngine()
        let page = "parseHTML(\"\(svg)<p VIEWBOX=b>\")"
        #expect(engine.json("\(page).querySelector('linearGradient').tagName") == "\"linearGradient\"")
        #expect(engine.json("\(page).querySelector('svg').getAttribute('viewBox')") == "\"0 0 1 1\"")
        #expect(engine.json("\(page).querySelectorAll('[viewBox]').map((e) => e.tagName)") == "[\"svg\",\"P\"]")
        #expect(engine.json("\(page).querySelector('DIV').namespaceURI") == "\"http://www.w3.org/1999/xhtml\"")
        #expect(engine.json("\(page).getElementsByTagName('foreignObject').length") == "1")
    }

    @Test func elementIsFoundByItsIdInXPath() throws {
        let document = try store.parseHTML(Array("<p id=a>1<p id=b>2<p id=b>3".utf8), url: "u")
        #expect(try store.evaluate(xpath: "string(id('b'))", on: document) == .string("2"))
    }

    @Test func manyAttributesAreReadOnceEach() throws {
        let names = (0..<20_000).map { "a\($0 % 10_000)=\($0)" }.joined(separator: " ")
        let document = try store.parseHTML(Array("<p \(names)>".utf8), url: "u")
        #expect(try store.evaluate(xpath: "count(//p/@*)", on: document) == .number(10_000))
        #expect(try store.evaluate(xpath: "string(//p/@a7)", on: document) == .string("7"))
    }

    @Test func imagesBehindABaseAreFoundThere() {
        let page = "parseHTML(\"<base href='https://a.example/b/'><img src=c.png srcset='d.png?w=1,2 1x, e.png 2x'>\")"
        #expect(TestEngine().json("\(page).querySelector('img').src") == "\"https://a.example/b/c.png\"")
        #expect(TestEngine().json("\(page).baseURI") == "\"https://a.example/b/\"")
        #expect(TestEngine().json("\(page).querySelector('img').baseURI") == "\"https://a.example/b/\"")
    }
}
