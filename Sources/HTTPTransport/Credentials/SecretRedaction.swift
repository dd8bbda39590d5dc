import FoundationEssentials
import Glibc
import ProviderModel

/// Replaces secrets by `***` wherever they appear: as they are, percent-encoded, as a form or JSON has them, in base 64.
package struct SecretRedaction: Sendable {
    /// Shorter values are words of the language; masking them would destroy texts and protect nothing.
    package static let shortest = 4

    /// The forms, longest first, so that a secret inside another does not hide it.
    private let forms: [[UInt8]]

    /// Masks these secrets.
    package init(_ secrets: [String]) {
        var forms: Set<String> = []
        for secret in secrets where secret.utf8.count >= Self.shortest {
            let encoded = PercentEncoding.encode(secret)
            forms.formUnion([secret, encoded, encoded.lowercasedEscapes, encoded.replacing("%20", with: "+")])
            forms.formUnion(Self.base64Forms(of: secret))
            forms.insert(Self.insideJSON(secret))
        }
        self.forms = forms.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    }

    /// The text with every secret masked.
    package func redact(_ text: String) -> String {
        guard let redacted = redacted(Array(text.utf8)) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The bytes with every secret masked; the same bytes when there is none.
    package func redact(_ bytes: [UInt8]) -> [UInt8] { redacted(bytes) ?? bytes }

    private func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        let present = forms.filter { bytes.firstRange(of: $0, from: 0) != nil }
        guard !present.isEmpty else { return nil }
        return present.reduce(bytes) { $0.replacing($1) }
    }

    private static func insideJSON(_ secret: String) -> String {
        var json = JSONWriter()
        json.value(secret)
        return String(json.text.dropFirst().dropLast())
    }

    /// The secret alone, and what of it is the same wherever it stands inside a longer encoded text.
    private static func base64Forms(of secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        var forms = [Data(bytes).base64EncodedString()]
        guard bytes.count >= 12 else { return forms }
        for shift in 0..<3 {
            let whole = Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString()
            // The first characters depend on what stands before, the last on what stands after.
            let inner = whole.utf8.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(4)
            forms.append(String(decoding: Array(inner), as: UTF8.self))
        }
        return forms
    }
}

extension String {
    /// `%2F` as `%2f`, the other spelling of an escape.
    fileprivate var lowercasedEscapes: String {
        var result = ""
        var escaped = 0
        for character in self {
            result += escaped > 0 ? character.lowercased() : String(character)
            escaped = character == "%" ? 2 : max(escaped - 1, 0)
        }
        return result
    }
}

extension [UInt8] {
    /// Where the needle stands first at or after `start`.
    fileprivate func firstRange(of needle: [UInt8], from start: Int) -> Range<Int>? {
        guard !needle.isEmpty, count - start >= needle.count else { return nil }
        return withUnsafeBytes { haystack in
            needle.withUnsafeBytes { wanted in
                guard let base = haystack.baseAddress, let word = wanted.baseAddress else { return nil }
                var position = start
                while let hit = memchr(base + position, Int32(wanted[0]), haystack.count - wanted.count + 1 - position)
                {
                    let lower = UnsafeRawPointer(hit) - base
                    if memcmp(hit, word, wanted.count) == 0 { return lower..<(lower + wanted.count) }
                    position = lower + 1
                }
                return nil
            }
        }
    }

    /// The bytes with `***` for every occurrence of the needle.
    fileprivate func replacing(_ needle: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while let range = firstRange(of: needle, from: position) {
            result += self[position..<range.lowerBound]
            result += Array("***".utf8)
            position = range.upperBound
        }
        return result + self[position...]
    }
}
