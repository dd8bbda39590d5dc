import ProviderModel
import ProviderRuntime

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
