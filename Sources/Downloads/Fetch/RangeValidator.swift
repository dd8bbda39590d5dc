import HTTPTransport
import HTTPTypes
import ProviderModel

/// What shows that a file on a server has not changed, strong enough to put parts together by (RFC 9110 §13.1.5).
struct RangeValidator: Hashable, Sendable {
    /// The entity tag or the date, as the server wrote it.
    let text: String
    /// Whether it is an entity tag.
    let isTag: Bool

    init(text: String, isTag: Bool) {
        self.text = text
        self.isTag = isTag
    }

    /// The validator of an answer; nil when it has none that is strong.
    init?(_ headers: HTTPFields) {
        if let tag = headers[.eTag] {
            // A date must not stand in for a tag that is weak.
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count >= 2 else { return nil }
            self.init(text: tag, isTag: true)
            return
        }
        // RFC 9110 §8.8.2.2: a date is strong when it lay well back as the answer was given.
        guard let modified = headers[.lastModified], let date = headers[.date],
            let modifiedSeconds = DateTime(http: modified, now: DateTime(secondsSince1970: 0))?.secondsSince1970,
            let dateSeconds = DateTime(http: date, now: DateTime(secondsSince1970: 0))?.secondsSince1970,
            dateSeconds - modifiedSeconds >= 60
        else { return nil }
        self.init(text: modified, isTag: false)
    }

    /// Whether an answer, as far as it says, is of the same file.
    func agrees(with headers: HTTPFields) -> Bool {
        if isTag { return headers[.eTag].map { $0 == text } ?? true }
        return headers[.lastModified].map { $0 == text } ?? true
    }
}

/// `Content-Range: bytes 0-499/1234` (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    /// The bytes that come.
    let bytes: Range<Int>
    /// The whole file's length; nil for `*`.
    let total: Int?

    /// Reads the header; nil when it is none that makes sense.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < Int.max
        else { return nil }
        bytes = first..<last + 1
        total = halves[1] == "*" ? nil : Self.number(halves[1])
        if halves[1] != "*" { guard let total, last < total else { return nil } }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
