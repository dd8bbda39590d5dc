import ProviderModel

/// The tokens of a JavaScript text with their places.
///
/// Nothing is run: text in, places out.
struct SourceTokens: Sendable {
    /// One token.
    struct Token: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case name
            case string
            /// A template, whole, with what is filled in.
            case template
            case number
            case regularExpression
            case sign
        }

        let kind: Kind
        /// A string's content without quotes and escapes as they stand; of anything else its text.
        let text: String
        let line: Int
        let column: Int
    }

    /// In order, without comments and space.
    let tokens: [Token]

    init(_ text: String) {
        var reader = TokenReader(Array(text.unicodeScalars))
        tokens = reader.all()
    }
}

private struct TokenReader {
    private let text: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var tokens: [SourceTokens.Token] = []

    init(_ text: [Unicode.Scalar]) { self.text = text }

    mutating func all() -> [SourceTokens.Token] {
        while position < text.count { next() }
        return tokens
    }

    private mutating func next() {
        let start = (position: position, line: line, column: position - lineStart + 1)
        let scalar = text[position]
        func add(_ kind: SourceTokens.Token.Kind, _ reader: inout TokenReader, from: Int, to: Int) {
            let view = String.UnicodeScalarView(reader.text[from..<max(from, to)])
            reader.tokens.append(.init(kind: kind, text: String(view), line: start.line, column: start.column))
        }
        switch scalar {
        case "\n", " ", "\t", "\r", "\u{feff}": advance()
        case "/" where peek(1) == "/": while position < text.count, text[position] != "\n" { advance() }
        case "/" where peek(1) == "*":
            advance(2)
            while position < text.count, !(text[position] == "*" && peek(1) == "/") { advance() }
            advance(2)
        case "'", "\"":
            skipString(scalar)
            add(.string, &self, from: start.position + 1, to: position - 1)
        case "`":
            skipTemplate()
            add(.template, &self, from: start.position + 1, to: position - 1)
        case "/" where beginsExpression:
            skipExpression()
            add(.regularExpression, &self, from: start.position, to: position)
        case _ where scalar.isNameStart:
            while position < text.count, text[position].isNamePart { advance() }
            add(.name, &self, from: start.position, to: position)
        case _ where scalar.properties.numericType != nil:
            while position < text.count, text[position].isNamePart || text[position] == "." { advance() }
            add(.number, &self, from: start.position, to: position)
        case "." where peek(1) == "." && peek(2) == ".":
            advance(3)
            add(.sign, &self, from: start.position, to: position)
        case "=" where peek(1) == ">", "?" where peek(1) == ".", "?" where peek(1) == "?":
            advance(2)
            add(.sign, &self, from: start.position, to: position)
        default:
            advance()
            add(.sign, &self, from: start.position, to: position)
        }
    }

    /// Whether a slash here begins a regular expression: what stands before is no value.
    private var beginsExpression: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .name: return ["return", "typeof", "case", "in", "of", "yield", "delete", "void"].contains(last.text)
        case .sign: return ![")", "]", "}"].contains(last.text)
        default: return false
        }
    }

    private mutating func skipString(_ quote: Unicode.Scalar) {
        advance()
        while position < text.count, text[position] != quote, text[position] != "\n" {
            advance(text[position] == "\\" ? 2 : 1)
        }
        advance()
    }

    private mutating func skipTemplate() {
        advance()
        var depth = 0
        while position < text.count {
            let scalar = text[position]
            if scalar == "\\" { advance(2); continue }
            if depth == 0, scalar == "`" { break }
            if scalar == "$", peek(1) == "{" { depth += 1; advance(2); continue }
            if depth > 0, scalar == "`" { skipTemplate(); continue }
            if depth > 0, scalar == "{" { depth += 1 }
            if depth > 0, scalar == "}" { depth -= 1 }
            advance()
        }
        advance()
    }

    private mutating func skipExpression() {
        advance()
        var isInClass = false
        while position < text.count, text[position] != "\n" {
            let scalar = text[position]
            if scalar == "\\" { advance(2); continue }
            if scalar == "[" { isInClass = true }
            if scalar == "]" { isInClass = false }
            advance()
            if scalar == "/", !isInClass { break }
        }
        while position < text.count, text[position].isNamePart { advance() }
    }

    private func peek(_ ahead: Int) -> Unicode.Scalar? { position + ahead < text.count ? text[position + ahead] : nil }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < text.count {
            if text[position] == "\n" {
                line += 1
                lineStart = position + 1
            }
            position += 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isNameStart: Bool { properties.isAlphabetic || self == "_" || self == "$" || self == "#" }
    fileprivate var isNamePart: Bool { isNameStart || properties.numericType != nil || self == "\u{200d}" }
}
