import CLibXML2

/// Reading libxml2's nodes without recursion, since a hostile page decides how deep they nest.
extension UnsafeMutablePointer where Pointee == xmlNode {
    /// What the node is to a caller, or nil for text, attributes and what else a tree holds.
    var nodeType: NodeType? {
        switch pointee.type {
        case XML_ELEMENT_NODE: .element
        case XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: .document
        default: nil
        }
    }

    /// The first node inside; an entity reference has none, since its `children` are the entity's declaration.
    var firstInside: xmlNodePtr? {
        switch pointee.type {
        case XML_ELEMENT_NODE, XML_ATTRIBUTE_NODE, XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: pointee.children
        default: nil
        }
    }

    var isText: Bool { pointee.type == XML_TEXT_NODE || pointee.type == XML_CDATA_SECTION_NODE }

    /// The name as written: prefix, colon and local name.
    var qualifiedName: String {
        let local = String(xml: pointee.name) ?? ""
        guard let namespace = pointee.ns, let prefix = String(xml: namespace.pointee.prefix) else { return local }
        return "\(prefix):\(local)"
    }

    var namespaceDeclarations: some Sequence<xmlNsPtr> {
        // Only elements have them: the field is past the end of a document's or attribute's own.
        sequence(first: pointee.type == XML_ELEMENT_NODE ? pointee.nsDef : nil) { $0?.pointee.next }
            .lazy.prefix { $0 != nil }.compactMap(\.self)
    }

    var attributes: some Sequence<xmlNodePtr> {
        sequence(first: pointee.type == XML_ELEMENT_NODE ? pointee.properties : nil) { $0?.pointee.next }
            .lazy.prefix { $0 != nil }.compactMap { $0?.asNode }
    }

    /// Calls `body` with this node and all nodes below it, in document order.
    func forEachDescendantOrSelf(_ body: (xmlNodePtr) -> Void) {
        walk { visit, node in
            if visit == .entering { body(node) }
        }
    }

    /// Walks the tree below this node, itself included, with a constant amount of stack.
    func walk(_ body: (NodeVisit, xmlNodePtr) -> Void) {
        var node = self
        while true {
            body(.entering, node)
            if let child = node.firstInside {
                node = child
                continue
            }
            body(.leaving, node)
            while node != self, node.pointee.next == nil, let parent = node.pointee.parent {
                node = parent
                body(.leaving, node)
            }
            guard node != self, let next = node.pointee.next else { return }
            node = next
        }
    }

    /// Appends the text of this node and all nodes below it.
    func appendText(to bytes: inout [UInt8]) {
        forEachDescendantOrSelf { node in
            if node.isText { bytes.append(xml: node.pointee.content) }
        }
    }

    var text: String {
        // The usual case, one text node, is copied once.
        if let only = firstInside, only.pointee.next == nil, only.isText {
            return String(xml: only.pointee.content) ?? ""
        }
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Which side of what is inside a node a walk has reached.
enum NodeVisit {
    case entering, leaving
}

extension UnsafeMutablePointer where Pointee == xmlAttr {
    /// The attribute as a node: libxml2's structures begin with the same fields, up to `doc`, and share `ns` by name only.
    var asNode: xmlNodePtr { UnsafeMutableRawPointer(self).assumingMemoryBound(to: xmlNode.self) }
}

extension String {
    /// Copies a string of libxml2's, or is nil where there is none.
    init?(xml characters: UnsafePointer<xmlChar>?) {
        guard let characters else { return nil }
        self.init(cString: characters)
    }
}

extension [UInt8] {
    /// Appends a string of libxml2's.
    mutating func append(xml characters: UnsafePointer<xmlChar>?) {
        guard let characters else { return }
        append(contentsOf: UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))))
    }
}
