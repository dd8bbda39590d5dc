import HTTPTypes

/// A response as it is stored, without its body.
package struct StoredResponse: Sendable {
    /// Its number in the store; never used again for another.
    var id: Int64
    /// Which version of it this is; every change makes a new one.
    var generation: Int64
    /// The status the server gave.
    var status: Int
    /// The header lines that may be kept.
    var fields: HTTPFields
    /// When the request went out, in seconds since 1970 (RFC 9111 §4.2.3, request_time).
    var requestedAt: Double
    /// When the response came, in seconds since 1970 (RFC 9111 §4.2.3, response_time).
    var receivedAt: Double
    /// When it was last used, in seconds since 1970, as far as that was noted.
    var usedAt: Double
    /// What the request's lines named by `Vary` said.
    var selection: VarySelection
    /// Whether it is stored because of the source's terms alone, against its own directives.
    var isStoredByTerms: Bool
    /// Which bytes of the content are kept; nil for all.
    var part: StoredPart?
    /// How many bytes are kept.
    var length: Int
    /// The checksum of these bytes.
    var checksum: UInt64
    /// The name of the file with the bytes; nil when they lie in the database.
    var file: String?

    /// RFC 9111 §5.2.2.
    var directives: ResponseDirectives { ResponseDirectives(fields) }

    /// RFC 9111 §4.2.3.
    var age: Age { Age(fields, requestedAt: requestedAt, receivedAt: receivedAt) }

    /// RFC 9111 §4.2.1.
    var freshness: Freshness { Freshness(status: status, fields: fields, receivedAt: receivedAt) }

    /// RFC 9110 §8.8.
    var validators: Validators { Validators(fields) }

    /// When it stops being fresh, in seconds since 1970; `atLeast` is what the source's terms demand, in seconds.
    func freshUntil(atLeast minimumLifetime: Double?) -> Double {
        let own = directives.isNoCache || isStoredByTerms ? 0 : freshness.lifetime - age.correctedInitialAge
        let isSuccess = (200..<300).contains(status)
        return receivedAt + max(own, isSuccess ? minimumLifetime ?? 0 : 0)
    }
}
