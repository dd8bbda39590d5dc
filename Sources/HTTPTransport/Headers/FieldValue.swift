import HTTPTypes
import ProviderModel

extension String {
    /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
    package var trimmingWhitespace: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else { return self }
        let start = utf8.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: start[...end], as: UTF8.self)
    }
}

extension UInt8 {
    /// CR, LF and NUL: what would end a header line early.
    var breaksLines: Bool { self == 0x0d || self == 0x0a || self == 0 }
}

/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds to wait, from either form of the field; nil when it is invalid.
    package static func seconds(_ value: String, now: Int) -> Int? {
        let text = value.trimmingWhitespace
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text) ?? .max  // more digits than a number has
        }
        return DateTime(http: text, now: DateTime(secondsSince1970: now)).map { date in
            date.secondsSince1970 > now ? date.secondsSince1970 - now : 0
        }
    }
}
