import HTTPTypes

/// The header lines of requests that a response depends on (RFC 9111 §4.1, RFC 9110 §12.5.5).
struct Vary: Hashable, Sendable {
    /// The names in lower case, each once; empty when a response depends on none, or on everything.
    let names: [String]
    /// Whether it depends on more than can be known: nothing ever matches.
    let isAny: Bool

    /// Reads all `Vary` lines together; one `*` anywhere is enough.
    init(_ fields: HTTPFields) {
        let members = FieldList.members(of: fields[values: .vary]).map { $0.lowercased() }
        isAny = members.contains("*")
        names = isAny ? [] : Set(members).sorted()
    }

    /// A request's value for a name in one form (RFC 9111 §4.1); nil when the request has no such line.
    static func normalisedValue(of name: String, in fields: HTTPFields) -> String? {
        guard let fieldName = HTTPField.Name(name) else { return nil }
        let lines = fields[values: fieldName]
        guard !lines.isEmpty else { return nil }
        let members = FieldList.members(of: lines)
        guard name == "accept-language" else { return members.joined(separator: ",") }
        // RFC 9110 §12.5.4: case and order say nothing, weights do.
        return LanguageRange.ranges(in: members).map(\.description).sorted().joined(separator: ",")
    }
}
