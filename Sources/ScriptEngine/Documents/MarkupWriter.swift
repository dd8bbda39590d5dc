import CLibXML2

/// Writes a tree as markup, by HTML's fragment serialisation or as XML, without recursion.
struct MarkupWriter {
    private static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    private static let rawTextElements: Set<String> = [
        "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext",
    ]

    let isHTML: Bool
    private var bytes: [UInt8] = []

    init(isHTML: Bool) {
        self.isHTML = isHTML
    }

    /// Returns the markup of one node, with the namespaces it inherits declared on it.
    static func outerMarkup(of node: xmlNodePtr, isHTML: Bool) -> String {
        var writer = MarkupWriter(isHTML: isHTML)
        writer.write(node, inherited: isHTML ? [] : inheritedNamespaces(of: node))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the markup of what is inside a node.
    static func innerMarkup(of node: xmlNodePtr, isHTML: Bool) -> String {
        var writer = MarkupWriter(isHTML: isHTML)
        var child = node.firstInside
        while let current = child {
            writer.write(current, inherited: [])
            child = current.pointee.next
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func write(_ root: xmlNodePtr, inherited: [xmlNsPtr]) {
        root.walk { visit, node in
            switch visit {
            case .entering: open(node, inherited: node == root ? inherited : [])
            case .leaving: close(node)
            }
        }
    }

    private mutating func open(_ node: xmlNodePtr, inherited: [xmlNsPtr]) {
        switch node.pointee.type {
        case XML_ELEMENT_NODE: openElement(node, inherited: inherited)
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: writeText(of: node)
        case XML_COMMENT_NODE: append("<!--", node.pointee.content, "-->")
        case XML_PI_NODE: append("<?\(node.qualifiedName) ", node.pointee.content, isHTML ? ">" : "?>")
        case XML_ENTITY_REF_NODE: append("&", node.pointee.name, ";")
        default: break
        }
    }

    private mutating func openElement(_ node: xmlNodePtr, inherited: [xmlNsPtr]) {
        append("<\(node.qualifiedName)")
        for declaration in Array(node.namespaceDeclarations) + inherited {
            append(" \(declaration.qualifiedName)=\"")
            appendEscaped(declaration.pointee.href, inAttribute: true)
            append("\"")
        }
        for attribute in node.attributes {
            append(" \(attribute.qualifiedName)=\"")
            var child = attribute.pointee.children
            while let part = child {
                appendEscaped(part.pointee.content, inAttribute: true)
                child = part.pointee.next
            }
            append("\"")
        }
        append(isHTML || node.pointee.children != nil ? ">" : "/>")
    }

    private mutating func close(_ node: xmlNodePtr) {
        guard node.pointee.type == XML_ELEMENT_NODE else { return }
        let name = node.qualifiedName
        if isHTML ? Self.voidElements.contains(name) : node.pointee.children == nil { return }
        append("</\(name)>")
    }

    private mutating func writeText(of node: xmlNodePtr) {
        if isHTML, let parent = node.pointee.parent,
            Self.rawTextElements.contains(String(xml: parent.pointee.name) ?? "")
        {
            bytes.append(xml: node.pointee.content)
        } else {
            appendEscaped(node.pointee.content, inAttribute: false)
        }
    }

    private mutating func appendEscaped(_ characters: UnsafePointer<xmlChar>?, inAttribute: Bool) {
        guard let characters else { return }
        for byte in UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))) {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<") where !inAttribute || !isHTML: append("&lt;")
            case UInt8(ascii: ">") where !inAttribute || !isHTML: append("&gt;")
            case UInt8(ascii: "\"") where inAttribute: append("&quot;")
            case 0x09, 0x0A, 0x0D:
                // XML turns a bare line end or tab in an attribute into a space.
                if inAttribute && !isHTML { append("&#\(byte);") } else { bytes.append(byte) }
            default: bytes.append(byte)
            }
        }
    }

    private mutating func append(_ before: String, _ characters: UnsafePointer<xmlChar>?, _ after: String) {
        append(before)
        bytes.append(xml: characters)
        append(after)
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Returns the declarations of a node's ancestors that are in force at the node.
    private static func inheritedNamespaces(of node: xmlNodePtr) -> [xmlNsPtr] {
        var prefixes = Set(node.namespaceDeclarations.map { String(xml: $0.pointee.prefix) })
        var found: [xmlNsPtr] = []
        var ancestor = node.pointee.parent
        while let current = ancestor {
            for declaration in current.namespaceDeclarations
            where prefixes.insert(String(xml: declaration.pointee.prefix)).inserted {
                found.append(declaration)
            }
            ancestor = current.pointee.parent
        }
        return found
    }
}

extension UnsafeMutablePointer where Pointee == xmlNs {
    /// The name of the attribute that makes the declaration: `xmlns` or `xmlns:media`.
    var qualifiedName: String {
        String(xml: pointee.prefix).map { "xmlns:\($0)" } ?? "xmlns"
    }
}
