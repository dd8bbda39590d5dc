import HTTPTransport
import HTTPTypes
import ProviderModel

/// Asking the server whether a stored response is still good (RFC 9111 §4.3).
enum Validation {
    /// The request's lines with the conditions that name the stored response (§4.3.1); nil when it has no validators.
    ///
    /// They replace the caller's own conditions, which are evaluated here with the response.
    static func conditionalFields(_ fields: HTTPFields, for stored: Validators) -> HTTPFields? {
        guard !stored.isEmpty else { return nil }
        var conditional = fields
        conditional[.ifNoneMatch] = stored.tag?.description
        conditional[.ifModifiedSince] = stored.lastModified
        return conditional
    }

    /// Whether the caller's own conditions make the response "not modified" (§4.3.2, RFC 9110 §13.2.2).
    static func isNotModified(_ stored: HTTPFields, status: Int, receivedAt: Double, for request: HTTPFields) -> Bool {
        guard status == 200 else { return false }
        let lines = request[values: .ifNoneMatch]
        guard lines.isEmpty else {
            let wanted = FieldList.members(of: lines)
            guard let tag = Validators(stored).tag else { return wanted.contains("*") }
            return wanted.contains { $0 == "*" || EntityTag($0).matchesWeakly(tag) }
        }
        guard let text = request[.ifModifiedSince],
            let since = DateTime(http: text, now: DateTime(secondsSince1970: Int(receivedAt)))?.secondsSince1970
        else {
            return false
        }
        // §4.3.2: without `Last-Modified`, when the response was made counts.
        let changed = Validators(stored).lastModified.flatMap {
            DateTime(http: $0, now: DateTime(secondsSince1970: Int(receivedAt)))?.secondsSince1970
        }
        return changed ?? Int(Age.date(stored, receivedAt: receivedAt)) <= since
    }

    /// Whether a 304 is about this stored response (§4.3.4).
    static func applies(_ answer: HTTPFields, to stored: HTTPFields) -> Bool {
        let newer = Validators(answer)
        let known = Validators(stored)
        if let tag = newer.tag {
            guard let knownTag = known.tag else { return false }
            return tag.isWeak ? tag.matchesWeakly(knownTag) : tag.matchesStrongly(knownTag)
        }
        guard let lastModified = newer.lastModified, known.lastModified != nil else { return true }
        return lastModified == known.lastModified
    }

    /// Whether the response to a HEAD request is about the same content as a stored one to GET (§4.3.5).
    static func headApplies(_ answer: HTTPFields, to stored: StoredResponse) -> Bool {
        let newer = Validators(answer)
        let known = stored.validators
        if let tag = newer.tag, tag != known.tag { return false }
        if let lastModified = newer.lastModified, lastModified != known.lastModified { return false }
        guard let length = answer[.contentLength], let knownLength = stored.fields[.contentLength] else { return true }
        return length == knownLength
    }

    /// The lines of a 304 made here (RFC 9110 §15.4.5): what identifies the version, not what describes its content.
    static func notModifiedFields(_ fields: HTTPFields) -> HTTPFields {
        let describing: Set<String> = ["content-length", "content-type", "content-encoding", "content-range"]
        return HTTPFields(fields.filter { !describing.contains($0.name.canonicalName) })
    }
}

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

/// What distinguishes one version of the content from another (RFC 9110 §8.8).
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

    /// Whether both name the same bytes (RFC 9111 §3.4: "share the same strong validator").
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
