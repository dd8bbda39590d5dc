import CLibXML2

/// Makes a tree of a page's tokens, by section 13.2.6 of the HTML standard, as browsers do.
///
/// The tree is libxml2's, for XPath. Scripts are off: what a `noscript` holds is read as elements. What a `template` holds are
/// its children.
struct HTMLTreeBuilder {
    /// The rules that are in force ("insertion mode").
    enum Mode {
        case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText
        case inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset
        case afterAfterBody, afterAfterFrameset
    }

    /// Why no tree could be made.
    enum Failure: Error {
        case depth, memory
    }

    /// A place for a new node.
    struct Place: Equatable {
        var parent: xmlNodePtr
        var next: xmlNodePtr?
    }

    /// An element whose formatting goes on behind its parent's end, or the bound behind which it does not.
    enum FormattingEntry {
        case marker
        case element(OpenElement)

        var element: OpenElement? { if case .element(let element) = self { element } else { nil } }
    }

    let document: xmlDocPtr
    let names: NameTable
    /// Text of the page itself need not be copied before it gets a node.
    let input: UnsafeBufferPointer<UInt8>
    /// Stands for elements that memory was too short for.
    private let spare: xmlNodePtr

    var mode = Mode.initial
    var originalMode = Mode.initial
    var templateModes: [Mode] = []
    var stack: [OpenElement] = []
    var formatting: [FormattingEntry] = []
    var head: OpenElement?
    var form: xmlNodePtr?
    var isQuirky = false
    var acceptsFrameset = true
    var fostersParents = false
    var skipsLineFeed = false
    var content = HTMLTextContent.data
    var tableText: [UInt8] = []
    var failure: Failure?
    /// Nodes that were taken out of the tree, and are freed with the builder.
    var detached: [xmlNodePtr] = []

    private var pending = PendingText()

    /// Makes a builder for a document that is empty.
    init?(_ document: xmlDocPtr, names: NameTable, input: UnsafeBufferPointer<UInt8>) {
        guard let spare = xmlNewDocNode(document, nil, "spare", nil) else { return nil }
        self.document = document
        self.names = names
        self.input = input
        self.spare = spare
        stack.reserveCapacity(64)
    }

    /// Frees what is no part of the tree.
    func close() {
        for node in detached { xmlFreeNode(node) }
        if spare.pointee.parent == nil { xmlFreeNode(spare) }
    }

    var current: OpenElement? { stack.last }

