import ProviderModel

/// What a script gave against the contract, and where in what it gave.
struct ContractViolation: Error, Hashable {
    /// `items[3].media[0].url`; empty for the whole.
    var path: String
    /// “expected an absolute URL, found undefined”.
    var message: String
    /// Further violations, where reading went on after the first.
    var others: [ContractViolation] = []

    init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// Of this and what was found with it, a handful in other fields: one mapping makes all items, and most have it wrong alike.
    func otherKinds(than first: ContractViolation) -> [ContractViolation] {
        var seen: Set = [first.field]
        return Array(([self] + others).filter { seen.insert($0.field).inserted }.prefix(4))
    }

    /// The path without places in arrays.
    private var field: String { path.filter { !$0.isWholeNumber } }

    /// A violation by the value as a whole.
    init(_ message: String) { self.init(path: "", message: message) }
}

/// A step down into a value.
enum PathStep: Hashable {
    case field(String)
    case index(Int)
}

extension [PathStep] {
    /// The path as JavaScript writes it.
    var text: String {
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
