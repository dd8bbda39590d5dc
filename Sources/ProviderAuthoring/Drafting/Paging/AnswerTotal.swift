import ProviderModel

/// How many images there are in all, as an answer says beside its list.
struct AnswerTotal: Sendable {
    /// Its expression over `res`.
    let expression: String
    /// Where it stands.
    let path: FieldPath
    /// How many that is; nil for more than can be counted.
    let count: Int?

    private static let names = [
        "totalhits", "totalresults", "totalcount", "totalitems", "total", "count", "numfound", "nbhits", "hitcount",
        "found", "recordcount", "hits", "totalrecords", "numberofresults", "estimatedtotal", "resultcount", "rowcount",
    ]

    /// The likeliest number around a list; nil where none is called so.
    init?(in answer: JSONValue, around list: AnswerList) {
        let fields = list.fieldsAround(in: answer).filter { field in
            Set(field.path.names.flatMap { NameWords($0).words }).isDisjoint(with: [
                "pages", "facets", "facet", "aggregations", "time", "took", "ratelimit",
            ])
        }
        let candidates = fields.compactMap { field -> (path: FieldPath, value: JSONValue, rank: Int)? in
            let own = NameWords(field.path.name).joined
            let key = own == "value" || own == "relation" ? NameWords(field.path.parent.name).joined : own
            guard let rank = Self.names.firstIndex(of: key), let number = field.value.positiveNumber,
                number >= Double(list.items.count)
            else { return nil }
            // `count` is as often the number of items on the page.
            if key == "count" || key == "hits" || key == "resultcount", number == Double(list.items.count) {
                return nil
            }
            return (field.path, field.value, rank + field.path.steps.count * 4)
        }
        guard let best = candidates.min(by: { $0.rank < $1.rank }) else { return nil }
        path = best.path
        count = best.value.positiveNumber.flatMap { Int(exactly: $0) }
        let expression = best.path.expression(from: "res.json")
        self.expression = best.value.textValue == nil ? expression : "Number(\(expression))"
    }
}

extension AnswerList {
    /// Fields outside the list, the nearest to the top first.
    func fieldsAround(in answer: JSONValue) -> [(path: FieldPath, value: JSONValue)] {
        var found: [(path: FieldPath, value: JSONValue)] = []
        func collect(_ value: JSONValue, _ path: FieldPath) {
            guard path != self.path, path.steps.count < 5 else { return }
            if let members = value.members {
                for member in members { collect(member.value, path.appending(.name(member.name))) }
            } else if let first = value.elements?.first, first.members != nil {
                collect(first, path.appending(.first))
            } else if value.elements == nil, value != .null {
                found.append((path, value))
            }
        }
        if form != .single { collect(answer, FieldPath()) }
        return found.sorted { $0.path.steps.count < $1.path.steps.count }
    }
}
