import ProviderModel

/// When a server wants to be asked again (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds to wait, from either form of the header; nil when it says nothing usable.
    package static func seconds(_ value: String, now: Int) -> Int? {
        let text = value.trimmingWhitespace
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text) ?? .max  // more digits than a number has
        }
        return DateTime(http: text, now: DateTime(secondsSince1970: now)).map { max(0, $0.secondsSince1970 - now) }
    }
}
