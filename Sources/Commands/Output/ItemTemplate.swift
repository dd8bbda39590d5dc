import ProviderModel

/// A line of the user's own: literal text and `{fields}`; in braces stands what names of files have there, too.
///
/// `\n`, `\t`, `\0` and `\\` are what they are in C; `\{` is a brace.
struct ItemTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case literal(String)
        case value(ItemExpression)
    }

    private let parts: [Part]

    /// Reads a template; a field that items do not have, or a filter that there is not, is an error.
    init(_ text: String) throws {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\": literal += Self.unescape(&rest)
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    let found = "invalid template \(text.quoted): { without }"
                    throw OutputError(.unknownFormat, "\(found) (\\{ is a literal brace)")
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                do throws(ItemExpression.Fault) { parts.append(.value(try ItemExpression(rest[..<end]))) } catch {
                    throw OutputError(.unknownField, "invalid template \(text.quoted): \(error.message)")
                }
                rest = rest[rest.index(after: end)...]
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// The text for an item and its number, from 1; `clean` is applied to its values, not to the literals.
    func filled(from item: Item, at index: Int = 1, cleaning clean: (String) -> String) -> String {
        let subject = ItemSubject(item, at: index)
        return parts.map { part in
            switch part {
            case .literal(let text): text
            case .value(let expression): expression.value(of: subject).map(clean) ?? ""
            }
        }.joined()
    }

    /// Whether it has the address of a file.
    var namesFiles: Bool {
        parts.contains { part in
            guard case .value(let expression) = part else { return false }
            return expression.fields.contains { field in
                if case .media(_, "url") = field { true } else { field == .named("url") }
            }
        }
    }

    /// Whether the template itself ends each item.
    var endsItem: Bool {
        guard case .literal(let text) = parts.last else { return false }
        return text.last == "\n" || text.last == "\0"
    }

    private static func unescape(_ rest: inout Substring) -> String {
        guard let next = rest.popFirst() else { return "\\" }
        switch next {
        case "n": return "\n"
        case "t": return "\t"
        case "0": return "\0"
        case "\\", "{", "}": return String(next)
        default: return "\\" + String(next)
        }
    }
}
