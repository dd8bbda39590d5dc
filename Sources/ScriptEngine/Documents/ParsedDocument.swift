import CLibXML2

/// One libxml2 tree and the XPath context that belongs to it; both are freed with it.
final class ParsedDocument {
    /// The maximum number of XPath steps: enough for any page, and under half a second of work.
    static let operationLimit: UInt = 50_000_000

    let pointer: xmlDocPtr
    let isHTML: Bool
    let url: String

    private var context: xmlXPathContextPtr?
    private var hasRegisteredIDs = false
    private lazy var declaredNamespaces = isHTML ? [] : Self.namespaces(declaredIn: pointer)

    init(owning pointer: xmlDocPtr, isHTML: Bool, url: String) {
        self.pointer = pointer
        self.isHTML = isHTML
        self.url = url
        // Numbers the elements, so that sorting a node set never walks up a deep tree.
        _ = xmlXPathOrderDocElems(pointer)
    }

    deinit {
        if let context { xmlXPathFreeContext(context) }
        xmlFreeDoc(pointer)
    }

    /// Evaluates a compiled expression with `node` as the context node, and hands the result to `read`.
    func evaluate<Value>(
        _ expression: XPathExpression,
        on node: xmlNodePtr,
        namespaces: [(prefix: String, uri: String)],
        read: (xmlXPathObject) throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value {
        let context = try xpathContext()
        if !namespaces.isEmpty { register(namespaces, in: context) }
        defer { if !namespaces.isEmpty { restoreDeclaredNamespaces(in: context) } }
        if expression.usesIDs { registerIDs() }
        if expression.usesScope { bindScope(to: node, in: context) }
        context.pointee.node = node
        context.pointee.opCount = 0
        xmlResetError(&context.pointee.lastError)
        guard let result = xmlXPathCompiledEval(expression.compiled, context) else {
            throw expression.error(context.pointee.lastError, url: url)
        }
        defer { xmlXPathFreeObject(result) }
        return try read(result.pointee)
    }

    private func xpathContext() throws(DocumentError) -> xmlXPathContextPtr {
        if let context { return context }
        guard let context = xmlXPathNewContext(pointer) else {
            throw DocumentError(.limitExceeded, message: "out of memory for XPath", url: url)
        }
        context.pointee.error = { _, _ in }
        context.pointee.opLimit = Self.operationLimit
        XPathExpression.registerFunctions(in: context)
        register(declaredNamespaces, in: context)
        self.context = context
        return context
    }

    /// Tells libxml2 of a page's ids, of which the first of several alike counts; XML declares its own.
    private func registerIDs() {
        guard isHTML, !hasRegisteredIDs else { return }
        hasRegisteredIDs = true
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlNode.self).forEachDescendantOrSelf { node in
            for attribute in node.attributes where xmlStrEqual(attribute.pointee.name, "id") == 1 {
                let pointer = UnsafeMutableRawPointer(attribute).assumingMemoryBound(to: xmlAttr.self)
                _ = xmlAddID(nil, self.pointer, attribute.pointee.children?.pointee.content, pointer)
            }
        }
    }

    /// `$scope` stands for CSS's `:scope`, which XPath 1.0 cannot say inside a predicate.
    private func bindScope(to node: xmlNodePtr, in context: xmlXPathContextPtr) {
        let scope = node.nodeType == .document ? xmlDocGetRootElement(pointer) : node
        _ = xmlXPathRegisterVariable(context, "scope", xmlXPathNewNodeSet(scope))
    }

    private func register(_ namespaces: [(prefix: String, uri: String)], in context: xmlXPathContextPtr) {
        for (prefix, uri) in namespaces { _ = xmlXPathRegisterNs(context, prefix, uri) }
    }

    private func restoreDeclaredNamespaces(in context: xmlXPathContextPtr) {
        xmlXPathRegisteredNsCleanup(context)
        register(declaredNamespaces, in: context)
    }

    /// Returns the prefixes that a document declares, so that `//media:content` needs no list beside it.
    private static func namespaces(declaredIn document: xmlDocPtr) -> [(prefix: String, uri: String)] {
        var found: [(prefix: String, uri: String)] = []
        var seen: Set<String> = []
        guard let root = xmlDocGetRootElement(document) else { return found }
        root.forEachDescendantOrSelf { node in
            guard node.pointee.type == XML_ELEMENT_NODE else { return }
            for declaration in node.namespaceDeclarations {
                guard let prefix = String(xml: declaration.pointee.prefix),
                    let uri = String(xml: declaration.pointee.href),
                    seen.insert(prefix).inserted
                else { continue }
                found.append((prefix, uri))
            }
        }
        return found
    }
}
