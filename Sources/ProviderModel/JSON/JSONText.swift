/// A JSON value kept as its text: what a source said beyond the contract, or a cursor only its provider understands.
public struct JSONText: Hashable, Sendable, CustomStringConvertible {
    /// Compact, valid JSON.
    public let description: String

    /// Takes text that is known to be valid JSON.
    package init(validated text: String) { description = text }

    /// A text that may be any; nil when it is no JSON.
    package init?(_ text: String) {
        do throws(InvalidJSON) {
            var reader = try JSONReader(Array(text.utf8))
            description = try reader.rawValue()
            try reader.end()
        } catch {
            return nil
        }
    }

    /// The JSON value `null`.
    public static let null = JSONText(validated: "null")
}
