/// A number that stands for one node of one document, for code that must not hold a pointer.
///
/// The number carries the generation of the `DocumentStore` that gave it, so that a handle kept past the end of a
/// call is recognised, and it fits the 53 bits that a JavaScript number holds exactly.
struct NodeHandle: Hashable, Sendable {
    static let indexBits = 26
    static let generationLimit = 1 << 27

    let rawValue: Int

    /// Takes a number back from a script; `DocumentStore` decides whether it stands for anything.
    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(index: Int, generation: Int) {
        rawValue = generation << Self.indexBits | index
    }

    var index: Int { rawValue & (1 << Self.indexBits - 1) }
    var generation: Int { rawValue >> Self.indexBits }
}

/// The kinds of node a handle can stand for.
enum NodeType: Sendable {
    case element, document
}

/// The value of an XPath expression.
enum XPathResult: Hashable, Sendable {
    case nodes([XPathNode])
    case string(String)
    case number(Double)
    case boolean(Bool)
}

/// One member of an XPath node set.
enum XPathNode: Hashable, Sendable {
    /// An element or the document itself.
    case node(NodeHandle)
    /// The value of a text, attribute, comment or namespace node.
    case string(String)
}

/// An attribute of an element, named as written in the document.
struct NodeAttribute: Hashable, Sendable {
    let name: String
    let value: String
}
