/// A JSON value as text: a source's data beyond the contract, or a cursor that only its provider interprets.
public struct JSONText: Hashable, Sendable, CustomStringConvertible {
    /// Compact, valid JSON.
    public let description: String

    /// Creates a value from text that is known to be compact, valid JSON.
    package init(validated text: String) { description = text }

    /// Validates and compacts a text; nil when it is not one JSON value.
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
