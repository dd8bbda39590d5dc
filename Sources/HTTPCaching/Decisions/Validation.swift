import HTTPTransport
import HTTPTypes
import ProviderModel

/// Asking the server whether a stored response is still good (RFC 9111 §4.3).
enum Validation {
    /// The request's lines with the conditions that name the stored response (§4.3.1); nil when it has no validators.
    ///
    /// They take the place of the caller's own conditions, which are judged here once the answer has come.
    static func conditionalFields(_ fields: HTTPFields, for stored: Validators) -> HTTPFields? {
        guard !stored.isEmpty else { return nil }
        var conditional = fields
        conditional[.ifNoneMatch] = stored.tag?.description
        conditional[.ifModifiedSince] = stored.lastModified
        return conditional
    }

    /// Whether the caller's own conditions make the answer “not modified” (§4.3.2, RFC 9110 §13.2.2).
    static func isNotModified(_ stored: HTTPFields, status: Int, receivedAt: Double, for request: HTTPFields) -> Bool {
        guard status == 200 else { return false }
        let lines = request[values: .ifNoneMatch]
        guard lines.isEmpty else {
            let wanted = FieldList.members(of: lines)
            guard let tag = Validators(stored).tag else { return wanted.contains("*") }
            return wanted.contains { $0 == "*" || EntityTag($0).matchesWeakly(tag) }
        }
        guard let text = request[.ifModifiedSince], let since = DateTime(http: text, now: DateTime(secondsSince1970: Int(receivedAt)))?.secondsSince1970 else {
            return false
        }
        // §4.3.2: without `Last-Modified`, when the response was made counts.
        let changed = Validators(stored).lastModified.flatMap { DateTime(http: $0, now: DateTime(secondsSince1970: Int(receivedAt)))?.secondsSince1970 }
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

    /// Whether the answer to a HEAD request is about the same content as a stored one to GET (§4.3.5).
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
