import HTTPTypes
import ProviderModel

/// Which header lines are kept, and which a later response updates (RFC 9111 §3.1 and §3.2).
enum StoredFields {
    /// RFC 9111 §3.1 and RFC 9110 §7.6.1: what concerns one connection or one proxy.
    private static let connectionFields: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization",
    ]

    /// §3.2, and what describes the stored bytes: other values would make the stored content unreadable.
    private static let unchanging: Set<String> = ["content-length", "content-encoding", "content-range"]

    /// The lines of a response that may be kept; `Date` is added where it is missing (RFC 9110 §6.6.1).
    ///
    /// RFC 9111 §5.2.2.4: lines named by `no-cache` may not be used without asking; they come with the response anyway,
    /// so they are not kept at all.
    static func kept(of fields: HTTPFields, receivedAt: Double) -> HTTPFields {
        let listed = FieldList.members(of: fields[values: .connection]).map { $0.lowercased() }
        let dropped = connectionFields.union(listed).union(ResponseDirectives(fields).noCacheFields)
        var kept = HTTPFields(fields.filter { !dropped.contains($0.name.canonicalName) })
        if kept[.date] == nil { kept[.date] = DateTime(secondsSince1970: Int(receivedAt.rounded(.down))).http }
        return kept
    }

    /// The stored lines after a newer response about the same content (§3.2): its lines replace those of the same name.
    static func updated(_ stored: HTTPFields, by newer: HTTPFields) -> HTTPFields {
        let taken = newer.filter { !unchanging.contains($0.name.canonicalName) }
        let replaced = Set(taken.map(\.name.canonicalName))
        // `Age` is about one way to the server; a response without it has come straight from there.
        let isKept = { (field: HTTPField) in
            !replaced.contains(field.name.canonicalName) && field.name.canonicalName != "age"
        }
        return HTTPFields(stored.filter(isKept) + taken)
    }
}

/// The header lines of a response from the store (RFC 9111 §4).
enum ServedFields {
    /// The stored lines with `Age` (§5.1), and for a stale response the `Warning` that some clients still look for.
    ///
    /// `Warning` is obsolete (RFC 9111 §5.5): 110 says "stale", 111 that asking the server did not help.
    static func fields(_ stored: StoredResponse, now: Double, isStale: Bool, hasFailed: Bool) -> HTTPFields {
        var fields = stored.fields
        if let name = HTTPField.Name("Age") { fields[name] = "\(Int(stored.age.current(at: now)))" }
        if isStale, let name = HTTPField.Name("Warning") {
            fields.append(HTTPField(name: name, value: "110 - \"Response is Stale\""))
            if hasFailed { fields.append(HTTPField(name: name, value: "111 - \"Revalidation Failed\"")) }
        }
        return fields
    }

    /// The lines of a 206 made from a stored response (RFC 9110 §15.3.7).
    static func partial(_ fields: HTTPFields, slice: StoredSlice) -> HTTPFields {
        var fields = fields
        fields[.contentRange] = slice.range.description
        fields[.contentLength] = "\(slice.count)"
        return fields
    }
}
