/// Any JSON value through any coder, whose containers keep what they can: numbers are doubles where they are no integers.
extension JSONValue: Codable {
    /// Reads whatever value comes next.
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberName.self) {  // else it is no object
            self = .object(
                try container.allKeys.map { Member($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
        } else if var container = try? decoder.unkeyedContainer() {  // else it is no array
            var values: [JSONValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        // What a value is not, is found out by asking.
        if container.decodeNil() { return .null }
        if let flag = try? container.decode(Bool.self) { return .boolean(flag) }
        if let number = try? container.decode(Int.self) { return .number(String(number)) }
        if let number = try? container.decode(Double.self) { return .number(number.shortest) }
        return .text(try container.decode(String.self))
    }

    /// Writes the value.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for member in members { try container.encode(member.value, forKey: MemberName(member.name)) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .boolean(let flag): try container.encode(flag)
            case .text(let text): try container.encode(text)
            case .number(let literal):
                if let number = Int(literal) {
                    try container.encode(number)
                } else {
                    try container.encode(Double(literal) ?? .nan)  // a literal is a number
                }
            default: try container.encodeNil()
            }
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
