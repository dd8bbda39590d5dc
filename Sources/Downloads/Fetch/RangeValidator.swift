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
