import ProviderModel
import ProviderRuntime

/// Which fields a JSON text has, wherever in its lists: their paths, kinds, and whether all of a list have them.
struct JSONShape: Sendable {
    /// What is known of one path.
    struct Field: Hashable, Sendable {
        /// The kinds of value seen, as JSON Schema names them.
        var kinds: Set<String> = []
        /// How often it was there.
        var count = 0
    }

    /// By path: `$.hits[].user`.
    private(set) var fields: [String: Field] = [:]
    /// The paths in the order they came.
    private(set) var order: [String] = []

    init(of values: [JSONValue]) { for value in values { add(value, at: "$") } }

    /// The path of what holds a field: `$.hits[]` of `$.hits[].user`.
    static func parent(of path: String) -> String {
        if path.hasSuffix("[]") { return String(path.dropLast(2)) }
        if path.hasSuffix("']"), let start = path.ranges(of: "['").last { return String(path[..<start.lowerBound]) }
        return path.lastIndex(of: ".").map { String(path[..<$0]) } ?? "$"
    }

    /// Whether a field is missing in some of what could have it.
    func isOptional(_ path: String) -> Bool {
        guard let field = fields[path], let parent = fields[Self.parent(of: path)] else { return false }
        return !path.hasSuffix("[]") && field.count < parent.count
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        if fields[path] == nil { order.append(path) }
        fields[path, default: Field()].kinds.insert(value.kind)
        fields[path, default: Field()].count += 1
        switch value {
        case .array(let values): for value in values { add(value, at: path + "[]") }
        case .object(let members):
            // An object by id is a list whose elements have names.
            let isKeyed = !members.isEmpty && members.allSatisfy { !$0.name.isEmpty && $0.name.allSatisfy(\.isNumber) }
            for member in members { add(member.value, at: isKeyed ? path + "[]" : path + member.name.asPathStep) }
        default: break
        }
    }
}
