import FoundationEssentials
import HTTPTypes
import ProviderModel

/// An authentication method with the secrets for it.
///
/// Never printed, logged or sent to a script; `masked` may be shown.
package struct Credentials: Sendable {
    /// The owner of the secrets.
    package let owner: SecretOwner
    /// The method, which says where the secrets are sent.
    package let method: AuthenticationMethod
    /// The values of the provider's `session` operation.
    package var session: SessionValues
    /// The OAuth 2 access token, once it is fetched.
    package var accessToken: String?
    /// The cookies of the user's login that the method sends.
    package let cookies: [Cookie]
    /// The user's login by OAuth.
    package let login: OAuthLogin?
    /// Whether requests are those of the provider's `session` operation.
    package var isForSession = false
    /// The `Cookie` line of one request, once it is known where that goes.
    var cookieLine: String?
    /// The user's secrets by name: `key`, `user`, `client_id`.
    let secrets: [String: String]

    /// Creates credentials by the first method whose secrets are all given; nil when there is none.
    package init?(
        provider: ProviderID,
        methods: [AuthenticationMethod],
        secrets: [String: String],
        session: SessionValues = SessionValues(),
        cookies: [Cookie] = [],
        login: OAuthLogin? = nil,
        owner: SecretOwner? = nil
    ) {
        var given = secrets.filter { !$0.value.isEmpty }
        // Of cookies and logins only those that were read count.
        given[AuthenticationMethod.cookieSecret] = cookies.isEmpty ? nil : "cookies"
        given[AuthenticationMethod.loginSecret] = login == nil ? nil : "login"
        guard let method = methods.first(where: { $0.secretNames.allSatisfy { given[$0] != nil } }) else { return nil }
        given[AuthenticationMethod.cookieSecret] = nil
        given[AuthenticationMethod.loginSecret] = nil
        self.login = method.hasLogin ? login : nil
        self.owner = owner ?? SecretOwner(provider)
        self.cookies = method.neededCookies == nil ? [] : cookies
        self.method = method
        self.session = session
        self.secrets = given
    }

    /// The provider that the secrets belong to.
    package var provider: ProviderID { owner.provider }

    /// Masks these secrets, in every encoding, in any text.
    package var redaction: SecretRedaction {
        let named = [secrets, session.values].flatMap { $0.filter { !AuthenticationMethod.isPublic($0.key) }.values }
        var values = named + secretValues(of: cookies)
        values += login?.secrets ?? []
        if let accessToken { values.append(accessToken) }
        if case .basic(let user, let password) = method.placement {
            values.append("\(fill(user) ?? ""):\(fill(password) ?? "")")
        }
        return SecretRedaction(values)
    }

    /// The places that secrets are sent in, with `***` for the secrets.
    package var masked: MaskedCredentials {
        var masked =
            switch method.placement {
            case .query(let pairs): MaskedCredentials(query: pairs.map(\.name))
            case .header(let pairs):
                MaskedCredentials(headers: pairs.map { "\($0.name): \(shown($0.value))" })
            case .cookie(let pairs): MaskedCredentials(headers: pairs.map { "Cookie: \($0.name)=***" })
            case .basic: MaskedCredentials(headers: ["Authorization: Basic ***"])
            case .oauth2: MaskedCredentials(headers: ["Authorization: Bearer ***"])
            case .oauth1: MaskedCredentials(headers: ["Authorization: OAuth ***"])
            case .hmac(let signature): MaskedCredentials(query: signature.query.map(\.name))
            case .session: MaskedCredentials(headers: isForSession ? [] : ["Cookie: ***"])
            case .cookies(let needs):
                MaskedCredentials(headers: ["Cookie: \(needs.isEmpty ? "***" : Self.masked(needs))"])
            }
        masked.headers += method.headers.map { "\($0.name): \(shown($0.value))" }
        if isForSession { masked.headers += method.body.map { "body: \($0.name)=***" } }
        return masked
    }

    /// A template filled with what may be shown.
    private func shown(_ text: String) -> String {
        Template(text).filled { AuthenticationMethod.isPublic($0) ? secrets[$0] ?? "***" : "***" }
    }

    private static func masked(_ names: [String]) -> String { names.map { "\($0)=***" }.joined(separator: "; ") }

    /// The values of cookies that are secrets: those that a login needs, and whatever is too long to be a word.
    ///
    /// Others, such as `theme=dark`, would mask words of every text; so would the number of the user's account.
    func secretValues(of cookies: [Cookie]) -> [String] {
        let needs = method.neededCookies ?? []
        return cookies.filter { cookie in
            cookie.value.utf8.count >= 16 || needs.contains(cookie.name) && !cookie.isNumber
        }.map(\.value)
    }

    /// An identity of the requester, made of the user's secrets: for keyed hashes only, never to be stored.
    ///
    /// Sessions and tokens, which come and go, are no part of it; neither are cookies but those that a login needs.
    package var identityMaterial: [UInt8] {
        let needs = method.neededCookies ?? []
        let login = cookies.filter { needs.isEmpty || needs.contains($0.name) }.map { ($0.name, $0.value) }
        let known = self.login.map { [("login", $0.id)] } ?? []
        let pairs = secrets.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } + login.sorted { $0 < $1 } + known
        let parts = ["\(provider)"] + pairs.flatMap { [$0.0, $0.1] }
        return Array(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    }

    /// Fills a template; nil when a value is missing, such as one of a session that has not begun.
    func fill(_ text: String) -> String? {
        let template = Template(text)
        let values = template.placeholders.map { secrets[$0] ?? session.value(of: $0) }
        guard !values.contains(nil) else { return nil }
        return template.filled { secrets[$0] ?? session.value(of: $0) }
    }
}

/// The values that a provider's `session` operation returned, for `{session.NAME}` in its authentication templates.
package struct SessionValues: Hashable, Sendable {
    /// Values by name, without the `session.` prefix.
    package var values: [String: String]

    /// Values by name.
    package init(_ values: [String: String] = [:]) { self.values = values }

    /// The value of a placeholder such as `session.token`; nil for other placeholders and unknown names.
    package func value(of placeholder: String) -> String? {
        guard placeholder.hasPrefix("session.") else { return nil }
        return values[String(placeholder.dropFirst("session.".count))]
    }
}

/// The places where credentials go, for display.
package struct MaskedCredentials: Hashable, Sendable {
    /// Names of query pairs.
    package var query: [String] = []
    /// Header lines with `***` for every secret.
    package var headers: [String] = []
}

extension Cookie {
    /// Whether the value is a short number: an account's, or a count, but nothing that proves a login.
    fileprivate var isNumber: Bool { value.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
