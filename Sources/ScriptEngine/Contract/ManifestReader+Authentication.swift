import ProviderModel

extension ContractReader {
    /// Reads one way to authenticate, or several in order of preference.
    mutating func authentication() throws(ContractViolation) -> [AuthenticationMethod] {
        guard peek == UInt8(ascii: "[") else { return [try way()] }
        var ways: [AuthenticationMethod] = []
        try list { reader throws(ContractViolation) in ways.append(try reader.way()) }
        return ways
    }

    private mutating func way() throws(ContractViolation) -> AuthenticationMethod {
        var fields = WayFields()
        try object("a way to authenticate") { reader, name throws(ContractViolation) in
            switch AuthField(rawValue: name) {
            case .type: fields.type = try reader.choice(WayFields.Kind.self)
            case .name: fields.name = try reader.nonEmptyString("a name")
            case .template: fields.template = try reader.string()
            case .fields: fields.fields = try reader.namedStrings()
            case .user: fields.user = try reader.string()
            case .password: fields.password = try reader.string()
            case .token: fields.token = try reader.url()
            case .scope: fields.scope = try reader.optionalString()
            case .optional: fields.isOptional = try reader.boolean()
            case .help: fields.help = try reader.optionalString()
            case .limits: fields.limits = try reader.limits()
            case nil: throw reader.unknown(name, in: AuthField.self, "a field of auth")
            }
        }
        return AuthenticationMethod(
            placement: try placement(of: fields), isOptional: fields.isOptional, help: fields.help,
            limits: fields.limits)
    }

    private func placement(of fields: WayFields) throws(ContractViolation) -> AuthenticationMethod.Placement {
        guard let type = fields.type else {
            throw missing("type", "one of " + WayFields.Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        switch type {
        case .basic: return .basic(user: fields.user ?? "{user}", password: fields.password ?? "{password}")
        case .bearer: return .header([NamedValue("Authorization", "Bearer " + (fields.template ?? "{key}"))])
        case .oauth2:
            guard let token = fields.token else { throw missing("token", "the URL that gives access tokens") }
            return .oauth2(token: token, scope: fields.scope)
        case .query, .header, .cookie:
            let pairs = fields.name.map { [NamedValue($0, fields.template ?? "{key}")] } ?? fields.fields
            guard !pairs.isEmpty else { throw missing("name", "the name under which the key is sent") }
            return type == .query ? .query(pairs) : type == .header ? .header(pairs) : .cookie(pairs)
        }
    }
}

/// What an entry of `auth` says, before it is known to make sense.
private struct WayFields {
    enum Kind: String, CaseIterable {
        case query, header, cookie, basic, bearer, oauth2
    }

    var type: Kind?
    var name: String?
    var template: String?
    var fields: [NamedValue] = []
    var user: String?
    var password: String?
    var token: WebURL?
    var scope: String?
    var isOptional = false
    var help: String?
    var limits: Limits?
}
