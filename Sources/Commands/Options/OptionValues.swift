import ArgumentParser

/// Options that take a number within a range; the error of any other text names the range.
///
/// A text that begins with a dash is read too: `-n -5` is a wrong number, not a missing one.
extension Option where Value: OptionNumber {
    /// An option with a default.
    init(wrappedValue: Value, name: NameSpecification = .long, within range: ClosedRange<Value>, help: ArgumentHelp) {
        var help = help
        help.abstract += " (default: \(wrappedValue))"
        self.init(wrappedValue: wrappedValue, name: name, parsing: .unconditional, help: help) { text in
            try Value(text, within: range)
        }
    }
}

extension Option {
    /// An option that need not be given.
    init<Number: OptionNumber>(
        name: NameSpecification = .long, within range: ClosedRange<Number>, help: ArgumentHelp
    ) where Value == Number? {
        self.init(wrappedValue: nil, name: name, parsing: .unconditional, help: help) { text in
            try Number(text, within: range)
        }
    }
}

/// A kind of number that options take.
protocol OptionNumber: Comparable, LosslessStringConvertible, Sendable {
    /// What it is called.
    static var kind: String { get }
}

extension OptionNumber {
    /// Reads a number; throws what was expected.
    fileprivate init(_ text: String, within range: ClosedRange<Self>) throws {
        guard let number = Self(text), range.contains(number) else {
            let bounds = [range.lowerBound, range.upperBound].map { bound in
                let text = "\(bound)"
                return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
            }
            throw ValidationError("expected \(Self.kind) from \(bounds[0]) to \(bounds[1])")
        }
        self = number
    }
}

extension Int: OptionNumber {
    static var kind: String { "a whole number" }
}

extension UInt64: OptionNumber {
    static var kind: String { "a whole number" }
}

extension Double: OptionNumber {
    static var kind: String { "a number" }
}

/// One of a few words that an option takes.
protocol OptionChoice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionChoice {
    /// The words, as help lists them.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

    /// None: the help text has them.
    public static var allValueDescriptions: [String: String] { [:] }
}
