import Testing

@testable import ScriptEngine

@Suite struct HostileDocumentTests {
    let store = DocumentStore()

    private func html(_ markup: String) throws -> NodeHandle { try store.parseHTML(Array(markup.utf8), url: "u") }
    private func xml(_ markup: String) throws -> NodeHandle { try store.parseXML(Array(markup.utf8), url: "u") }

    @Test(arguments: ["<div>", "<b>x", "<font size=1><i>", "<table><tr><td>", "<svg><g>"]) func deepHTMLIsAnError(
        _ tag: String
    ) throws {
        let error = #expect(throws: DocumentError.self) { try html(String(repeating: tag, count: 100_000)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func deepXMLIsAnError() throws {
        let error = #expect(throws: DocumentError.self) { try xml(String(repeating: "<a>", count: 100_000)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func treeAtTheDepthLimitIsReadAndWritten() throws {
        let document = try html(String(repeating: "<div>x", count: 1000))
        #expect(try store.textContent(of: document).count == 1000)
        #expect(try store.outerHTML(of: document).count > 12_000)
        #expect(try store.evaluate(xpath: "count(//div//div//div//div)", on: document) == .number(997))
    }

    @Test func entityBombIsAnError() throws {
        let letters = Array("abcdefghij")
        let entities = zip(letters, letters.dropFirst()).map {
            "<!ENTITY \($1) \"\(String(repeating: "&\($0);", count: 10))\">"
        }
        let error = #expect(throws: DocumentError.self) {
            try xml("<!DOCTYPE x [<!ENTITY a \"haha\">\(entities.joined())]><x>&j;</x>")
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]><a/>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
        "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"file:///etc/passwd\" parse=\"text\"/></a>",
    ])
    func nothingOutsideTheDocumentIsRead(_ markup: String) throws {
        #expect(try store.textContent(of: xml(markup)) == "")
    }

    @Test func entitiesOfTheDocumentItselfAreExpanded() throws {
        #expect(try store.textContent(of: xml("<!DOCTYPE a [<!ENTITY x \"<b>y</b>\">]><a>&x;&x;</a>")) == "yy")
    }

    @Test func tooLongTextIsAnErrorNotACutDocument() throws {
        let text = "<p>" + String(repeating: "x", count: 11_000_000) + "</p>"
        #expect(throws: DocumentError.self) { try xml(text) }
        #expect(store.takeRepairs() == [])
    }

    @Test func tooLargeDocumentIsAnError() throws {
        let bytes = [UInt8](repeating: 0x20, count: DocumentStore.sizeLimit + 1)
        #expect(throws: DocumentError.self) { try store.parseHTML(bytes, url: "u") }
    }

    @Test(arguments: [
        "<p<<a href=\"x<b>>\"<//<!--<table><td></p><![CDATA[x]]>&&&#x110000;&#0;", "<!DOCTYPE", "<!--", "</", "<", "&#",
        "<a b='",
        "\u{0}\u{0}", "<svg><![CDATA[", "<?php", "<frameset><body>", "</html></body><p>x",
    ])
    func brokenHTMLIsReadAndWritten(_ markup: String) throws {
        let document = try html(markup)
        _ = try store.outerHTML(of: document)
        _ = try store.textContent(of: document)
        _ = try store.evaluate(xpath: "//node() | //@*", on: document)
    }

    @Test func everyCutOfAPageIsReadWithoutACrash() throws {
        let page = Array(SelectorPage.gallery.markup.utf8), feed = Array(SelectorPage.feed.markup.utf8)
        for length in stride(from: 0, to: page.count, by: 7) {
            _ = try store.parseHTML(Array(page[..<length]), url: "u")
        }
        for length in stride(from: 0, to: feed.count - 10, by: 7) {
            _ = try? store.parseXML(Array(feed[..<length]), url: "u")  // cut before the first element it is none
        }
    }

    @Test(arguments: [
        "//*[count(//*[count(//*) > 1]) > 1]", "1" + String(repeating: " + 1", count: 15_000),
        String(repeating: "(", count: 20_000) + "1" + String(repeating: ")", count: 20_000),
        "//*" + String(repeating: "[*", count: 3000) + String(repeating: "]", count: 3000),
    ])
    func expressionThatTakesTooLongIsAnError(_ xpath: String) throws {
        let document = try html("<ul>" + String(repeating: "<li>x", count: 3000))
        let error = #expect(throws: DocumentError.self) { try store.evaluate(xpath: xpath, on: document) }
        #expect(error?.code == .limitExceeded)
    }
}
