import ProviderModel

/// The permissions of a provider.
///
/// Computed from its manifest, shown before its pack is installed, stored in the lockfile, compared with those of the next
/// version, and checked whenever the provider is loaded. Software that runs on many servers has `{instance}` among its hosts.
package struct ProviderPermissions: Hashable, Sendable {
    /// The hosts that requests, and the user's secrets, may be sent to.
    package var hosts: [HostPattern]
    /// The hosts that image files may come from.
    package var mediaHosts: [HostPattern]
    /// The kinds of credentials it uses, in its order of preference.
    package var credentials: [CredentialKind]
    /// The methods of requests that carry credentials, besides GET and HEAD.
    package var methods: [ProviderRequest.Method]
    /// Whether every operation requires a key; not a permission.
    package var needsKey: Bool

    /// Permissions.
    package init(
        hosts: [HostPattern] = [], mediaHosts: [HostPattern] = [], credentials: [CredentialKind] = [],
        methods: [ProviderRequest.Method] = [], needsKey: Bool = false
    ) {
        self.hosts = hosts
        self.mediaHosts = mediaHosts
        self.credentials = credentials
        self.methods = methods
        self.needsKey = needsKey
    }

    /// The permissions that a manifest declares.
    package init(_ manifest: ProviderManifest) {
        var kinds: [CredentialKind] = []
        for kind in manifest.authentication.map(CredentialKind.init) where !kinds.contains(kind) { kinds.append(kind) }
        self.init(
            hosts: manifest.hosts, mediaHosts: manifest.mediaHosts, credentials: kinds,
            methods: kinds.isEmpty ? [] : Self.changing(manifest.methods ?? [.post]), needsKey: manifest.needsKey)
    }

    /// Those of the methods that may change something, each once.
    private static func changing(_ methods: [ProviderRequest.Method]) -> [ProviderRequest.Method] {
        ProviderRequest.Method.allCases.filter { !$0.isSafe && methods.contains($0) }
    }

    /// What these permissions allow and others do not; nil for the others means none.
    package func subtracting(_ other: ProviderPermissions?) -> ProviderPermissions {
        guard let other else { return self }
        return ProviderPermissions(
            hosts: hosts.filter { !other.hosts.contains($0) },
            mediaHosts: mediaHosts.filter { !other.mediaHosts.contains($0) },
            credentials: credentials.filter { !other.credentials.contains($0) },
            methods: methods.filter { !other.methods.contains($0) }, needsKey: needsKey)
    }

    /// What is allowed, in phrases such as `requests to a.example, b.example`; empty for nothing.
    package var phrases: [String] {
        [
            ("requests to", hosts.map(\.description)), ("images from", mediaHosts.map(\.description)),
            ("credentials", credentials.map(\.rawValue)), ("with them", methods.map(\.rawValue)),
        ]
        .filter { !$0.1.isEmpty }.map { "\($0) \($1.joined(separator: ", "))" }
    }
}

extension ProviderPermissions: Codable {
    private enum CodingKeys: String, CodingKey {
        case hosts, mediaHosts, credentials, methods, needsKey
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func patterns(_ key: CodingKeys) throws -> [HostPattern] {
            try container.decode([String].self, forKey: key).map { text in
                guard let pattern = HostPattern(text) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: container, debugDescription: "expected hosts, found \(text.quoted)")
                }
                return pattern
            }
        }
        let kinds = try container.decode([String].self, forKey: .credentials).map { text in
            guard let kind = CredentialKind(rawValue: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .credentials, in: container,
                    debugDescription: "expected kinds of credentials, found \(text.quoted)")
            }
            return kind
        }
        let methods = try container.decode([String].self, forKey: .methods).map { text in
            guard let method = ProviderRequest.Method(rawValue: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .methods, in: container, debugDescription: "expected methods, found \(text.quoted)")
            }
            return method
        }
        self.init(
            hosts: try patterns(.hosts), mediaHosts: try patterns(.mediaHosts), credentials: kinds, methods: methods,
            needsKey: try container.decode(Bool.self, forKey: .needsKey))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hosts.map(\.description), forKey: .hosts)
        try container.encode(mediaHosts.map(\.description), forKey: .mediaHosts)
        try container.encode(credentials.map(\.rawValue), forKey: .credentials)
        try container.encode(methods.map(\.rawValue), forKey: .methods)
        try container.encode(needsKey, forKey: .needsKey)
    }
}

/// How secrets are sent.
package enum CredentialKind: String, Hashable, Sendable, CaseIterable {
    case query
    case header
    case cookie
    case basic
    case oauth2
    /// The tokens of the user's login on a page of the source.
    case login
    /// A signature of each request, made with a key.
    case signature
    /// The user's name and password, or the like, in the body of the provider's own login.
    case password
    /// The cookies of the user's login in a browser.
    case cookies
    /// The values of the provider's own login; the user gives no secret.
    case session

    /// The kind of an authentication method.
    package init(_ method: AuthenticationMethod) {
        if method.secretNames.isEmpty {
            self = .session
            return
        }
        guard method.body.isEmpty else {
            self = .password
            return
        }
        guard !method.hasLogin else {
            self = .login
            return
        }
        self =
            switch method.placement {
            case .query: .query
            case .header: .header
            case .cookie: .cookie
            case .basic: .basic
            case .oauth2: .oauth2
            case .oauth1, .hmac: .signature
            case .session: .session
            case .cookies: .cookies
            }
    }
}
