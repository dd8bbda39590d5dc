import Testing

@testable import ScriptEngine

@Suite struct SelectorCasesTests {
    @Test(arguments: SelectorCase.all) func selectorFindsItsElementsInDocumentOrder(_ example: SelectorCase) throws {
        let store = DocumentStore()
        let bytes = Array(example.page.markup.utf8)
        let document =
            example.page.isHTML
            ? try store.parseHTML(bytes, url: "https://example.com/")
            : try store.parseXML(bytes, url: "https://example.com/")
        #expect(try store.ids(of: example.xpath, in: document) == example.ids)
    }
}

extension DocumentStore {
    func ids(of xpath: String, in document: NodeHandle) throws -> [String] {
        guard case .nodes(let nodes) = try evaluate(xpath: xpath, on: document) else { return [] }
        return try nodes.map { node in
            guard case .node(let element) = node else { return "not an element" }
            return try attribute("id", of: element) ?? "no id"
        }
    }
}
