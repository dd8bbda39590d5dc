import CLibXML2

/// A compiled XPath 1.0 expression.
final class XPathExpression {
    /// The maximum length of an expression.
    private static let lengthLimit = 65_536

    let source: String
    let compiled: xmlXPathCompExprPtr
    let usesScope: Bool
    /// Whether the expression may find elements by `id()`.
    let usesIDs: Bool

    init(_ source: String) throws(DocumentError) {
        guard !source.utf8.contains(0), source.utf8.count <= Self.lengthLimit else {
            throw DocumentError(.expressionInvalid, message: "an XPath expression holds a NUL character or is too long")
        }
        // Without a context libxml2 reports errors to standard error and sets no limit to nesting.
        guard let context = xmlXPathNewContext(nil) else {
            throw DocumentError(.limitExceeded, message: "out of memory for XPath")
        }
        defer { xmlXPathFreeContext(context) }
        context.pointee.error = { _, _ in }
        guard let compiled = xmlXPathCtxtCompile(context, source) else {
            throw Self.error(context.pointee.lastError, in: source, url: nil)
        }
        self.source = source
        self.compiled = compiled
        usesScope = source.holds("$scope")
        usesIDs = source.holds("id(")
    }

    deinit {
        xmlXPathFreeCompExpr(compiled)
    }

    /// Returns what libxml2 said about evaluating this expression.
    func error(_ reported: xmlError, url: String) -> DocumentError {
        Self.error(reported, in: source, url: url)
    }

    /// Adds the functions behind `:nth-of-type()`: XPath 1.0 cannot compare a sibling's name with that of the current node.
    static func registerFunctions(in context: xmlXPathContextPtr) {
        _ = xmlXPathRegisterFunc(context, "preceding-of-type") { parser, _ in
            XPathExpression.pushSameTypeCount(parser) { $0.pointee.prev }
        }
        _ = xmlXPathRegisterFunc(context, "following-of-type") { parser, _ in
            XPathExpression.pushSameTypeCount(parser) { $0.pointee.next }
        }
    }

    private static func pushSameTypeCount(_ parser: xmlXPathParserContextPtr?, step: (xmlNodePtr) -> xmlNodePtr?) {
        guard let parser, let context = parser.pointee.context, let node = context.pointee.node else { return }
        var count = 0
        var steps: UInt = 0
        var sibling = node.pointee.type == XML_ELEMENT_NODE ? step(node) : nil
        while let current = sibling {
            steps += 1
            if current.pointee.type == XML_ELEMENT_NODE, current.hasType(of: node) { count += 1 }
            sibling = step(current)
        }
        // Counts against the same limit as libxml2's own steps.
        context.pointee.opCount += steps
        xmlXPathEndWithNumber(parser, Double(count))
    }

    private static func error(_ reported: xmlError, in source: String, url: String?) -> DocumentError {
        let number = Int(reported.code) - Int(XML_XPATH_EXPRESSION_OK.rawValue)
        let shown = source.utf8.count > 200 ? "\(source.prefix(200))…" : source
        if number == Int(XPATH_OP_LIMIT_EXCEEDED.rawValue) || number == Int(XPATH_RECURSION_LIMIT_EXCEEDED.rawValue) {
            return DocumentError(.limitExceeded, message: "XPath \"\(shown)\" takes too many steps", url: url)
        }
        guard number > 0 else {
            return DocumentError(.limitExceeded, message: "XPath \"\(shown)\" could not be evaluated", url: url)
        }
        let reason = reasons[number] ?? "not valid"
        return DocumentError(
            .expressionInvalid, message: "XPath \"\(shown)\", character \(reported.int1 + 1): \(reason)", url: url)
    }

    /// What the error numbers of xpath.h mean; libxml2 keeps its own texts to itself.
    private static let reasons = [
        1: "not a number", 2: "unfinished literal", 3: "expected a literal", 4: "not a variable", 5: "unknown variable",
        6: "not a predicate", 7: "not an expression", 8: "expected a closing bracket", 9: "unknown function",
        10: "wrong operand", 11: "wrong type", 12: "wrong number of arguments", 19: "unknown namespace prefix",
        21: "character not allowed",
    ]
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    /// Whether CSS would call two elements the same type: one name in one namespace.
    fileprivate func hasType(of other: xmlNodePtr) -> Bool {
        xmlStrEqual(pointee.name, other.pointee.name) == 1
            && xmlStrEqual(pointee.ns?.pointee.href, other.pointee.ns?.pointee.href) == 1
    }
}
