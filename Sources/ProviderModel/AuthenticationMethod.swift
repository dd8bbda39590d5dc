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
        /// OAuth 2: the access token of the client, or of a user's login, goes into a bearer header.
        case oauth2(OAuth2Endpoints)
        /// OAuth 1.0a: every request is signed for the client, or for a user's login (RFC 5849).
        case oauth1(OAuth1Endpoints)
        /// A signature of every request, made with a secret.
        case hmac(RequestSignature)
        /// The cookies of a browser's login, among them those of these names.
        case cookies(needs: [String])
        /// The cookies that the provider's `session` operation was given.
        case session
    }

    /// Where the secrets are sent.
    public var placement: Placement
    /// Header lines that are sent besides; templates, too.
    public var headers: [NamedValue]
    /// Fields that are added to the body of the `session` operation's requests; templates, too.
    public var body: [NamedValue]
    /// Whether requests may be sent without a key, which then only raises limits.
    public var isOptional: Bool
    /// The URL or sentence that says where keys are issued.
    public var help: String?
    /// Limits that replace the provider's own while this method is used; nil for none.
    public var limits: Limits?

    /// Creates a method.
    package init(
        placement: Placement, headers: [NamedValue] = [], body: [NamedValue] = [], isOptional: Bool = false,
        help: String? = nil, limits: Limits? = nil
    ) {
        self.placement = placement
        self.headers = headers
        self.body = body
        self.isOptional = isOptional
        self.help = help
        self.limits = limits
    }

    /// The names of the secrets that the user has to give: `["key"]`.
    public var secretNames: [String] {
        let own =
            switch placement {
            case .oauth2 where hasLogin: ["client_id", Self.loginSecret]
            case .oauth1 where hasLogin: ["client_id", "client_secret", Self.loginSecret]
            case .oauth1, .oauth2: ["client_id", "client_secret"]
            case .cookies: [Self.cookieSecret]
            default: [String]()
            }
        let computed = ["session.", "request."]
        return own
            + placeholders.filter { name in
                name != RequestSignature.placeholder && !own.contains(name) && !computed.contains(where: name.hasPrefix)
            }
    }

    /// The names of secrets that are used where the user has them: some clients of OAuth 2 have no secret.
    public var optionalSecretNames: [String] {
        if case .oauth2 = placement, hasLogin { ["client_secret"] } else { [] }
    }

    /// The names of those secrets that the user types: neither a login nor its cookies.
    public var typedSecretNames: [String] {
        secretNames.filter { $0 != Self.cookieSecret && $0 != Self.loginSecret }
    }

    /// Whether a value of this name may be shown: it names the user, as the source does on its pages.
    ///
    /// Masked, it would take words out of texts and addresses that have nothing to do with a login.
    public static func isPublic(_ name: String) -> Bool { publicNames.contains(name.lowercased()) }

    private static let publicNames: Set = [
        "user", "username", "user_name", "user_id", "userid", "login_name", "account", "email", "user_agent",
    ]

    /// Whether users log in on a page of the source, which gives the program tokens of its own.
    public var hasLogin: Bool {
        switch placement {
        case .oauth2(let endpoints): endpoints.authorize != nil || endpoints.device != nil
        case .oauth1(let endpoints): endpoints.authorize != nil
        default: false
        }
    }

    /// Whether the provider's `session` operation has to run first.
    public var needsSession: Bool { placement == .session || placeholders.contains { $0.hasPrefix("session.") } }

    /// The names of the query pairs that only carry credentials.
    package var queryNames: [String] {
        if case .query(let pairs) = placement { pairs.map(\.name) } else { [] }
    }

    /// The names of the values of a session that requests are sent with.
    public var sessionNames: [String] {
        placeholders.filter { $0.hasPrefix("session.") }.map { String($0.dropFirst("session.".count)) }
    }

    /// The name under which a login's cookies are stored among the secrets.
    public static let cookieSecret = "cookies"

    /// The name under which a login's tokens are stored among the secrets.
    public static let loginSecret = "login"

    /// The cookies that a login has to have; nil for a method without cookies of a login.
    public var neededCookies: [String]? { if case .cookies(let needs) = placement { needs } else { nil } }

    /// Whether cookies are kept: those of a login in a browser, or of the provider's own.
    public var keepsCookies: Bool { neededCookies != nil || placement == .session }

    /// The URLs that requests for tokens go to.
    package var tokenURLs: [WebURL] {
        switch placement {
        case .oauth2(let endpoints): [endpoints.token, endpoints.device].compactMap(\.self)
        case .oauth1(let endpoints): [endpoints.request, endpoints.token].compactMap(\.self)
        default: []
        }
    }

    private var placeholders: [String] {
        let templates =
            switch placement {
            case .query(let pairs), .header(let pairs), .cookie(let pairs): pairs.map(\.value)
            case .basic(let user, let password): [user, password]
            case .hmac(let signature): [signature.key, signature.text] + signature.query.map(\.value)
            case .oauth1, .oauth2, .cookies, .session: [String]()
            }
        var names: [String] = []
        let all = (templates + (headers + body).map(\.value)).flatMap { Template($0).placeholders }
        for name in all where !names.contains(name) { names.append(name) }
        return names
    }
}

