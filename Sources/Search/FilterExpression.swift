import ProviderModel

/// A condition on the fields of an item: `width >= 2000 and license != "cc0" and tags contains "cat"`.
///
/// Fields have the names of templates. A comparison with an unknown value is false; `!=` is the opposite of `=`, and a field
/// alone is true where its value is known. Texts are compared in any case.
///
/// ```swift
/// var options = SearchOptions()
/// options.filter.expression = try FilterExpression(#"width > 2000 and not (title contains "cat")"#)
/// ```
public struct FilterExpression: Hashable, Sendable {
    /// Why a text is not an expression.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// What was found and what was expected.
        public let description: String
    }

    enum Operator: String, CaseIterable, Sendable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case contains

        var isOrdering: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
    }

    enum Value: Hashable, Sendable {
        case text(String)
        case number(Double)
        case date(FilterDate)
    }

    indirect enum Node: Hashable, Sendable {
        case all([Node])
        case any([Node])
        case not(Node)
        case isKnown(ItemField)
        case comparison(ItemField, Operator, Value)
    }

    /// The expression as it was written.
    public let text: String
    private let root: Node

    /// Parses an expression.
    ///
    /// - Parameter text: comparisons of a field with a value (`=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`), joined by `and`,
    ///   `or`, `not` and parentheses.
    /// - Throws: ``Fault`` when `text` is not an expression.
    public init(_ text: String) throws(Fault) {
        self.text = text.trimmingSpaces
        var parser = FilterExpressionParser(text)
        root = try parser.parse()
    }

    /// Whether the expression is true of an item.
    func isTrue(of item: Item) -> Bool { isTrue(of: ItemSubject(item)) }

    /// Whether the expression is true of an item with its file, or of a file alone.
    func isTrue(of subject: ItemSubject) -> Bool { root.isTrue(of: subject) }

    /// Whether a file's URL says all that the expression asks for.
    var asksOnlyAddress: Bool { root.asksOnlyAddress }
}

// MARK: - Evaluation

extension FilterExpression.Node {
    func isTrue(of subject: ItemSubject) -> Bool {
        switch self {
        case .all(let nodes): nodes.allSatisfy { $0.isTrue(of: subject) }
        case .any(let nodes): nodes.contains { $0.isTrue(of: subject) }
        case .not(let node): !node.isTrue(of: subject)
        case .isKnown(let field): field.value(of: subject) != nil
        case .comparison(let field, .notEqual, let value): !Self.holds(field, .equal, value, of: subject)
        case .comparison(let field, let comparison, let value): Self.holds(field, comparison, value, of: subject)
        }
    }

    var asksOnlyAddress: Bool {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.allSatisfy(\.asksOnlyAddress)
        case .not(let node): node.asksOnlyAddress
        case .isKnown(let field), .comparison(let field, _, _): field.isOfAddress
        }
    }

    private static func holds(
        _ field: ItemField, _ comparison: FilterExpression.Operator, _ value: FilterExpression.Value,
        of subject: ItemSubject
    ) -> Bool {
        guard let found = field.value(of: subject) else { return false }
        switch value {
        case .date(let date): return FilterDate(iso8601: found).map { holds($0, comparison, date) } ?? false
        case .number(let number): return Double(found).map { holds($0, comparison, number) } ?? false
        case .text(let text):
            // A list has its elements; no other field is joined.
            if let list = field.list(of: subject) { return list.contains { $0.lowercased() == text.lowercased() } }
            if comparison == .contains { return found.lowercased().holds(text.lowercased()) }
            return field.isLicense ? ItemFilter.isLicense(found, text) : found.lowercased() == text.lowercased()
        }
    }

    private static func holds(_ found: Double, _ comparison: FilterExpression.Operator, _ value: Double) -> Bool {
        switch comparison {
        case .equal, .notEqual, .contains: found == value
        case .less: found < value
        case .lessOrEqual: found <= value
        case .greater: found > value
        case .greaterOrEqual: found >= value
        }
    }

    /// A year is equal to each of its days, and neither before nor after them.
    private static func holds(
        _ found: FilterDate, _ comparison: FilterExpression.Operator, _ value: FilterDate
    ) -> Bool {
        switch comparison {
        case .equal, .notEqual, .contains: found.first <= value.last && found.last >= value.first
        case .less: found.last < value.first
        case .lessOrEqual: found.first <= value.last
        case .greater: found.first > value.last
        case .greaterOrEqual: found.last >= value.first
        }
    }
}

extension ItemField {
    fileprivate var isLicense: Bool { self == .named("license") || self == .named("license.id") }

    /// Whether a file's URL says it.
    fileprivate var isOfAddress: Bool {
        ["url", "host", "name", "id", "provider"].contains { self == .named($0) }
    }

    fileprivate func list(of subject: ItemSubject) -> [String]? {
        switch self {
        case .named("tags"): subject.item?.tags
        case .named("colors"): subject.item?.colors
        default: nil
        }
    }
}

// MARK: - Parsing

