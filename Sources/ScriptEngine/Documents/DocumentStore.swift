import CLibXML2
import ProviderModel

/// The parsed documents of one call, and the handles that stand for their nodes.
///
/// Not `Sendable`: a store belongs to the thread that made it, like the script engine it serves. Trees are never
/// changed, so a node lives as long as its document, and a document until `removeAll()`.
final class DocumentStore {
    /// The most bytes of markup that are parsed; a tree takes about ten times as much memory.
    static let sizeLimit = 32 << 20
    /// How deeply elements may nest, where the library lets it be set; browsers stop at 512 levels.
    static let depthLimit = Int(xmlLimitDepth(1024))

    private struct Entry {
        let node: xmlNodePtr
        let document: ParsedDocument
    }

    /// The errors of documents that were not well formed, and were read on.
    var repairs: [DocumentError] = []

    private var entries: [Entry] = []
    private var generation = 1
    private var expressions: [String: XPathExpression] = [:]

    /// Sets libxml2 up before its first use; needs no file.
    static func prepare() {
        _ = preparation
        // libxml2 keeps this setting per thread.
        xmlSilenceThread()
    }

    private static let preparation: Void = {
        xmlInitParser()
        _ = depthLimit
        // No entity, DTD or schema is ever read from a file or the network, whatever the parser options say.
        xmlSetExternalEntityLoader { _, _, _ in nil }
    }()

    /// Frees every document; handles given out before now throw an error.
    func removeAll() {
        entries.removeAll(keepingCapacity: true)
        repairs = []
        generation += 1
        precondition(
            generation < NodeHandle.generationLimit, "too many documents in one worker")
    }

    /// Returns what was not well formed in documents since it was last asked for, as faults of the result that is made of them.
    func takeRepairs() -> [ResultFault] {
        defer { repairs = [] }
        return repairs.map { error in
            let place = error.line.map { "line \($0): " } ?? ""
            let reason = error.message.replacing("not well formed: ", with: "", maxReplacements: 1)
            return ResultFault(
                loss: .markup, path: "res.xml", message: String("\(place)\(reason)".prefix(ResultFault.maximumLength)))
        }
    }

    /// Returns the value of an XPath 1.0 expression, with node sets in document order.
    ///
    /// The prefixes that an XML document declares are known, and `namespaces` adds to them. `$scope` is the context
    /// element, or the root element of a document.
    func evaluate(
        xpath: String, on handle: NodeHandle, namespaces: [(prefix: String, uri: String)] = []
    ) throws(DocumentError) -> XPathResult {
        let entry = try entry(for: handle)
        let expression = try expression(xpath)
        return try entry.document.evaluate(expression, on: entry.node, namespaces: namespaces) {
            value throws(DocumentError) in
            switch value.type {
            case XPATH_NODESET: .nodes(try self.members(of: value.nodesetval, in: entry.document))
            case XPATH_BOOLEAN: .boolean(value.boolval != 0)
            case XPATH_NUMBER: .number(value.floatval)
            case XPATH_STRING: .string(String(xml: value.stringval) ?? "")
            default:
                throw DocumentError(
                    .expressionInvalid, message: "XPath \"\(xpath)\" has no value", url: entry.document.url)
            }
        }
    }

    // MARK: For the other aspects of the store

    func add(_ document: ParsedDocument) throws(DocumentError) -> NodeHandle {
        // libxml2's structures begin alike, and a document may stand where a node is asked for.
        let node = UnsafeMutableRawPointer(document.pointer).assumingMemoryBound(to: xmlNode.self)
        return try handle(for: node, in: document)
    }

    /// Returns the one handle of a node.
    func handle(for node: xmlNodePtr, in document: ParsedDocument) throws(DocumentError) -> NodeHandle {
        // `_private` is the application's own field; it holds the index, plus one.
        let known = Int(bitPattern: node.pointee._private)
        if known > 0 { return NodeHandle(index: known - 1, generation: generation) }
        guard entries.count < 1 << NodeHandle.indexBits else {
            throw DocumentError(.limitExceeded, message: "too many nodes are in use", url: document.url)
        }
        entries.append(Entry(node: node, document: document))
        node.pointee._private = UnsafeMutableRawPointer(bitPattern: entries.count)
        return NodeHandle(index: entries.count - 1, generation: generation)
    }

    /// Returns what a handle stands for; a handle may be any number a script made up.
    func resolve(_ handle: NodeHandle) throws(DocumentError) -> (node: xmlNodePtr, document: ParsedDocument) {
        let entry = try entry(for: handle)
        return (entry.node, entry.document)
    }

    private func entry(for handle: NodeHandle) throws(DocumentError) -> Entry {
        guard handle.generation == generation, handle.index < entries.count else { throw .gone }
        return entries[handle.index]
    }

    private func expression(_ source: String) throws(DocumentError) -> XPathExpression {
        if let known = expressions[source] { return known }
        if expressions.count >= 256 { expressions.removeAll(keepingCapacity: true) }
        let expression = try XPathExpression(source)
        expressions[source] = expression
        return expression
    }

    private func members(of set: xmlNodeSetPtr?, in document: ParsedDocument) throws(DocumentError) -> [XPathNode] {
        guard let set, let nodes = set.pointee.nodeTab else { return [] }
        xmlXPathNodeSetSort(set)
        var members: [XPathNode] = []
        members.reserveCapacity(Int(set.pointee.nodeNr))
        for index in 0..<Int(set.pointee.nodeNr) {
            guard let node = nodes[index] else { continue }
            members.append(try member(node, in: document))
        }
        return members
    }

    private func member(_ node: xmlNodePtr, in document: ParsedDocument) throws(DocumentError) -> XPathNode {
        if node.nodeType != nil { return .node(try handle(for: node, in: document)) }
        switch node.pointee.type {
        case XML_NAMESPACE_DECL:
            // A namespace node has a structure of its own.
            let namespace = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlNs.self)
            return .string(String(xml: namespace.pointee.href) ?? "")
        case XML_ATTRIBUTE_NODE: return .string(node.text)
        default: return .string(String(xml: node.pointee.content) ?? "")
        }
    }
}
