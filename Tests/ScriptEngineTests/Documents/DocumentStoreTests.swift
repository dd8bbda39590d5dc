import Testing

@testable import ScriptEngine

@Suite struct DocumentStoreTests {
    let store = DocumentStore()

    private func html(_ markup: String) throws -> NodeHandle {
        try store.parseHTML(Array(markup.utf8), url: "https://example.com/a")
    }
    private func xml(_ markup: String) throws -> NodeHandle {
        try store.parseXML(Array(markup.utf8), url: "https://example.com/a")
    }

    private func first(_ xpath: String, in document: NodeHandle) throws -> NodeHandle {
        guard case .nodes(let nodes) = try store.evaluate(xpath: xpath, on: document),
            case .node(let node)? = nodes.first
        else { throw DocumentError(.malformed, message: "no element at \(xpath)") }
        return node
    }

    @Test func brokenHTMLBecomesATree() throws {
        let document = try html("<UL><LI Class=a>one<li>two</ul><p>three")
        #expect(
            try store.innerHTML(of: first("//body", in: document))
                == "<ul><li class=\"a\">one</li><li>two</li></ul><p>three</p>")
        #expect(try store.name(of: first("//li", in: document)) == "li")
        #expect(try store.attribute("CLASS", of: first("//li", in: document)) == "a")
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"]) func emptyPageIsAnEmptyDocument(_ markup: String) throws {
        #expect(try store.outerHTML(of: html(markup)) == "<html><head></head><body></body></html>")
    }

    @Test(arguments: [
        ("<p>a&amp;b &lt;c&gt; &nbsp;é</p>", "<p>a&amp;b &lt;c&gt; \u{A0}é</p>"),
        ("<p title='\"&'></p>", "<p title=\"&quot;&amp;\"></p>"),
        ("<script>a < b && c</script>", "<script>a < b && c</script>"),
        ("<p>a<br>b<img src=x>", "<p>a<br>b<img src=\"x\"></p>"),
        ("<p><!--c--></p>", "<p><!--c--></p>"), ("<p>a\0b</p>", "<p>ab</p>"),
    ])
    func htmlIsWrittenAsHTML(_ markup: String, _ expected: String) throws {
        #expect(try store.outerHTML(of: first("//body/* | //script", in: html(markup))) == expected)
    }

    @Test func xmlIsWrittenAsXMLWithTheNamespacesItInherits() throws {
        let document = try xml("<a xmlns='u:a' xmlns:m='u:m'><m:b k='&lt;&quot;&#10;'><c/><![CDATA[x<y]]></m:b></a>")
        let element = try first("//m:b", in: document)
        #expect(
            try store.outerHTML(of: element)
                == "<m:b xmlns=\"u:a\" xmlns:m=\"u:m\" k=\"&lt;&quot;&#10;\"><c/>x&lt;y</m:b>")
        #expect(try store.innerHTML(of: element) == "<c/>x&lt;y")
        #expect(try store.textContent(of: element) == "x<y")
    }

    @Test func namesAndAttributesAreAsWritten() throws {
        let document = try xml("<f xmlns:m='u:m'><m:c m:url='1' url='2' xml:lang='en'/></f>")
        let element = try first("//*[name()='m:c']", in: document)
        #expect(try store.name(of: element) == "m:c")
        #expect(try store.localName(of: element) == "c")
        #expect(try store.namespaceURI(of: element) == "u:m")
        #expect(try store.attribute("m:url", of: element) == "1")
        #expect(try store.attribute("url", of: element) == "2")
        #expect(try store.attribute("URL", of: element) == nil)
        #expect(try store.attributes(of: element).map(\.name) == ["m:url", "url", "xml:lang"])
        #expect(try store.attribute("xmlns:m", of: first("/f", in: document)) == "u:m")
    }

    @Test func elementsAroundAnElementAreFound() throws {
        let document = try html("<ul>x<li id=a></li> y <li id=b></li><!-- --><li id=c></li>z</ul>")
        let list = try first("//ul", in: document)
        let middle = try first("//li[2]", in: document)
        func id(_ handle: NodeHandle?) throws -> String? { try handle.flatMap { try store.attribute("id", of: $0) } }
        #expect(try store.children(of: list).map { try id($0) } == ["a", "b", "c"])
        #expect(try id(store.firstElementChild(of: list)) == "a")
        #expect(try id(store.lastElementChild(of: list)) == "c")
        #expect(try id(store.nextElementSibling(of: middle)) == "c")
        #expect(try id(store.previousElementSibling(of: middle)) == "a")
        #expect(try store.parent(of: middle) == list)
        #expect(try store.parent(of: first("/html", in: document)) == nil)
        #expect(try store.nodeType(of: document) == .document)
        #expect(try store.nodeType(of: middle) == .element)
    }

    @Test func handleFromBeforeIsRefused() throws {
        let old = try html("<p>old</p>")
        store.removeAll()
        let new = try html("<p>new</p>")
        #expect(
            throws: DocumentError(.documentGone, message: "this document belongs to the response of an earlier call")
        ) {
            try store.textContent(of: old)
        }
        #expect(try store.textContent(of: new) == "new")
    }

    @Test(arguments: [0, -1, 1, 42, Int.max, Int.min, 1 << 26 + 5]) func madeUpHandleIsRefused(_ number: Int) throws {
        #expect(throws: DocumentError.self) { try store.children(of: NodeHandle(rawValue: number)) }
    }

    @Test(arguments: [
        ("hello", 1), ("<a/><b/>", 1), ("<a", 1), ("<a b=1/>", 1), ("<html>\n<b></html>", 2),
    ])
    func malformedXMLIsAnErrorWithItsLine(_ markup: String, _ line: Int) throws {
        let error = #expect(throws: DocumentError.self) { try xml(markup) }
        #expect(error?.code == .malformed)
        #expect(error?.line == line)
        #expect(error?.url == "https://example.com/a")
    }

    @Test func spaceBeforeTheXMLDeclarationIsSkipped() throws {
        #expect(try store.textContent(of: xml("\n <?xml version='1.0' encoding='utf-8'?><a>é</a>")) == "é")
    }

    @Test func declaredCharsetIsUsedByBothParsers() throws {
        let page = try store.parseHTML(Array("<meta charset=latin1><p>".utf8) + [0xE9], url: "u")
        #expect(try store.textContent(of: page) == "é")
        let feed = try store.parseXML(
            Array("<?xml version='1.0' encoding='iso-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8), url: "u")
        #expect(try store.textContent(of: feed) == "é")
    }
}
