import ProviderModel
import ProviderRuntime

/// One change to a response's body, as sources make them over time.
struct AnswerMutation: Hashable, Sendable {
    /// The kind of a change.
    enum Kind: String, Sendable, CaseIterable {
        case missing
        case null
        case otherType
        case emptyList
        case truncated
        case replaced
    }

    /// The kind of the change.
    var kind: Kind
    /// `$.hits[].user missing`.
    var label: String
    /// The body with the change.
    var body: [UInt8]
    /// Whether a Boolean changed its type: scripts rightly treat any non-empty value as true.
    var isOfFlag = false

    /// Whether the answer says something else than before, rather than the same of nothing.
    ///
    /// null and an empty list are how sources say "none"; a field that is gone, or is of another type, says nothing.
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
            AnswerMutation(kind: .truncated, label: "nothing", body: []),
            AnswerMutation(kind: .replaced, label: "null alone", body: Array("null".utf8)),
            AnswerMutation(kind: .replaced, label: "an empty object", body: Array("{}".utf8)),
            AnswerMutation(kind: .replaced, label: "an empty list", body: Array("[]".utf8)),
            AnswerMutation(kind: .replaced, label: "a text alone", body: Array("\"temporarily unavailable\"".utf8)),
        ]
    }
}

// MARK: - Random numbers

/// Random numbers that are equal in every run with one seed (SplitMix64).
struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

// MARK: - JSON

/// Changes to the fields of a JSON answer: each field once, however many elements its list has.
struct JSONMutations {
    /// A step from a value to one inside it; `nil` is every element of a list.
    private typealias Path = [String?]

    private let json: JSONValue
    private let places: [(path: Path, sample: JSONValue)]

    init(of json: JSONValue) {
        self.json = json
        var seen: Set<Path> = []
        var places: [(Path, JSONValue)] = []
        Self.collect(json, at: [], &seen, &places)
        self.places = places
    }

    /// Changes chosen by chance.
    func some(_ count: Int, by chance: inout SeededChance) -> [AnswerMutation] {
        let choices = places.flatMap { place in
            kinds(for: place.sample).map { (place.path, place.sample, $0) }
        }
        return choices.shuffled(using: &chance).prefix(count).map { path, sample, kind in
            let isForFirst = Bool.random(using: &chance) && path.contains(nil)
            let replacement = replacement(for: sample, kind, by: &chance)
            let changed = Self.changing(json, at: path[...], onlyFirst: isForFirst) { _ in replacement } ?? .null
            let word = replacement.map { "is \($0.compact)" } ?? "missing"
            return AnswerMutation(
                kind: kind, label: "\(Self.text(of: path)) \(word)\(isForFirst ? " in the first element" : "")",
                body: Array(changed.compact.utf8), isOfFlag: sample.kind == "boolean")
        }
    }

    /// A JSON text with one field gone, wherever it occurs: what a source that drops a field would send.
    static func removing(_ path: String, from json: JSONValue) -> JSONValue? {
        guard let place = JSONMutations(of: json).places.first(where: { text(of: $0.path) == path }) else { return nil }
        return changing(json, at: place.path[...], onlyFirst: false) { _ in nil }
    }

    private func kinds(for sample: JSONValue) -> [AnswerMutation.Kind] {
        sample.kind == "array" ? [.missing, .null, .otherType, .emptyList] : [.missing, .null, .otherType]
    }

    private func replacement(for sample: JSONValue, _ kind: AnswerMutation.Kind, by chance: inout SeededChance)
        -> JSONValue?
    {
        switch kind {
        case .null: return .null
        case .emptyList: return .array([])
        case .otherType:
            let others: [JSONValue] =
                switch sample {
                case .text: [.number("7"), .object([]), .array([]), .boolean(true)]
                case .number: [.text("seven"), .object([]), .boolean(false)]
                case .boolean: [.text("maybe"), .number("2")]
                case .array: [.object([]), .text("none"), .number("0")]
                case .object: [.text("none"), .array([]), .number("0")]
                case .null: [.text("some"), .number("7")]
                }
            return others.randomElement(using: &chance)
        default: return nil
        }
    }

