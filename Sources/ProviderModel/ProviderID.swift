/// The id of a provider: `pixabay`, `art-institute-chicago`.
public struct ProviderID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name itself.
    public let description: String

    /// How a provider's file is called.
    public static let fileNaming = "a provider's file is named after its id: a–z, 0–9 and -"

    /// What such a name consists of.
    public static let naming = "1 to 64 of a–z, 0–9 and -, not beginning with -"

    /// Accepts 1 to 64 characters of a–z, 0–9 and `-`, beginning with a letter or digit.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-"),
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        else { return nil }
        description = text
    }

    /// Alphabetical order.
    public static func < (left: ProviderID, right: ProviderID) -> Bool { left.description < right.description }
}
