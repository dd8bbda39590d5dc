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
            case .reset:
                try reader.object { reader, name throws(ContractViolation) in
                    switch ResetField(rawValue: name) {
                    case .header: limits.resetHeader = try reader.string().lowercased()
                    case .unit: limits.resetUnit = try reader.choice(Limits.ResetUnit.self)
                    case nil: throw reader.unknown(name, in: ResetField.self, "header and unit")
                    }
                }
            case nil: throw reader.unknown(name, in: LimitsField.self, "pageSize, reachable, text, rate or reset")
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
        let size = Limits.PageSize(minimum: minimum, maximum: maximum, standard: standard ?? min(20, maximum))
        guard size.clamp(size.standard) == size.standard else {
            throw violation("expected a default from \(minimum) to \(maximum), found \(size.standard)")
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
            case .hotlink: terms.allowsHotlinking = try reader.boolean()
            case .attribution: terms.attribution = try reader.optionalString()
            case nil:
                throw reader.unknown(name, in: TermsField.self, "url, license, cacheAtLeast, hotlink or attribution")
            }
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

    /// The parameters of an operation that is a pair, or has `run`.
    mutating func operationParameters() throws(ContractViolation) -> [ParameterDescription] {
        var parameters: [ParameterDescription] = []
        try object("functions request and parse, or run") { reader, name throws(ContractViolation) in
            guard name == "params" else {
                throw reader.violation("expected params, request, parse and run, found \(name.quoted)")
            }
            try reader.object { reader, name throws(ContractViolation) in
                parameters.append(try reader.parameter(named: name))
            }
        }
        return parameters
    }

    private mutating func parameter(named name: String) throws(ContractViolation) -> ParameterDescription {
        var parameter = ParameterDescription(name: name, kind: .string)
        var hasType = false
        try object { reader, name throws(ContractViolation) in
            switch ParameterField(rawValue: name) {
            case .type:
                parameter.kind = try reader.parameterKind()
                hasType = true
            case .values: parameter.values = try reader.strings()
            case .min: parameter.minimum = try reader.number()
            case .max: parameter.maximum = try reader.number()
            case .join: parameter.separator = try reader.optionalString()
            case .help: parameter.help = try reader.optionalString()
            case .default: parameter.standard = try reader.typedText()
            case nil:
                throw reader.unknown(name, in: ParameterField.self, "type, values, min, max, join, default and help")
            }
        }
        guard hasType else { throw missing("type", "one of choice, list, string, integer, number, boolean") }
        if parameter.kind == .choice, parameter.values.isEmpty { throw missing("values", "what may be chosen") }
        if parameter.separator != nil, parameter.kind != .list {
            throw violation("join: expected it with type: 'list' only, found it with \(parameter.kind.rawValue.quoted)")
        }
        if let standard = parameter.standard {
            do throws(InvalidParameter) { _ = try parameter.value(from: standard) } catch {
                throw violation("default: \(error)")
            }
        }
        return parameter
    }

    private mutating func parameterKind() throws(ContractViolation) -> ParameterDescription.Kind {
        try choice(ParameterDescription.Kind.self)
    }

    /// A default as a user would type it.
    private mutating func typedText() throws(ContractViolation) -> String? {
        if try takeAbsent("a value") { return nil }
        switch peek {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolean() ? "true" : "false"
        case UInt8(ascii: "["): return try strings().joined(separator: ",")
        default: return try number().shortest
        }
    }
}
