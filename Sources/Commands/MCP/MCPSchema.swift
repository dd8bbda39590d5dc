import ProviderModel

/// The part of JSON Schema (2020-12) that describes the arguments of tools.
enum MCPSchema {
    /// Checks a value; throws what was found and what was expected.
    static func check(_ value: JSONValue, _ schema: JSONValue, _ name: String) throws(MCPTool.Failure) {
        let type = schema["type"]?.textValue ?? "object"
        let range = Range(schema)
        func check(_ count: Int, _ unit: String = "") throws(MCPTool.Failure) {
            guard !range.contains(count) else { return }
            throw MCPTool.Failure("\(name): found \(count)\(unit) (expected \(range)\(unit))")
        }
        switch (type, value) {
        case ("boolean", .boolean): break
        case ("integer", .number(let literal)):
            guard let number = integer(literal) else {
                throw MCPTool.Failure("\(name): found \(literal) (expected an integer)")
            }
            try check(number)
        case ("string", .text(let text)):
            try check(text.unicodeScalars.count, " characters")
            let choices = (schema["enum"]?.elements ?? []).compactMap(\.textValue)
            guard !choices.isEmpty, !choices.contains(text) else { break }
            let hint = text.suggestion(among: choices, expected: choices.joined(separator: ", "))
            throw MCPTool.Failure("\(name): unknown value \(text.quoted)\(hint)")
        case ("array", .array(let values)):
            try check(values.count, " values")
            for (index, value) in values.enumerated() {
                try Self.check(value, schema["items"] ?? [:], "\(name)[\(index)]")
            }
        case ("object", .object(let members)): try Self.check(members, schema, name)
        default: throw MCPTool.Failure("\(name): found a value of type \(value.kind) (expected \(type))")
        }
    }

    private static func check(
        _ members: [JSONValue.Member], _ schema: JSONValue, _ name: String
    ) throws(MCPTool.Failure) {
        let known = schema["properties"]?.members ?? []
        for member in members {
            guard let property = known.first(where: { $0.name == member.name }) else {
                let names = known.map(\.name)
                let hint = member.name.suggestion(among: names, expected: names.joined(separator: ", "))
                throw MCPTool.Failure("\(name): unknown argument \(member.name.quoted)\(hint)")
            }
            // A null stands for nothing, as many clients send it.
            if member.value != .null { try check(member.value, property.value, member.name) }
        }
        for required in (schema["required"]?.elements ?? []).compactMap(\.textValue)
        where !members.contains(where: { $0.name == required && $0.value != .null }) {
            throw MCPTool.Failure("\(name): \(required) is missing")
        }
    }

    /// `10` and `10.0` are the same integer (JSON Schema, Core §4.2.3).
    static func integer(_ literal: String) -> Int? { Int(literal) ?? Double(literal).flatMap { Int(exactly: $0) } }

    /// How large a number may be, or how long a text or an array.
    private struct Range: CustomStringConvertible {
        private let least: Int?
        private let most: Int?

        init(_ schema: JSONValue) {
            func bound(_ names: [String]) -> Int? { names.compactMap { schema[$0]?.integerValue }.first }
            least = bound(["minimum", "minLength", "minItems"])
            most = bound(["maximum", "maxLength", "maxItems"])
        }

        func contains(_ count: Int) -> Bool { count >= least ?? count && count <= most ?? count }

        var description: String { least.map { "\($0) to \(most ?? .max)" } ?? "at most \(most ?? .max)" }
    }
}
