/// Where two JSON values differ, whatever the order of their members.
package struct JSONDifference: Hashable, Sendable {
    /// One place where they differ.
    package struct Change: Hashable, Sendable {
        /// `$.hits[3].user`.
        package var path: String
        /// What was there, shortened; nil for nothing.
        package var before: String?
        /// What is there, shortened; nil for nothing.
        package var after: String?
    }

    /// In the order of the first value.
    package private(set) var changes: [Change] = []

    /// Compares two values.
    package init(from before: JSONValue, to after: JSONValue) { compare(before, after, at: "$") }

    private mutating func compare(_ before: JSONValue, _ after: JSONValue, at path: String) {
        switch (before, after) {
        case (.object(let old), .object(let new)):
            for member in old {
                let place = path + member.name.asPathStep
                if let other = after[member.name] {
                    compare(member.value, other, at: place)
                } else {
                    changes.append(Change(path: place, before: member.value.preview))
                }
            }
            for member in new where before[member.name] == nil {
                changes.append(Change(path: path + member.name.asPathStep, after: member.value.preview))
            }
        case (.array(let old), .array(let new)):
            for index in 0..<max(old.count, new.count) {
                let place = "\(path)[\(index)]"
                switch (index < old.count, index < new.count) {
                case (true, true): compare(old[index], new[index], at: place)
                case (true, false): changes.append(Change(path: place, before: old[index].preview))
                default: changes.append(Change(path: place, after: new[index].preview))
                }
            }
        default:
            guard before != after else { return }
            changes.append(Change(path: path, before: before.preview, after: after.preview))
        }
    }
}

extension JSONValue {
    /// The value in a few words.
    package var preview: String {
        switch self {
        case .text(let text): text.quoted
        case .array(let values): values.isEmpty ? "an empty list" : "a list of \(values.count)"
        case .object(let members):
            members.isEmpty
                ? "an empty object" : "an object with \(members.prefix(4).map(\.name).joined(separator: ", "))"
        default: compact
        }
    }
}

extension String {
    /// The step of a JSON path to a member of this name: `.user`, `['odd name']`.
    package var asPathStep: String {
        let isPlain = !isEmpty && first?.isNumber == false && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isPlain ? ".\(self)" : "['\(self)']"
    }
}
