import CLibXML2

/// Reading single nodes, with the names and results of the DOM.
extension DocumentStore {
    /// Returns whether a handle stands for a document or an element.
    func nodeType(of handle: NodeHandle) throws(DocumentError) -> NodeType {
        let node = try resolve(handle).node
        return node.nodeType ?? .element
    }

    /// Returns an element's name as written: prefix, colon and local name; in HTML it is lower-case.
    func name(of handle: NodeHandle) throws(DocumentError) -> String {
        let node = try resolve(handle).node
        return node.nodeType == .document ? "#document" : node.qualifiedName
    }

    /// Returns an element's name without its prefix.
    func localName(of handle: NodeHandle) throws(DocumentError) -> String {
        let (node, document) = try resolve(handle)
        if node.nodeType == .document { return "#document" }
        let name = String(xml: node.pointee.name) ?? ""
        // The HTML parser keeps a prefix in the name, as the DOM does for HTML.
        return document.isHTML ? name : name.split(separator: ":").last.map(String.init) ?? name
    }

    /// Returns the namespace an element is in.
    func namespaceURI(of handle: NodeHandle) throws(DocumentError) -> String? {
        let (node, document) = try resolve(handle)
        guard node.nodeType == .element else { return nil }
        return document.isHTML ? node.htmlNamespace.uri : String(xml: node.pointee.ns?.pointee.href)
    }

    /// Returns the value of the attribute that is written as `name`, prefix included.
    func attribute(_ name: String, of handle: NodeHandle) throws(DocumentError) -> String? {
        let (node, document) = try resolve(handle)
        guard node.nodeType == .element else { return nil }
        // SVG's names in a page keep their capitals.
        for attribute in node.attributes where attribute.hasQualifiedName(name) { return attribute.text }
        let wanted = document.isHTML ? name.lowercased() : name
        if wanted != name {
            for attribute in node.attributes where attribute.hasQualifiedName(wanted) { return attribute.text }
        }
        for declaration in node.namespaceDeclarations where declaration.qualifiedName == wanted {
            return String(xml: declaration.pointee.href) ?? ""
        }
        return nil
    }

    /// Returns all attributes of an element, namespace declarations included, as the DOM does.
    func attributes(of handle: NodeHandle) throws(DocumentError) -> [NodeAttribute] {
        let node = try resolve(handle).node
        let declared = node.namespaceDeclarations.map {
            NodeAttribute(name: $0.qualifiedName, value: String(xml: $0.pointee.href) ?? "")
        }
        return declared + node.attributes.map { NodeAttribute(name: $0.qualifiedName, value: $0.text) }
    }

    /// Returns the text of a node and everything inside it.
    func textContent(of handle: NodeHandle) throws(DocumentError) -> String {
        try resolve(handle).node.text
    }

    /// Returns the elements directly inside a node.
    func children(of handle: NodeHandle) throws(DocumentError) -> [NodeHandle] {
        let (node, document) = try resolve(handle)
        var found: [NodeHandle] = []
        var child = node.firstInside?.orNextElement
        while let current = child {
            found.append(try self.handle(for: current, in: document))
            child = current.pointee.next?.orNextElement
        }
        return found
    }

    /// Returns the element around an element; the root element has none.
    func parent(of handle: NodeHandle) throws(DocumentError) -> NodeHandle? {
        try adjacentElement(of: handle) { node in
            node.pointee.parent.flatMap { $0.nodeType == .element ? $0 : nil }
        }
    }

    /// Returns the first element inside a node; of a document, that is its root element.
    func firstElementChild(of handle: NodeHandle) throws(DocumentError) -> NodeHandle? {
        try adjacentElement(of: handle) { $0.firstInside?.orNextElement }
    }

    /// Returns the last element inside a node.
    func lastElementChild(of handle: NodeHandle) throws(DocumentError) -> NodeHandle? {
        try adjacentElement(of: handle) { $0.firstInside == nil ? nil : $0.pointee.last?.orPreviousElement }
    }

    /// Returns the element that follows an element in the same parent.
    func nextElementSibling(of handle: NodeHandle) throws(DocumentError) -> NodeHandle? {
        try adjacentElement(of: handle) { $0.pointee.next?.orNextElement }
    }

    /// Returns the element before an element in the same parent.
    func previousElementSibling(of handle: NodeHandle) throws(DocumentError) -> NodeHandle? {
        try adjacentElement(of: handle) { $0.pointee.prev?.orPreviousElement }
    }

    /// Returns a node as markup, in the language its document was written in.
    func outerHTML(of handle: NodeHandle) throws(DocumentError) -> String {
        let (node, document) = try resolve(handle)
        return MarkupWriter.outerMarkup(of: node, isHTML: document.isHTML)
    }

    /// Returns what is inside a node as markup.
    func innerHTML(of handle: NodeHandle) throws(DocumentError) -> String {
        let (node, document) = try resolve(handle)
        return MarkupWriter.innerMarkup(of: node, isHTML: document.isHTML)
    }

    private func adjacentElement(
        of handle: NodeHandle, _ find: (xmlNodePtr) -> xmlNodePtr?
    ) throws(DocumentError) -> NodeHandle? {
        let (node, document) = try resolve(handle)
        guard let found = find(node) else { return nil }
        return try self.handle(for: found, in: document)
    }
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    fileprivate var orNextElement: xmlNodePtr? {
        var node: xmlNodePtr? = self
        while let current = node, current.pointee.type != XML_ELEMENT_NODE { node = current.pointee.next }
        return node
    }

    fileprivate var orPreviousElement: xmlNodePtr? {
        var node: xmlNodePtr? = self
        while let current = node, current.pointee.type != XML_ELEMENT_NODE { node = current.pointee.prev }
        return node
    }

    fileprivate func hasQualifiedName(_ name: String) -> Bool {
        guard let namespace = pointee.ns, let prefix = namespace.pointee.prefix else {
            return xmlStrEqual(pointee.name, name) == 1
        }
        return xmlStrQEqual(prefix, pointee.name, name) == 1
    }
}