/// Where OAuth 2 tokens are issued (RFC 6749).
public struct OAuth2Endpoints: Hashable, Sendable {
    /// The token endpoint.
    public var token: WebURL
    /// What is asked for.
    public var scope: String?
    /// The page on which users log in and agree; nil where the program cannot open it.
    public var authorize: WebURL?
    /// Where a code for another device is issued (RFC 8628); nil where there is none.
    public var device: WebURL?

    /// Creates endpoints; without a page or device code, tokens are those of the client alone.
    package init(token: WebURL, scope: String? = nil, authorize: WebURL? = nil, device: WebURL? = nil) {
        self.token = token
        self.scope = scope
        self.authorize = authorize
        self.device = device
    }
}

/// Where OAuth 1.0a tokens are issued (RFC 5849 §2).
public struct OAuth1Endpoints: Hashable, Sendable {
    /// Where temporary credentials are issued.
    public var request: WebURL?
    /// The page on which users log in and agree.
    public var authorize: WebURL?
    /// Where the token is issued.
    public var token: WebURL?

    /// Creates endpoints; without any, requests are signed for the client alone.
    package init(request: WebURL? = nil, authorize: WebURL? = nil, token: WebURL? = nil) {
        self.request = request
        self.authorize = authorize
        self.token = token
    }
}

/// What is signed with a secret, and how: an HMAC (RFC 2104).
public struct RequestSignature: Hashable, Sendable {
    /// The hash function.
    public enum Hash: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha512
    }

    /// How the signature is written.
    public enum Encoding: String, Sendable, CaseIterable {
        case hex, base64, base64url
    }

    /// The name that stands for the signature in templates of headers and the query.
    public static let placeholder = "signature"

    /// What of the request, and of the time, may stand in templates.
    public enum Part: String, Sendable, CaseIterable {
        case method, scheme, host, path, target, query, url, body, timestamp, milliseconds, date, nonce
        /// Path and query with the query's pairs in order.
        case sortedTarget
        /// The query with its pairs in order.
        case sortedQuery
        /// The digest of the body in hexadecimal.
        case bodyDigest

        /// The part that `request.NAME` stands for.
        public init?(placeholder: String) {
            guard placeholder.hasPrefix("request.") else { return nil }
            self.init(rawValue: String(placeholder.dropFirst("request.".count)))
        }
    }

    /// The hash function.
    public var hash: Hash
    /// The template of the key.
    public var key: String
    /// The template of the text that is signed.
    public var text: String
    /// How the signature is written.
    public var encoding: Encoding
    /// Pairs that are added to the query, as templates; those without the signature are signed themselves.
    public var query: [NamedValue]

    /// Creates the description of a signature.
    package init(
        hash: Hash = .sha256, key: String, text: String, encoding: Encoding = .hex, query: [NamedValue] = []
    ) {
        self.hash = hash
        self.key = key
        self.text = text
        self.encoding = encoding
        self.query = query
    }

    /// Placeholders in templates that stand for nothing: `request.pth`.
    package func unknownParts(in headers: [NamedValue]) -> [String] {
        ([key, text] + (query + headers).map(\.value)).flatMap { Template($0).placeholders }
            .filter { $0.hasPrefix("request.") && Part(placeholder: $0) == nil }
    }
}
