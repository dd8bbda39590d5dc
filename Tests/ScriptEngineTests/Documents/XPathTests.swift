import Testing

@testable import ScriptEngine

@Suite struct XPathTests {
    let store = DocumentStore()

    private func document() throws -> NodeHandle {
        try store.parseXML(
            Array("<f xmlns:m='u:m' n='1'><a>x</a><!--c--><m:b k='v'>y</m:b><a>z</a></f>".utf8), url: "u")
    }

    @Test(arguments: [
        ("count(//a)", XPathResult.number(2)), ("string(//a[2])", .string("z")), ("boolean(//q)", .boolean(false)),
        ("//a/text()", .nodes([.string("x"), .string("z")])), ("//@k | //@n", .nodes([.string("1"), .string("v")])),
        ("//comment()", .nodes([.string("c")])), ("//m:b/text()", .nodes([.string("y")])), ("//q", .nodes([])),
        ("count($scope)", .number(1)), ("name($scope)", .string("f")), ("1 div 0", .number(.infinity)),
    ])
    func expressionHasItsValue(_ xpath: String, _ value: XPathResult) throws {
        #expect(try store.evaluate(xpath: xpath, on: document()) == value)
    }

    @Test func nodesAreInDocumentOrderWithoutRepeats() throws {
        let document = try document()
        guard case .nodes(let nodes) = try store.evaluate(xpath: "//a[2] | //a | //a/..", on: document) else { return }
        #expect(nodes.count == 3)
        #expect(
            try nodes.map { if case .node(let node) = $0 { try store.textContent(of: node) } else { "" } } == [
                "xyz", "x", "z",
            ])
    }

    @Test func elementHasOneHandle() throws {
        let document = try document()
        let root = try #require(try store.firstElementChild(of: document))
        #expect(try store.evaluate(xpath: "/f", on: document) == .nodes([.node(root)]))
        #expect(try store.evaluate(xpath: "/", on: root) == .nodes([.node(document)]))
    }

    @Test func givenPrefixHoldsForOneEvaluation() throws {
        let document = try document()
        #expect(
            try store.evaluate(xpath: "count(//p:b | //m:b)", on: document, namespaces: [("p", "u:m")]) == .number(1))
        #expect(throws: DocumentError.self) { try store.evaluate(xpath: "//p:b", on: document) }
        #expect(try store.evaluate(xpath: "count(//m:b)", on: document) == .number(1))
    }

    @Test(arguments: ["//a[", "", "foo()", "//x:y", "1 +", "$nope", "//a\0", "count()", "count(1)", "//a)", "'x"])
    func wrongExpressionIsAnError(_ xpath: String) throws {
        let error = try #require(throws: DocumentError.self) { try store.evaluate(xpath: xpath, on: document()) }
        #expect(error.code == .expressionInvalid)
    }
}