    private static func collect(
        _ json: JSONValue, at path: Path, _ seen: inout Set<Path>, _ places: inout [(Path, JSONValue)]
    ) {
        if !path.isEmpty, path.last != .some(nil), seen.insert(path).inserted { places.append((path, json)) }
        switch json {
        case .object(let members):
            for member in members { collect(member.value, at: path + [member.name], &seen, &places) }
        case .array(let values): for value in values.prefix(5) { collect(value, at: path + [nil], &seen, &places) }
        default: break
        }
    }

    private static func changing(
        _ json: JSONValue, at path: ArraySlice<String?>, onlyFirst: Bool, _ change: (JSONValue) -> JSONValue?
    ) -> JSONValue? {
        guard let step = path.first else { return change(json) }
        let rest = path.dropFirst()
        switch (json, step) {
        case (.object(let members), let name?):
            return .object(
                members.compactMap { member in
                    guard member.name == name else { return member }
                    return changing(member.value, at: rest, onlyFirst: onlyFirst, change).map {
                        JSONValue.Member(name, $0)
                    }
                })
        case (.array(let values), nil):
            return .array(
                values.enumerated().compactMap { index, value in
                    onlyFirst && index > 0 ? value : changing(value, at: rest, onlyFirst: onlyFirst, change)
                })
        default: return json
        }
    }

    private static func text(of path: Path) -> String { path.reduce("$") { $0 + ($1?.asPathStep ?? "[]") } }
}

// MARK: - HTML and XML

/// Changes to an HTML or XML answer: attributes and elements that go, or become empty.
struct MarkupMutations {
    private let text: String
    private let attributes: [String]
    private let elements: [String]

    init(of body: [UInt8]) {
        let text = String(decoding: body, as: UTF8.self)
        self.text = text
        var attributes: [String] = [], elements: [String] = []
        for tag in Self.tags(in: text) {
            if !elements.contains(tag.name), !["html", "body", "head"].contains(tag.name) { elements.append(tag.name) }
            for name in tag.attributes where !attributes.contains(name) { attributes.append(name) }
        }
        self.attributes = attributes
        self.elements = elements
    }

    /// Changes chosen by chance.
    func some(_ count: Int, by chance: inout SeededChance) -> [AnswerMutation] {
        var mutations: [AnswerMutation] = []
        for name in attributes {
            mutations.append(
                AnswerMutation(
                    kind: .missing, label: "the attribute \(name) missing",
                    body: Array(replacing(" \(name)=", with: " data-was-\(name)=").utf8)))
            mutations.append(
                AnswerMutation(kind: .null, label: "the attribute \(name) empty", body: Array(emptied(name).utf8)))
        }
        for name in elements {
            let opened = replacing("<\(name)", with: "<was-\(name)", unless: \.isNameCharacter)
            let body = opened.replacing("</\(name)>", with: "</was-\(name)>")
            // A feed without entries is how feeds say "none".
            let kind: AnswerMutation.Kind = ["item", "entry"].contains(name) ? .emptyList : .missing
            mutations.append(AnswerMutation(kind: kind, label: "the element \(name) missing", body: Array(body.utf8)))
        }
        return Array(mutations.shuffled(using: &chance).prefix(count))
    }

    private func replacing(_ old: String, with new: String) -> String { text.replacing(old, with: new) }

    private func replacing(_ old: String, with new: String, unless continues: (Character) -> Bool) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: old) {
            result += rest[..<range.lowerBound]
            let isWhole = rest[range.upperBound...].first.map { !continues($0) } ?? true
            result += isWhole ? new : old
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// The text with every value of an attribute taken out.
    private func emptied(_ name: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: " \(name)=\"") {
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...].drop { $0 != "\"" }
        }
        return result + rest
    }

    private struct Tag {
        var name: String
        var attributes: [String]
    }

    private static func tags(in text: String) -> [Tag] {
        text.split(separator: "<").dropFirst().compactMap { part in
            guard part.first?.isLetter == true else { return nil }
            let name = String(part.prefix(while: \.isNameCharacter))
            let inside = part.dropFirst(name.count).prefix { $0 != ">" }
            let names = inside.split(separator: "=").dropLast().compactMap { piece -> String? in
                let word = piece.split(separator: " ").last.map(String.init) ?? ""
                return !word.isEmpty && word.allSatisfy(\.isNameCharacter) ? word : nil
            }
            return Tag(name: name, attributes: names)
        }
    }
}

extension Character {
    fileprivate var isNameCharacter: Bool {
        isASCII && (isLetter || isNumber || self == "-" || self == ":" || self == "_")
    }
}
