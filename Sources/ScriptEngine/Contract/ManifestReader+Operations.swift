import ProviderModel

/// What an operation says beside its functions.
struct OperationOptions {
    /// Its own parameters.
    var parameters: [ParameterDescription] = []
    /// Whether it lists what lies around a point.
    var takesPoint = false
}

extension ContractReader {
    /// What an operation that is a pair, or has `run`, says beside its functions.
    mutating func operationOptions() throws(ContractViolation) -> OperationOptions {
        var options = OperationOptions()
        try object("functions request and parse, or run") { reader, name throws(ContractViolation) in
            switch OperationField(rawValue: name) {
            case .params:
                try reader.object { reader, name throws(ContractViolation) in
                    options.parameters.append(try reader.parameter(named: name))
                }
            case .near: options.takesPoint = try reader.boolean()
            case nil: throw reader.unknown(name, in: OperationField.self, "params, near, request, parse and run")
            }
        }
        return options
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
