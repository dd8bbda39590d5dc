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

/// Why a document cannot be parsed or queried.
struct DocumentError: Error, Equatable, CustomStringConvertible {
    /// The kind of a failure.
    enum Code: Sendable {
        /// The markup is not well formed.
        case malformed
        /// The document is too large or too deeply nested, or an expression takes too long.
        case limitExceeded
        /// The XPath expression is not valid, or names an unknown prefix or function.
        case expressionInvalid
        /// The handle belongs to a document that was removed.
        case documentGone
    }

    let code: Code
    let message: String
    /// The URL of the document, where the error concerns one.
    let url: String?
    /// The line of the error.
    let line: Int?

    init(_ code: Code, message: String, url: String? = nil, line: Int? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.line = line
    }

    var description: String {
        var place = url ?? ""
        if let line { place += place.isEmpty ? "line \(line)" : ":\(line)" }
        return place.isEmpty ? message : "\(place): \(message)"
    }

    static let gone = DocumentError(.documentGone, message: "this document belongs to the response of an earlier call")
}
