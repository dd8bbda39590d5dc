import HTTPTypes

/// The header lines of an answer from the store (RFC 9111 §4).
enum ServedFields {
    /// The stored lines with `Age` (§5.1), and for a stale answer the `Warning` that people still look for.
    ///
    /// `Warning` is obsolete (RFC 9111 §5.5): 110 says “stale”, 111 that asking the server did not help.
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
