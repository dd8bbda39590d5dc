/// An authentication method: which secrets are sent, and where.
///
/// Values are templates: `{key}`, `{user}` stand for secrets of the user, `{session.token}` for a value of the provider's
/// `session` operation.
public struct AuthenticationMethod: Hashable, Sendable {
    /// Where the secrets are sent.
    public enum Placement: Hashable, Sendable {
        /// Pairs added to the query.
        case query([NamedValue])
        /// Header lines.
        case header([NamedValue])
        /// Cookies.
        case cookie([NamedValue])
        /// HTTP Basic.
        case basic(user: String, password: String)
        /// OAuth 2 client credentials or refresh token: the access token goes into a bearer header.
        case oauth2(token: WebURL, scope: String?)
    }

    /// Where the secrets are sent.
    public var placement: Placement
    /// Whether requests may be sent without a key, which then only raises limits.
    public var isOptional: Bool
    /// The URL or sentence that says where keys are issued.
    public var help: String?
    /// Limits that replace the provider's own while this method is used; nil for none.
    public var limits: Limits?

    /// Creates a method.
    package init(placement: Placement, isOptional: Bool = false, help: String? = nil, limits: Limits? = nil) {
        self.placement = placement
        self.isOptional = isOptional
        self.help = help
        self.limits = limits
    }

    /// The names of the secrets that the user has to give: `["key"]`.
    public var secretNames: [String] {
        if case .oauth2 = placement { return ["client_id", "client_secret"] }
        return placeholders.filter { !$0.hasPrefix("session.") }
    }

    /// Whether the provider's `session` operation has to run first.
    public var needsSession: Bool { placeholders.contains { $0.hasPrefix("session.") } }

    private var placeholders: [String] {
        let templates =
            switch placement {
            case .query(let pairs), .header(let pairs), .cookie(let pairs): pairs.map(\.value)
            case .basic(let user, let password): [user, password]
            case .oauth2: [String]()
            }
        var names: [String] = []
        for name in templates.flatMap({ Template($0).placeholders }) where !names.contains(name) { names.append(name) }
        return names
    }
}
