import ProviderModel

/// One change to an answer's body, as sources make them from one day to the next.
struct AnswerMutation: Hashable, Sendable {
    /// What kind of change.
    enum Kind: String, Sendable, CaseIterable {
        case missing
        case null
        case otherType
        case emptyList
        case truncated
        case replaced
    }

    /// What kind of change.
    var kind: Kind
    /// `$.hits[].user missing`.
    var label: String
    /// The body with the change.
    var body: [UInt8]
    /// Whether it is a truth value that changed its type: scripts rightly take what is not empty for true.
    var isOfFlag = false

    /// Whether the answer says something else than before, rather than the same of nothing.
    ///
    /// null and an empty list are how sources say “none”; a field that is gone, or is of another type, says nothing.
    var isAnotherShape: Bool {
        switch kind {
        case .missing: true
        case .otherType: !isOfFlag
        case .replaced: body == Array("{}".utf8)
        case .null, .emptyList, .truncated: false
        }
    }

    /// Changes to a body, in an order made by chance; at most `count`.
    static func some(_ count: Int, of body: [UInt8], by chance: inout SeededChance) -> [AnswerMutation] {
        var mutations: [AnswerMutation] = wholeBody(body)
        if let json = JSONValue.found(in: body) {
            mutations += JSONMutations(of: json).some(count * 2, by: &chance)
        } else {
            mutations += MarkupMutations(of: body).some(count * 2, by: &chance)
        }
        return Array(mutations.filter { $0.body != body }.shuffled(using: &chance).prefix(count))
    }

    /// Changes that need no structure.
    private static func wholeBody(_ body: [UInt8]) -> [AnswerMutation] {
        [
            AnswerMutation(kind: .truncated, label: "the first half alone", body: Array(body.prefix(body.count / 2))),
            AnswerMutation(
                kind: .truncated, label: "without the last tenth", body: Array(body.prefix(body.count * 9 / 10))),
            AnswerMutation(kind: .truncated, label: "nothing at all", body: []),
            AnswerMutation(kind: .replaced, label: "null alone", body: Array("null".utf8)),
            AnswerMutation(kind: .replaced, label: "an empty object", body: Array("{}".utf8)),
            AnswerMutation(kind: .replaced, label: "an empty list", body: Array("[]".utf8)),
            AnswerMutation(kind: .replaced, label: "a text alone", body: Array("\"temporarily unavailable\"".utf8)),
        ]
    }
}