/// Reads the text of a ``FilterExpression``, by recursive descent.
private struct FilterExpressionParser {
    typealias Node = FilterExpression.Node
    typealias Operator = FilterExpression.Operator

    private enum Token: Equatable {
        case word(String)
        case quoted(String)
        case symbol(String)

        var text: String {
            switch self {
            case .word(let text), .symbol(let text): text
            case .quoted(let text): text.quoted
            }
        }
    }

    private let whole: String
    private var rest: Substring
    private var next: Token?
    private var depth = 0

    init(_ text: String) {
        whole = text
        rest = text[...]
    }

    mutating func parse() throws(FilterExpression.Fault) -> Node {
        try advance()
        guard next != nil else { throw fault("empty (expected a comparison such as width >= 2000)") }
        let node = try alternatives()
        if let next { throw fault("unexpected \(shown(next)) (expected and, or, or the end)") }
        return node
    }

    private mutating func alternatives() throws(FilterExpression.Fault) -> Node {
        var nodes = [try conjunction()]
        while try takes("or") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func conjunction() throws(FilterExpression.Fault) -> Node {
        var nodes = [try condition()]
        while try takes("and") { nodes.append(try condition()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func condition() throws(FilterExpression.Fault) -> Node {
        // Each level is a few frames of the stack.
        guard depth < 64 else { throw fault("nested too deeply (expected at most 64 levels)") }
        depth += 1
        defer { depth -= 1 }
        if try takes("not") { return .not(try condition()) }
        guard next == .symbol("(") else { return try comparison() }
        try advance()
        let node = try alternatives()
        guard next == .symbol(")") else { throw fault("( without )") }
        try advance()
        return node
    }

    private mutating func comparison() throws(FilterExpression.Fault) -> Node {
        guard case .word(let name)? = next else {
            throw fault("expected a field, found \(next.map(shown) ?? "the end")")
        }
        guard let field = ItemField(name), field != .named("index") else {
            let names = ItemField.names.filter { $0 != "index" }
            throw fault("unknown field \(name.quoted)\(name.suggestion(among: names, expected: ItemField.choices))")
        }
        try advance()
        guard let comparison = takenOperator else { return .isKnown(field) }
        try advance()
        return .comparison(field, comparison, try value(for: field, comparison))
    }

    private var takenOperator: Operator? {
        switch next {
        case .symbol(let text): text == "==" ? .equal : Operator(rawValue: text)
        case .word(let text): text.lowercased() == Operator.contains.rawValue ? .contains : nil
        case .quoted, nil: nil
        }
    }

    private mutating func value(
        for field: ItemField, _ comparison: Operator
    ) throws(FilterExpression.Fault) -> FilterExpression.Value {
        let text: String
        switch next {
        case .word(let word): text = word
        case .quoted(let quoted): text = quoted
        case .symbol, nil:
            throw fault("expected a value after \(comparison.rawValue), found \(next.map(shown) ?? "the end")")
        }
        let token = next
        try advance()
        if comparison == .contains { return .text(text) }
        if field == .named("created") {
            guard let date = FilterDate(text) else {
                throw fault("created: invalid date \(text.quoted) (expected a date such as 2026-05-01, or 7d)")
            }
            return .date(date)
        }
        if case .word = token, let number = Double(text), number.isFinite { return .number(number) }
        guard !comparison.isOrdering else {
            throw fault("expected a number after \(comparison.rawValue), found \(token.map(shown) ?? "")")
        }
        return .text(text)
    }

    private mutating func takes(_ keyword: String) throws(FilterExpression.Fault) -> Bool {
        guard case .word(let word)? = next, word.lowercased() == keyword else { return false }
        try advance()
        return true
    }

    private mutating func advance() throws(FilterExpression.Fault) {
        rest = rest.drop(while: \.isWhitespace)
        guard let first = rest.first else {
            next = nil
            return
        }
        if first == "\"" || first == "'" {
            next = .quoted(try quotedText(until: first))
        } else if let symbol = ["!=", "<=", ">=", "==", "=", "<", ">", "(", ")"].first(where: rest.hasPrefix) {
            rest = rest.dropFirst(symbol.count)
            next = .symbol(symbol)
        } else {
            let word = rest.prefix { !$0.isWhitespace && !"=<>!()\"'".contains($0) }
            guard !word.isEmpty else { throw fault("unexpected \(String(first).quoted)") }
            rest = rest[word.endIndex...]
            next = .word(String(word))
        }
    }

    /// A text in quotes; `\` takes the next character as it is.
    private mutating func quotedText(until quote: Character) throws(FilterExpression.Fault) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            if character == quote { return text }
            if character == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(character) }
        }
        throw fault("a quote is not closed")
    }

    private func shown(_ token: Token) -> String {
        if case .quoted = token { token.text } else { token.text.quoted }
    }

    private func fault(_ what: String) -> FilterExpression.Fault {
        FilterExpression.Fault(description: "invalid filter \(whole.quoted): \(what)")
    }
}

extension FilterExpression: Encodable {
    /// Encodes the expression as it was written.
    ///
    /// - Parameter encoder: receives ``text``.
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
