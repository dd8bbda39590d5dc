import ProviderModel
import ProviderRuntime

/// How the structure of a live response differs from the recorded one.
package struct ShapeDrift: Hashable, Sendable {
    /// The kind of a change.
    package enum Kind: String, Sendable {
        case added
        case gone
        case retyped
    }

    /// One field that changed.
    package struct Change: Hashable, Sendable, CustomStringConvertible {
        /// The kind of the change.
        package var kind: Kind
        /// `$.hits[].user`.
        package var path: String
        /// The kinds of value that were recorded: `string or null`.
        package var before: String
        /// The kinds there are now.
        package var after: String

        /// Whether nothing of the recorded kind is left at the path.
        var isLoss: Bool {
            let kinds = after.split(separator: " ").filter { $0 != "or" }
            return kind == .gone || kind == .retyped && Set(before.split(separator: " ")).isDisjoint(with: kinds)
        }

        /// `$.hits[].user is gone (string)`.
        package var description: String {
            switch kind {
            case .added: "\(path) is new (\(after))"
            case .gone: "\(path) is gone (\(before))"
            case .retyped: "\(path) was \(before), is \(after)"
            }
        }
    }

    /// In the order of the recorded answer, what is new last.
    package let changes: [Change]

    /// Compares two answers; nil when one of them is no JSON.
    package init?(from recorded: [UInt8], to live: [UInt8]) {
        guard let before = JSONValue.found(in: recorded), let after = JSONValue.found(in: live) else {
            return nil
        }
        self.init(from: [before], to: [after])
    }

    /// Compares recorded answers to live ones of the same kind.
    package init(from recorded: [JSONValue], to live: [JSONValue]) {
        let old = JSONShape(of: recorded), new = JSONShape(of: live)
        var changes: [Change] = []
        var covered: [String] = []
        let isCovered = { (path: String) in covered.contains { path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") } }
        for path in old.order where !isCovered(path) {
            guard let before = old.fields[path] else { continue }
            if let after = new.fields[path] {
                guard let change = Self.retyping(path, before.kinds, after.kinds) else { continue }
                changes.append(change)
                covered.append(path)
            } else if Self.isMissed(path, in: old, new) {
                changes.append(Change(kind: .gone, path: path, before: Self.phrase(before.kinds), after: ""))
                covered.append(path)
            }
        }
        for path in new.order where old.fields[path] == nil && !isCovered(path) {
            // What is below an empty list or below null was never seen.
            guard let parent = old.fields[JSONShape.parent(of: path)], parent.kinds.contains("object") || path == "$",
                let after = new.fields[path]
            else { continue }
            changes.append(Change(kind: .added, path: path, before: "", after: Self.phrase(after.kinds)))
            covered.append(path)
        }
        self.changes = changes
    }

    /// Whether a field is missed: there is something that could have it, and every recorded one had.
    private static func isMissed(_ path: String, in old: JSONShape, _ new: JSONShape) -> Bool {
        guard !path.hasSuffix("[]"), let parent = new.fields[JSONShape.parent(of: path)] else { return false }
        return parent.kinds.contains("object") && !old.isOptional(path)
    }

    /// A change of type; one that was never anything but null may become anything.
    private static func retyping(_ path: String, _ before: Set<String>, _ after: Set<String>) -> Change? {
        let added = after.subtracting(before)
        guard before != ["null"], !added.isEmpty else { return nil }
        return Change(kind: .retyped, path: path, before: phrase(before), after: phrase(after))
    }

    private static func phrase(_ kinds: Set<String>) -> String { kinds.sorted().joined(separator: " or ") }
}

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
