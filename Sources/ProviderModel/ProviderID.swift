/// The id of a provider: `pixabay`, `art-institute-chicago`.
public struct ProviderID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The id as text.
    public let description: String

    /// The rule for the name of a provider's file, for error messages.
    public static let fileNaming = "a provider's file is named after its id: a–z, 0–9 and -"

    /// The rule for an id, for error messages.
    public static let naming = "1 to 64 of a–z, 0–9 and -, not beginning with -"

    /// Creates an id; nil when `text` is not a valid one.
    ///
    /// - Parameter text: 1 to 64 characters of `a`–`z`, `0`–`9` and `-`, not beginning with `-`.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-"),
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        else { return nil }
        description = text
    }

    /// Alphabetical order.
    public static func < (left: ProviderID, right: ProviderID) -> Bool { left.description < right.description }
}
