/// What was left out of a script's results because it is against the contract: one kind of fault, with its first place.
public struct ResultFault: Hashable, Sendable {
    /// What the results lack for it.
    public enum Loss: String, Sendable, CaseIterable {
        /// A value that an item can do without: a width, a tag, one of several files.
        case value
        /// A whole item, which lacks what every item needs.
        case item
    }

    /// What the results lack.
    public var loss: Loss
    /// Where it first occurred: `items[1].media[0].width`.
    public var path: String
    /// “expected a whole number of pixels, found 0”.
    public var message: String
    /// How often it occurred.
    public var count: Int

    /// A fault.
    public init(loss: Loss, path: String, message: String, count: Int = 1) {
        self.loss = loss
        self.path = path
        self.message = message
        self.count = count
    }

    /// The most kinds that are told apart in one result, since names that a source makes up are in paths too.
    package static let maximumKinds = 20
    /// The most characters of a path or a message.
    package static let maximumLength = 300

    /// The path without places in arrays.
    fileprivate var field: String { path.withoutIndices }
}

extension [ResultFault] {
    /// Counts a fault among those of its kind; what goes beyond the number of kinds is not counted.
    package mutating func add(_ fault: ResultFault) {
        let field = fault.field
        if let index = firstIndex(where: { $0.loss == fault.loss && $0.field == field }) {
            self[index].count += fault.count
        } else if count < ResultFault.maximumKinds {
            append(fault)
        }
    }

    /// Counts a violation.
    mutating func add(_ violation: ContractViolation, _ loss: ResultFault.Loss) {
        let limit = ResultFault.maximumLength
        add(
            ResultFault(
                loss: loss, path: String(violation.path.prefix(limit)),
                message: String(violation.message.prefix(limit))))
    }
}

extension String {
    /// A path without places in arrays: `items.media.width` of `items[1].media[0].width`.
    fileprivate var withoutIndices: String {
        var rest = Substring(self)
        var text = ""
        while let open = rest.firstIndex(of: "[") {
            text += rest[..<open]
            let digits = rest[rest.index(after: open)...].prefix { $0.isNumber }
            if !digits.isEmpty, rest[digits.endIndex...].first == "]" {
                rest = rest[rest.index(after: digits.endIndex)...]
            } else {
                text += "["
                rest = rest[rest.index(after: open)...]
            }
        }
        return text + rest
    }
}
