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
        /// The cookies of a browser's login, among them those of these names.
        case cookies(needs: [String])
    }

    /// Where the secrets are sent.
    public var placement: Placement
    /// Header lines that are sent besides; templates, too.
    public var headers: [NamedValue]
    /// Whether requests may be sent without a key, which then only raises limits.
    public var isOptional: Bool
    /// The URL or sentence that says where keys are issued.
    public var help: String?
    /// Limits that replace the provider's own while this method is used; nil for none.
    public var limits: Limits?

    /// Creates a method.
    package init(
        placement: Placement, headers: [NamedValue] = [], isOptional: Bool = false, help: String? = nil,
        limits: Limits? = nil
    ) {
        self.placement = placement
        self.headers = headers
        self.isOptional = isOptional
        self.help = help
        self.limits = limits
    }

    /// The names of the secrets that the user has to give: `["key"]`.
    public var secretNames: [String] {
        let own =
            switch placement {
            case .oauth2: ["client_id", "client_secret"]
            case .cookies: [Self.cookieSecret]
            default: [String]()
            }
        return own + placeholders.filter { !$0.hasPrefix("session.") && !own.contains($0) }
    }

    /// Whether the provider's `session` operation has to run first.
    public var needsSession: Bool { placeholders.contains { $0.hasPrefix("session.") } }

    /// The name under which a login's cookies are stored among the secrets.
    public static let cookieSecret = "cookies"

    /// The cookies that a login has to have; nil for a method without cookies of a login.
    public var neededCookies: [String]? { if case .cookies(let needs) = placement { needs } else { nil } }

    private var placeholders: [String] {
        let templates =
            switch placement {
            case .query(let pairs), .header(let pairs), .cookie(let pairs): pairs.map(\.value)
            case .basic(let user, let password): [user, password]
            case .oauth2, .cookies: [String]()
            }
        var names: [String] = []
        let all = (templates + headers.map(\.value)).flatMap { Template($0).placeholders }
        for name in all where !names.contains(name) { names.append(name) }
        return names
    }
}
