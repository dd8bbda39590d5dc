import HTTPTransport
import HTTPTypes
import ProviderModel

/// The storage of a ``CachingTransport``; ``SQLiteCacheStorage`` is the one that ships.
///
/// A failure of the storage never fails a request: a storage that cannot be read is empty, one that cannot be written stores
/// nothing, and each kind of failure is reported once.
package protocol CacheStorage: Sendable {
    /// The hash of this storage's keys; nil when the storage cannot be used.
    func hash() -> KeyedHash?

    /// Everything stored under a key, the most recent first (RFC 9111 §4: by `Date`).
    func responses(for key: CacheKey, url: String) -> [StoredResponse]

    /// The bytes of a stored response, verified; nil when they are lost, and then the response is removed.
    func body(of stored: StoredResponse) -> BodyReader?

    /// A writer for the body of a response that is to be inserted.
    func writer() -> BodyWriter

    /// Stores a response and gives it its number; nil when it could not be stored.
    func insert(_ new: NewResponse, body writer: BodyWriter) -> StoredResponse?

    /// Replaces the header fields and times of a stored response; nil when it is gone or was changed meanwhile.
    func update(_ stored: StoredResponse, freshUntil: Double, keepUntil: Double?) -> StoredResponse?

    /// Removes responses by number.
    func remove(_ ids: [Int64])

    /// Removes everything stored for these URLs, for every requester (RFC 9111 §4.4).
    func invalidate(_ urls: [WebURL])

    /// Notes that a response was used, in seconds since 1970: the least recently used is evicted first.
    func noteUse(of stored: StoredResponse, at now: Double)

    /// Writes what is not yet written, for a process that is about to end.
    func flush()
}

/// A response to be stored.
package struct NewResponse: Sendable {
    let key: CacheKey
    let url: WebURL
    let provider: ProviderID
    /// Everything but its number and body.
    let draft: StoredResponse
    /// In seconds since 1970.
    let freshUntil: Double
    /// When it has to be removed, in seconds since 1970; nil for no such time.
    let keepUntil: Double?
    /// The stored responses that it replaces.
    let replaced: [Int64]
}

extension StoredResponse {
    /// What it takes in the storage, roughly: its bytes, its header fields, and its rows.
    var cost: Int { fields.reduce(512 + length) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 } }
}

extension [StoredResponse] {
    /// The most recent first (RFC 9111 §4: by `Date`).
    var mostRecentFirst: [StoredResponse] {
        guard count > 1 else { return self }
        let dated = map { ($0, Age.date($0.fields, receivedAt: $0.receivedAt)) }
        return dated.sorted { ($0.1, $0.0.receivedAt) > ($1.1, $1.0.receivedAt) }.map(\.0)
    }
}
