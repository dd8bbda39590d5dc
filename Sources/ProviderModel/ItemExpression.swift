/// What stands in the braces of a template, wherever templates are used: `title`, `title|id`, `title|'untitled'`,
/// `title:slug:60`.
///
/// Filters at the end are for all alternatives, those before a `|` for theirs alone: `created:yyyy|'no date'`.
package struct ItemExpression: Hashable, Sendable {
    /// Why a template's expression is not valid.
    package enum Fault: Error, Hashable {
        case field(String)
        case filter(String)

        /// What was found and what was expected.
        package var message: String {
            switch self {
            case .field(let name):
                "unknown field \(name.quoted)\(name.suggestion(among: ItemField.names, expected: ItemField.choices))"
            case .filter(let name):
                "unknown filter \(name.quoted)\(name.suggestion(among: ValueFilter.names, expected: ValueFilter.choices))"
            }
        }
    }

    private enum Choice: Hashable, Sendable {
        case field(ItemField, [ValueFilter])
        case text(String)
    }

    private let choices: [Choice]
    private let filters: [ValueFilter]

    /// Reads what stands between two braces.
    package init(_ text: some StringProtocol) throws(Fault) {
        var alternatives = Self.split(Substring(text), at: "|")
        var last = Self.split(alternatives.removeLast(), at: ":")[...]
        let lastName = last.removeFirst()
        var choices: [Choice] = []
        for alternative in alternatives {
            var pieces = Self.split(alternative, at: ":")[...]
            let name = pieces.removeFirst()
            choices.append(try Self.choice(name, try Self.filters(pieces)))
        }
        choices.append(try Self.choice(lastName, []))
        self.choices = choices
        filters = try Self.filters(last)
    }

    /// The fields it may show.
    package var fields: [ItemField] {
        choices.compactMap { if case .field(let field, _) = $0 { field } else { nil } }
    }

    /// The first of the alternatives that says something and of which its filters leave something.
    package func value(of subject: ItemSubject) -> String? { found(in: subject)?.text }

    /// The value, and the field that it comes from; nil for a text of the user's own.
    package func found(in subject: ItemSubject) -> (text: String, field: ItemField?)? {
        for choice in choices {
            switch choice {
            case .text(let text): return (text, nil)
            case .field(let field, let own):
                guard let value = field.value(of: subject), let changed = Self.apply(own + filters, to: value) else {
                    continue
                }
                return (changed, field)
            }
        }
        return nil
    }

    private static func apply(_ filters: [ValueFilter], to value: String) -> String? {
        var value = value
        for filter in filters {
            guard let changed = filter.applied(to: value), !changed.isEmpty else { return nil }
            value = changed
        }
        return value
    }

    private static func filters(_ pieces: ArraySlice<Substring>) throws(Fault) -> [ValueFilter] {
        var filters: [ValueFilter] = []
        for piece in pieces {
            let name = piece.trimmingSpaces
            guard let filter = ValueFilter(name) else { throw .filter(name) }
            filters.append(filter)
        }
        return filters
    }

    private static func choice(_ text: Substring, _ filters: [ValueFilter]) throws(Fault) -> Choice {
        let name = text.trimmingSpaces
        if name.count >= 2, name.hasPrefix("'"), name.hasSuffix("'") {
            return .text(String(name.dropFirst().dropLast()))
        }
        guard let field = ItemField(name) else { throw .field(name) }
        return .field(field, filters)
    }

    /// The pieces between separators; one that stands in a text of the user's own is part of that.
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var isText = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "'" { isText.toggle() }
            return character == separator && !isText
        }
    }
}
