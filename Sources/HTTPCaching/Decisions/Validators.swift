import HTTPTransport
import HTTPTypes
import ProviderModel

/// An opaque name of one version of the content (RFC 9110 §8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag with its quotes, and without the `W/`.
    let opaque: String
    /// Whether it names versions that are only equivalent.
    let isWeak: Bool

    /// Reads one tag; text that follows no syntax is a tag of its own.
    init(_ text: String) {
        let text = text.trimmingWhitespace
        isWeak = text.hasPrefix("W/")
        opaque = isWeak ? String(text.dropFirst(2)) : text
    }

    var description: String { isWeak ? "W/" + opaque : opaque }

    /// RFC 9110 §8.8.3.2, weak comparison.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// RFC 9110 §8.8.3.2, strong comparison.
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }
}

/// What tells one version of the content from another (RFC 9110 §8.8).
struct Validators: Hashable, Sendable {
    /// `ETag`.
    let tag: EntityTag?
    /// `Last-Modified`, as the server wrote it.
    let lastModified: String?
    private let isLastModifiedStrong: Bool

    /// Reads a response's header lines.
    init(_ fields: HTTPFields) {
        tag = fields[values: .eTag].first.flatMap { $0.isEmpty ? nil : EntityTag($0) }
        lastModified = fields[values: .lastModified].first.flatMap { $0.isEmpty ? nil : $0 }
        isLastModifiedStrong = Self.isStrong(lastModified, date: fields[values: .date].first)
    }

    /// Whether there is none at all.
    var isEmpty: Bool { tag == nil && lastModified == nil }

    /// The value for `If-Range`: a strong validator; nil when there is none (RFC 9110 §13.1.5).
    var ifRange: String? {
        if let tag { return tag.isWeak ? nil : tag.description }
        return isLastModifiedStrong ? lastModified : nil
    }

    /// Whether both name the same bytes (RFC 9111 §3.4: “share the same strong validator”).
    func sharesStrongValidator(with other: Validators) -> Bool {
        if let tag, let otherTag = other.tag { return tag.matchesStrongly(otherTag) }
        guard tag == nil, other.tag == nil, let lastModified else { return false }
        return isLastModifiedStrong && other.isLastModifiedStrong && lastModified == other.lastModified
    }

    /// RFC 9110 §8.8.2.2: a date is strong when it lay well before the response's own.
    private static func isStrong(_ lastModified: String?, date: String?) -> Bool {
        guard let lastModified, let date, let changed = DateTime(http: lastModified)?.secondsSince1970,
            let sent = DateTime(http: date)?.secondsSince1970
        else { return false }
        return sent - changed >= 60
    }
}
