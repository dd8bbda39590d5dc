/// The operations of a provider.
public enum ProviderOperation: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Items that match a text.
    case search
    /// A list without a search text: recent, popular, editorial.
    case feed
    /// Everything that the source has about one item.
    case details
    /// The items of an album, a gallery or a user.
    case collection
    /// Items whose image looks like one that the user has.
    case similar
    /// The last request before a media file is fetched: the final URL, or a report of its use.
    case download
    /// A login, or a guest token.
    case session

    /// The name in scripts.
    public var description: String { rawValue }
}

/// What a `session` operation gave.
package struct SessionResult: Hashable, Sendable {
    /// By name, as `{session.NAME}` has it.
    package var values: [NamedValue]
    /// Seconds until a new one is needed.
    package var expiresIn: Int?

    /// Creates a result; `expiresIn` is in seconds, nil for no end.
    package init(values: [NamedValue], expiresIn: Int? = nil) {
        self.values = values
        self.expiresIn = expiresIn
    }

    /// The fields of a session.
    package static let schema = Schema<SessionResult>(
        "SessionValues", "an object with values", onlyMembers: "values and expiresIn",
        [
            .required("values", \.values, .namedStrings),
            .optional("expiresIn", \.expiresIn, .integer(1...100_000_000, "a whole number of seconds")),
        ])

    /// Reads a session that a script gave.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        self.init(values: [])
        try reader.fields(of: Self.schema, into: &self)
    }

    /// Writes the session with the contract's field names.
    package func write(to json: inout JSONWriter) {
        json.object { Self.schema.write(self, to: &$0) }
    }
}
