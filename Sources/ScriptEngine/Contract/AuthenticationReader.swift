import ProviderModel

extension ContractReader {
    /// Reads one method of authentication, or several in order of preference.
    mutating func authentication() throws(ContractViolation) -> [AuthenticationMethod] {
        guard peek() == UInt8(ascii: "[") else { return [try authenticationMethod()] }
        var methods: [AuthenticationMethod] = []
        try array { reader throws(ContractViolation) in methods.append(try reader.authenticationMethod()) }
        return methods
    }

    private mutating func authenticationMethod() throws(ContractViolation) -> AuthenticationMethod {
        var fields = MethodFields()
        try object("an authentication method") { reader, name throws(ContractViolation) in
            switch AuthField(rawValue: name) {
            case .type: fields.type = try reader.choice(MethodFields.Kind.self)
            case .name: fields.name = try reader.nonEmptyString("a name")
            case .template: fields.template = try reader.string()
            case .fields: fields.fields = try reader.namedStrings()
            case .user: fields.user = try reader.string()
            case .password: fields.password = try reader.string()
            case .token: fields.token = try reader.url()
            case .scope: fields.scope = try reader.optionalString()
            case .authorize: fields.authorize = try reader.url()
            case .device: fields.device = try reader.url()
            case .request: fields.request = try reader.url()
            case .needs: fields.needs = try reader.cookieNames()
            case .headers: fields.headers = try reader.namedStrings()
            case .body: fields.body = try reader.namedStrings()
            case .hash: fields.hash = try reader.choice(RequestSignature.Hash.self)
            case .key: fields.key = try reader.nonEmptyString("a template")
            case .sign: fields.sign = try reader.nonEmptyString("a template")
            case .encoding: fields.encoding = try reader.choice(RequestSignature.Encoding.self)
            case .query: fields.query = try reader.namedStrings()
            case .optional: fields.isOptional = try reader.boolean()
            case .help: fields.help = try reader.optionalString()
            case .limits: fields.limits = try reader.limits()
            case nil: throw reader.unknown(name, in: AuthField.self, "a field of auth")
            }
        }
        return AuthenticationMethod(
            placement: try placement(of: fields), headers: fields.headers, body: fields.body,
            isOptional: fields.isOptional, help: fields.help, limits: fields.limits)
    }

    private mutating func cookieNames() throws(ContractViolation) -> [String] {
        var names: [String] = []
        try array("an array of names of cookies") { reader throws(ContractViolation) in
            names.append(try reader.nonEmptyString("the name of a cookie"))
        }
        return names
    }

    private func placement(of fields: MethodFields) throws(ContractViolation) -> AuthenticationMethod.Placement {
        guard let type = fields.type else {
            throw missing("type", "one of " + MethodFields.Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        switch type {
        case .basic: return .basic(user: fields.user ?? "{user}", password: fields.password ?? "{password}")
        case .bearer: return .header([NamedValue("Authorization", "Bearer " + (fields.template ?? "{key}"))])
        case .oauth2:
            guard let token = fields.token else { throw missing("token", "the URL that gives access tokens") }
            return .oauth2(
                OAuth2Endpoints(
                    token: token, scope: fields.scope, authorize: fields.authorize, device: fields.device))
        case .oauth1: return .oauth1(try oauth1Endpoints(of: fields))
        case .hmac: return .hmac(try signature(of: fields))
        case .cookies: return .cookies(needs: fields.needs)
        case .session: return .session
        case .query, .header, .cookie:
            let pairs = fields.name.map { [NamedValue($0, fields.template ?? "{key}")] } ?? fields.fields
            guard !pairs.isEmpty else { throw missing("name", "the name under which the key is sent") }
            return type == .query ? .query(pairs) : type == .header ? .header(pairs) : .cookie(pairs)
        }
    }

    private func oauth1Endpoints(of fields: MethodFields) throws(ContractViolation) -> OAuth1Endpoints {
        let endpoints = OAuth1Endpoints(request: fields.request, authorize: fields.authorize, token: fields.token)
        let members = [("request", endpoints.request), ("authorize", endpoints.authorize), ("token", endpoints.token)]
        // A login takes all three steps.
        guard members.contains(where: { $0.1 != nil }), let (name, _) = members.first(where: { $0.1 == nil }) else {
            return endpoints
        }
        throw missing(name, "a URL: a login needs request, authorize and token")
    }

    private func signature(of fields: MethodFields) throws(ContractViolation) -> RequestSignature {
        guard let sign = fields.sign else { throw missing("sign", "the template of the text that is signed") }
        let signature = RequestSignature(
            hash: fields.hash, key: fields.key ?? "{secret}", text: sign, encoding: fields.encoding,
            query: fields.query)
        if let name = signature.unknownParts(in: fields.headers).first {
            let parts = RequestSignature.Part.allCases.map { "request.\($0.rawValue)" }
            throw violation("expected \(parts.joined(separator: ", ")) in templates, found {\(name)}")
        }
        let places = (fields.query + fields.headers).map { Template($0.value).placeholders }
        guard places.contains(where: { $0.contains(RequestSignature.placeholder) }) else {
            throw missing("query", "a place for the signature: {signature} in query or headers")
        }
        return signature
    }
}

/// What an entry of `auth` says, before it is known to make sense.
private struct MethodFields {
    enum Kind: String, CaseIterable {
        case query, header, cookie, cookies, basic, bearer, oauth1, oauth2, hmac, session
    }

    var type: Kind?
    var name: String?
    var template: String?
    var fields: [NamedValue] = []
    var user: String?
    var password: String?
    var token: WebURL?
    var scope: String?
    var authorize: WebURL?
    var device: WebURL?
    var request: WebURL?
    var needs: [String] = []
    var headers: [NamedValue] = []
    var body: [NamedValue] = []
    var hash = RequestSignature.Hash.sha256
    var key: String?
    var sign: String?
    var encoding = RequestSignature.Encoding.hex
    var query: [NamedValue] = []
    var isOptional = false
    var help: String?
    var limits: Limits?
}