    /// The document as a node: libxml2's structures begin alike.
    var documentNode: xmlNodePtr { UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self) }

    // MARK: Nodes

    /// Inserts an element for a start tag and makes it the current one.
    @discardableResult
    mutating func insert(_ token: HTMLStartTag) -> OpenElement {
        let element = OpenElement(node: makeNode(token), tag: token.tag, namespace: .html)
        insert(element)
        return element
    }

    /// Inserts an element of a tag that the page leaves out.
    mutating func insertImplied(_ known: KnownTag) {
        guard let tag = names.tag(known) else { return failure = .memory }
        insert(HTMLStartTag(tag: tag))
    }

    mutating func insert(_ element: OpenElement) {
        flushText()
        let place = insertionPlace()
        element.node.link(into: place.parent, before: place.next)
        push(element)
    }

    /// Inserts an element that has no content.
    mutating func insertVoid(_ token: HTMLStartTag) {
        insert(token)
        pop()
    }

    mutating func push(_ element: OpenElement) {
        stack.append(element)
        if stack.count > DocumentStore.depthLimit { failure = .depth }
    }

    mutating func pop() { stack.removeLast() }

    /// Makes an element without a place; `name` where it is not the tag's own.
    func makeNode(_ token: HTMLStartTag, name: UnsafePointer<xmlChar>? = nil) -> xmlNodePtr? {
        // The dictionary's strings are never changed.
        let name = UnsafeMutablePointer(mutating: name ?? token.tag.name)
        guard let node = xmlNewDocNodeEatName(document, nil, name, nil) else { return nil }
        var last: xmlAttrPtr?
        for attribute in token.attributes {
            guard let made = attribute.withValue({ makeAttribute(attribute.name, $0) }) else { return nil }
            append(made, behind: last, to: node)
            last = made
        }
        return node
    }

    private mutating func makeNode(_ token: HTMLStartTag) -> xmlNodePtr {
        makeNode(token, name: nil) ?? useSpare()
    }

    /// Notes that memory is short, and returns a node with which reading can end.
    mutating func useSpare() -> xmlNodePtr {
        failure = .memory
        spare.unlink()
        return spare
    }

    /// Adds the attributes that an element does not have yet.
    func addMissingAttributes(_ attributes: [HTMLAttribute], to node: xmlNodePtr) {
        for attribute in attributes where !node.attributes.contains(where: { $0.pointee.name == attribute.name }) {
            guard let made = attribute.withValue({ makeAttribute(attribute.name, $0) }) else { return }
            append(made, behind: node.lastAttribute, to: node)
        }
    }

    /// A copy of an element without its children.
    mutating func clone(_ element: OpenElement) -> OpenElement {
        var token = HTMLStartTag(tag: element.tag)
        for attribute in element.node.attributes {
            token.attributes.append(
                HTMLAttribute(name: attribute.pointee.name, value: .decoded(Array(attribute.text.utf8))))
        }
        return OpenElement(node: makeNode(token), tag: element.tag, namespace: element.namespace)
    }

    private func makeAttribute(_ name: UnsafePointer<xmlChar>, _ value: UnsafeBufferPointer<UInt8>) -> xmlAttrPtr? {
        guard let attribute = xmlNewDocProp(document, name, nil) else { return nil }
        if let start = value.baseAddress, !value.isEmpty {
            guard let text = xmlNewDocTextLen(document, start, Int32(clamping: value.count)) else { return nil }
            text.pointee.parent = attribute.asNode
            (attribute.pointee.children, attribute.pointee.last) = (text, text)
        }
        return attribute
    }

    private func append(_ attribute: xmlAttrPtr, behind last: xmlAttrPtr?, to node: xmlNodePtr) {
        attribute.pointee.parent = node
        attribute.pointee.prev = last
        if let last { last.pointee.next = attribute } else { node.pointee.properties = attribute }
    }

    mutating func insertComment(_ text: [UInt8], into parent: xmlNodePtr? = nil) {
        flushText()
        let place = parent.map { Place(parent: $0, next: nil) } ?? insertionPlace()
        var text = text
        text.append(0)
        guard let comment = xmlNewDocComment(document, text) else { return failure = .memory }
        comment.link(into: place.parent, before: place.next)
    }

    // MARK: Places

    /// The place for a new node: in the current element, or before a table that cannot hold it.
    func insertionPlace(in target: OpenElement? = nil) -> Place {
        guard let target = target ?? current else { return Place(parent: documentNode) }
        guard fostersParents, target.known.fostersParents else { return Place(parent: target.node) }
        let lastTable = stack.lastIndex { $0.known == .table }
        if let template = stack.lastIndex(where: { $0.known == .template }), template > lastTable ?? -1 {
            return Place(parent: stack[template].node)
        }
        guard let lastTable, lastTable > 0 else { return Place(parent: stack[0].node) }
        let table = stack[lastTable].node
        if let parent = table.pointee.parent { return Place(parent: parent, next: table) }
        return Place(parent: stack[lastTable - 1].node)
    }

    // MARK: Text

    /// Inserts text at the current place; it gets its node when something else is inserted.
    mutating func insertText(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let place = insertionPlace()
        // A document has no text of its own.
        guard place.parent != documentNode else { return }
        if pending.place != place { flushText() }
        pending.place = place
        let isStable = input.baseAddress.map { start >= $0 && start < $0 + input.count } ?? false
        pending.append(bytes, isStable: isStable)
    }

    /// Makes a node of the text that was read last.
    mutating func flushText() {
        guard let place = pending.place else { return }
        let text = pending
        pending = PendingText()
        let isInserted = text.withBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
            let count = Int32(clamping: bytes.count)
            let before = place.next == nil ? place.parent.pointee.last : place.next?.pointee.prev
            if let before, before.isText { return xmlTextConcat(before, start, count) == 0 }
            guard let node = xmlNewDocTextLen(document, start, count) else { return false }
            node.link(into: place.parent, before: place.next)
            return true
        }
        if !isInserted { failure = .memory }
    }
}

/// Text that has not got its node yet.
private struct PendingText {
    var place: HTMLTreeBuilder.Place?
    /// A part of the page, as long as there is no other.
    private var slice: UnsafeBufferPointer<UInt8>?
    private var bytes: [UInt8] = []

    mutating func append(_ more: UnsafeBufferPointer<UInt8>, isStable: Bool) {
        if slice == nil, bytes.isEmpty, isStable {
            slice = more
            return
        }
        if let slice {
            bytes += slice
            self.slice = nil
        }
        bytes += more
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let slice { body(slice) } else { bytes.withUnsafeBufferPointer(body) }
    }
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    fileprivate var lastAttribute: xmlAttrPtr? {
        var attribute = pointee.properties
        while let next = attribute?.pointee.next { attribute = next }
        return attribute
    }
}
