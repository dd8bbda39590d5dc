import ArgumentParser

/// One of a few words that an option takes.
///
/// Its words are listed here and not by the parser, which does so for types of all kinds and for that has the runtime go through
/// every conformance of the program, three times for each option at every start.
protocol OptionChoice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionChoice {
    /// The words.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

    /// None: the words say it.
    public static var allValueDescriptions: [String: String] { [:] }
}
