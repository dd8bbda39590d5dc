/// A parameter of a provider.
public struct ParameterDescription: Hashable, Sendable {
    /// The type of a value.
    public enum Kind: String, Sendable, CaseIterable {
        /// One of `values`.
        case choice
        /// Several of `values`, or of anything where there are none, separated by commas.
        case list
        case string
        case integer
        case number
        case boolean
    }

    /// The condition of a listing that a parameter asks the source for.
    public enum Condition: String, Sendable, CaseIterable {
        case tag
        case excludeTag = "exclude-tag"
        case since
        case until
        case minWidth = "min-width"
        case minHeight = "min-height"
        case minPixels = "min-pixels"
        case aspect
        case license
        case mediaFormat = "media-format"
        case noAI = "no-ai"
    }

    /// The name as users type it.
    public var name: String
    /// The type of the value.
    public var kind: Kind
    /// The values to choose from.
    public var values: [String] = []
    /// The minimum of a number.
    public var minimum: Double?
    /// The maximum of a number.
    public var maximum: Double?
    /// The default value, as users would type it.
    public var `default`: String?
    /// The separator with which a list is joined to one text for the script; nil to pass an array.
    public var separator: String?
    /// One sentence for the help text.
    public var help: String?
    /// The condition whose value the parameter gets when the user gives it none; nil for a parameter of users alone.
    public var condition: Condition?
    /// The parameter's values by those of the ``condition``, such as `horizontal` by `landscape`; empty where they are the
    /// same.
    public var conditionValues: [NamedValue] = []

    /// Creates a parameter without values and bounds.
    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Parses a value as users type it.
    ///
    /// - Parameter text: a choice as in ``values``, a list separated by commas, a number within ``minimum`` and ``maximum``, or
    ///   `true`, `yes`, `1`, `false`, `no`, `0` for a Boolean.
    /// - Returns: the value in the type that the script receives; a list is one text where ``separator`` is set.
    /// - Throws: ``InvalidParameter`` when `text` is not a value of this ``kind``.
    public func value(from text: String) throws(InvalidParameter) -> ParameterValue {
        switch kind {
        case .string: return .text(text)
        case .choice:
            guard values.contains(text) else { throw InvalidParameter(self, found: text) }
            return .text(text)
        case .list:
            let parts = text.split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
            guard !parts.isEmpty, values.isEmpty || parts.allSatisfy(values.contains) else {
                throw InvalidParameter(self, found: text)
            }
            return separator.map { .text(parts.joined(separator: $0)) } ?? .list(parts)
        case .boolean:
            guard let value = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text]
            else { throw InvalidParameter(self, found: text) }
            return .boolean(value)
        case .integer, .number:
            guard let value = Double(text), value.isFinite, kind == .number || Int(text) != nil,
                value >= minimum ?? value, value <= maximum ?? value
            else { throw InvalidParameter(self, found: text) }
            return .number(value)
        }
    }

    /// The expected value as a phrase: "one of all, horizontal, vertical".
    public var expectation: String {
        switch kind {
        case .choice: "one of \(values.joined(separator: ", "))"
        case .list:
            values.isEmpty
                ? "a list separated by commas" : "some of \(values.joined(separator: ", ")), separated by commas"
        case .string: "a text"
        case .boolean: "true or false"
        case .integer, .number:
            switch (minimum, maximum) {
            case (let low?, let high?): "\(noun) from \(low.shortest) to \(high.shortest)"
            case (let low?, nil): "\(noun) of at least \(low.shortest)"
            case (nil, let high?): "\(noun) of at most \(high.shortest)"
            case (nil, nil): noun
            }
        }
    }

    private var noun: String { kind == .integer ? "a whole number" : "a number" }
}

/// A parameter's value that is not valid.
public struct InvalidParameter: Error, Sendable, CustomStringConvertible {
    /// `orientation: invalid value "upright" (expected one of all, horizontal, vertical)`.
    public let description: String

    init(_ parameter: ParameterDescription, found: String) {
        let nearest = found.suggestion(among: parameter.values, expected: parameter.expectation)
        description = "\(parameter.name): invalid value \(found.quoted)\(nearest)"
    }
}

extension Double {
    /// The number without a needless `.0`.
    package var shortest: String {
        self == rounded() && magnitude <= 0x1p53 ? String(Int(self)) : String(describing: self)
    }
}

extension StringProtocol {
    /// The text without spaces around it.
    package var trimmingSpaces: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
