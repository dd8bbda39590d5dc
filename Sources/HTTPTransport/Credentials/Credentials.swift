import ProviderModel

/// A way to authenticate together with the secrets for it.
///
/// Never printed, logged or sent to a script; `masked` may be shown.
package struct Credentials: Sendable {
    /// Whose credentials these are.
    package let provider: ProviderID
    /// Where the secrets go.
    package let method: AuthenticationMethod
    /// What the provider's own login gave.
    package var session: SessionValues
    /// The token of an OAuth 2 way, once there is one.
    package var accessToken: String?
    /// The user's secrets by name: `key`, `user`, `client_id`.
    let secrets: [String: String]

    /// The first way whose secrets are all given; nil when there is none.
    package init?(
        provider: ProviderID,
        methods: [AuthenticationMethod],
        secrets: [String: String],
        session: SessionValues = SessionValues()
    ) {
        let given = secrets.filter { !$0.value.isEmpty }
        guard let method = methods.first(where: { $0.secretNames.allSatisfy { given[$0] != nil } }) else { return nil }
        self.provider = provider
        self.method = method
        self.session = session
        self.secrets = given
    }

    /// What masks these secrets, in every form, in any text.
    package var redaction: SecretRedaction {
        var values = Array(secrets.values) + Array(session.values.values)
        if let accessToken { values.append(accessToken) }
        if case .basic(let user, let password) = method.placement {
            values.append("\(fill(user) ?? ""):\(fill(password) ?? "")")
        }
        return SecretRedaction(values)
    }

    /// Where secrets go, without them.
    package var masked: MaskedCredentials {
        switch method.placement {
        case .query(let pairs): MaskedCredentials(query: pairs.map(\.name))
        case .header(let pairs): MaskedCredentials(headers: pairs.map { "\($0.name): \(Template($0.value).masked)" })
        case .cookie(let pairs): MaskedCredentials(headers: pairs.map { "Cookie: \($0.name)=***" })
        case .basic: MaskedCredentials(headers: ["Authorization: Basic ***"])
        case .oauth2: MaskedCredentials(headers: ["Authorization: Bearer ***"])
        }
    }

    /// An identity of the requester, made of the user's secrets: for keyed hashes only, never to be stored.
    ///
    /// Sessions and tokens, which come and go, are no part of it.
    package var identityMaterial: [UInt8] {
        let parts = ["\(provider)"] + secrets.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return Array(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    }

    /// The text of a template; nil when a value it needs is not there, such as a session not yet begun.
    func fill(_ text: String) -> String? {
        let template = Template(text)
        let values = template.placeholders.map { secrets[$0] ?? session.value(of: $0) }
        guard !values.contains(nil) else { return nil }
        return template.filled { secrets[$0] ?? session.value(of: $0) }
    }
}

/// What a provider's `session` operation gave: the values of `{session.NAME}` in its authentication templates.
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

extension Template {
    fileprivate var masked: String { filled { _ in "***" } }
}
