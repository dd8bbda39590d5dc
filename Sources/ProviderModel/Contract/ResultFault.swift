/// A kind of violation of the contract, whose values were left out of a script's result.
public struct ResultFault: Hashable, Sendable {
    /// What was left out.
    public enum Loss: String, Sendable, CaseIterable {
        /// An optional value: a width, a tag, one of several files.
        case value
        /// A whole item, which lacks a required value.
        case item
        /// Half of a character in a text, which is kept.
        case character
        /// Parts of a response that is not well formed, and was read on.
        case markup
    }

    /// What was left out.
    public var loss: Loss
    /// The path of the first occurrence: `items[1].media[0].width`.
    public var path: String
    /// What was expected and what was found.
    public var message: String
    /// The number of occurrences.
    public var count: Int

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - loss: what was left out of the result.
    ///   - path: the path of the first occurrence, such as `items[1].media[0].width`.
    ///   - message: what was expected and what was found.
    ///   - count: the number of occurrences, at least 1.
    public init(loss: Loss, path: String, message: String, count: Int = 1) {
        self.loss = loss
        self.path = path
        self.message = message
        self.count = count
    }

    /// The maximum number of kinds in one result: paths contain member names that the source chooses.
    package static let maximumKinds = 20
    /// The maximum length of a path or a message in characters.
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
