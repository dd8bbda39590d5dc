import ProviderModel

extension ContractReader {
    mutating func limits() throws(ContractViolation) -> Limits {
        var limits = Limits()
        try object { reader, name throws(ContractViolation) in
            switch LimitsField(rawValue: name) {
            case .pageSize: limits.pageSize = try reader.pageSize()
            case .reachable: limits.reachable = try reader.optionalInteger(in: 1...(1 << 40), "a whole number above 0")
            case .text:
                try reader.object { reader, name throws(ContractViolation) in
                    let count = try reader.integer(in: 0...100_000, "a number of characters")
                    switch TextLengthField(rawValue: name) {
                    case .min: limits.textMinimum = count
                    case .max: limits.textMaximum = count
                    case nil: throw reader.unknown(name, in: TextLengthField.self, "min or max")
                    }
                }
            case .rate:
                try reader.array("an array of rates") { reader throws(ContractViolation) in
                    let text = try reader.string("a rate such as 100/60s")
                    guard let rate = Limits.Rate(text) else {
                        throw reader.violation("expected a rate such as 100/60s, found \(text.quoted)")
                    }
                    limits.rates.append(rate)
                }
            case .concurrent:
                limits.concurrent = try reader.optionalInteger(in: 1...1_000, "a number of requests")
            case .reset:
                try reader.object { reader, name throws(ContractViolation) in
                    switch ResetField(rawValue: name) {
                    case .header: limits.resetHeader = try reader.string().lowercased()
                    case .unit: limits.resetUnit = try reader.choice(Limits.ResetUnit.self)
                    case nil: throw reader.unknown(name, in: ResetField.self, "header and unit")
                    }
                }
            case nil:
                throw reader.unknown(
                    name, in: LimitsField.self, "pageSize, reachable, text, rate, concurrent or reset")
            }
        }
        return limits
    }

    private mutating func pageSize() throws(ContractViolation) -> Limits.PageSize {
        var (minimum, maximum, standard): (Int, Int?, Int?) = (1, nil, nil)
        try object { reader, name throws(ContractViolation) in
            let count = try reader.integer(in: 1...100_000, "a whole number above 0")
            switch PageSizeField(rawValue: name) {
            case .min: minimum = count
            case .max: maximum = count
            case .default: standard = count
            case nil: throw reader.unknown(name, in: PageSizeField.self, "min, max and default")
            }
        }
        guard let maximum else { throw missing("max", "a whole number above 0") }
        guard minimum <= maximum else { throw violation("expected min up to \(maximum), found \(minimum)") }
        let size = Limits.PageSize(minimum: minimum, maximum: maximum, default: standard ?? min(20, maximum))
        guard size.clamp(size.default) == size.default else {
            throw violation("expected a default from \(minimum) to \(maximum), found \(size.default)")
        }
        return size
    }

    mutating func terms() throws(ContractViolation) -> Terms {
        var terms = Terms()
        try object { reader, name throws(ContractViolation) in
            switch TermsField(rawValue: name) {
            case .url: terms.url = try reader.optionalURL()
            case .license: terms.license = try reader.optionalString()
            case .cacheAtLeast: terms.cacheAtLeast = try reader.seconds()
            case .cacheAtMost: terms.cacheAtMost = try reader.seconds()
            case .hotlink: terms.allowsHotlinking = try reader.boolean()
            case .attribution: terms.attribution = try reader.optionalString()
            case .notice: terms.notice = try reader.nonEmptyString("a sentence")
            case nil:
                throw reader.unknown(
                    name, in: TermsField.self,
                    "url, license, cacheAtLeast, cacheAtMost, hotlink, attribution or notice")
            }
        }
        if let least = terms.cacheAtLeast, let most = terms.cacheAtMost, least > most {
            throw violation("expected cacheAtMost to be no shorter than cacheAtLeast")
        }
        return terms
    }

    private mutating func seconds() throws(ContractViolation) -> Int {
        let text = try string("a duration such as 24h")
        guard let rate = Limits.Rate("1/\(text)") else {
            throw violation("expected a duration such as 24h, found \(text.quoted)")
        }
        return rate.seconds
    }
}

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

    private func placement(of fields: MethodFields) throws(ContractViolation) -> AuthenticationMethod.Placement {
        guard let type = fields.type else {
            throw missing("type", "one of " + MethodFields.Kind.allCases.map(\.rawValue).joined(separator: ", "))
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
private struct MethodFields {
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
