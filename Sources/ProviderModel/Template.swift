/// A text with names in braces that stand for values.
public struct Template: Hashable, Sendable {
    /// Literal text and names, in order.
    package enum Part: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    package let parts: [Part]

    /// Parses a template.
    ///
    /// - Parameter text: text with names in braces, such as `{author.name}`: letters, digits and `_.-[]`. Other braces are
    ///   literal text.
    public init(_ text: String) {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "}"),
                inside[..<close].allSatisfy({ $0.isLetter || $0.isNumber || "_.-[]".contains($0) }),
                close > inside.startIndex
            else {
                literal += rest[...open]
                rest = inside
                continue
            }
            literal += rest[..<open]
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            parts.append(.placeholder(String(inside[..<close])))
            rest = inside[inside.index(after: close)...]
        }
        literal += rest
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// The names, in order, repeated where the text repeats them.
    public var placeholders: [String] {
        parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }

    /// Replaces the names.
    ///
    /// - Parameter value: returns the text for a name; nil counts as empty.
    /// - Returns: the text with every name replaced.
    public func filled(with value: (String) -> String?) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .placeholder(let name): value(name) ?? ""
            }
        }.joined()
    }
}
