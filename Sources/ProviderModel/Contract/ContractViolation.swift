/// What in a value is against the contract, and where.
package struct ContractViolation: Error, Hashable {
    /// `items[3].media[0].url`; empty for the whole.
    package var path: String
    /// "expected an absolute URL, found undefined".
    package var message: String
    /// Further violations, where reading went on after the first.
    package var others: [ContractViolation] = []

    /// A violation at a path.
    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// A violation by the value as a whole.
    package init(_ message: String) { self.init(path: "", message: message) }

    /// `media[0].url: expected an absolute URL, found 7`.
    package var text: String { path.isEmpty ? message : "\(path): \(message)" }

    /// Of this and what was found with it, a handful in other fields: one mapping makes all items, and most have it wrong alike.
    func otherKinds(than first: ContractViolation) -> [ContractViolation] {
        var seen: Set = [first.field]
        return Array(([self] + others).filter { seen.insert($0.field).inserted }.prefix(4))
    }

    /// The path without places in arrays.
    private var field: String { path.filter { !$0.isWholeNumber } }
}

/// A step down into a value.
package enum PathStep: Hashable, Sendable {
    case field(String)
    case index(Int)
}

extension [PathStep] {
    /// The path as JavaScript writes it.
    package var text: String {
        var text = ""
        for step in self {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .field(let name):
                let isPlain =
                    !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                text += isPlain ? (text.isEmpty ? name : ".\(name)") : "[\(name.quoted)]"
            }
        }
        return text
    }
}

/// Violations of one reading.
///
/// What is wrong inside a value often makes the whole of it wrong, too: of the two only the first is kept.
package struct ViolationList: Sendable {
    /// More are not fixed at a time.
    private static let limit = 50

    private var all: [ContractViolation] = []

    /// An empty list.
    package init() {}

    /// Adds a violation and those that it brings.
    package mutating func add(_ violation: ContractViolation) {
        for violation in [violation] + violation.others where all.count < Self.limit {
            var alone = violation
            alone.others = []
            if !all.contains(where: { $0.path.isPrefix(ofPath: alone.path) || alone.path.isPrefix(ofPath: $0.path) }) {
                all.append(alone)
            }
        }
    }

    /// Fails with all of them, where there are any.
    package func check() throws(ContractViolation) {
        guard var first = all.first else { return }
        first.others = Array(all.dropFirst())
        throw first
    }
}

extension String {
    /// Whether another path is this one or leads further down.
    fileprivate func isPrefix(ofPath path: String) -> Bool {
        guard path.hasPrefix(self) else { return false }
        return isEmpty || path.count == count || [".", "["].contains(path.dropFirst(count).first)
    }
}
