/// Any JSON value, with members in the order they came and numbers as they were written.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// The literal: `12`, `1.0`, `1e3`.
    case number(String)
    case text(String)
    case array([JSONValue])
    case object([Member])

    /// A name with its value.
    package struct Member: Hashable, Sendable {
        /// The name.
        package var name: String
        /// What stands behind it.
        package var value: JSONValue

        /// Creates a member.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Parses a JSON text.
    ///
    /// - Throws: ``InvalidJSON``, which says at which byte the text is none.
    package init(parsing bytes: some Sequence<UInt8>) throws(InvalidJSON) {
        var reader = try JSONReader(Array(bytes))
        try self.init(&reader)
        try reader.end()
    }

    /// Reads the next value of a text.
    package init(_ reader: inout JSONReader) throws(InvalidJSON) {
        switch reader.peek() {
        case UInt8(ascii: "\""): self = .text(try reader.string())
        case UInt8(ascii: "t"):
            try reader.word("true")
            self = .boolean(true)
        case UInt8(ascii: "f"):
            try reader.word("false")
            self = .boolean(false)
        case UInt8(ascii: "n"):
            try reader.word("null")
            self = .null
        case UInt8(ascii: "{"): self = .object(try reader.nested(Self.members))
        case UInt8(ascii: "["): self = .array(try reader.nested(Self.elements))
        default: self = .number(String(decoding: try reader.numberLiteral(), as: UTF8.self))
        }
    }

    /// The value that a body holds; nil when it is none of JSON.
    package static func found(in bytes: some Sequence<UInt8>) -> JSONValue? {
        do throws(InvalidJSON) { return try JSONValue(parsing: bytes) } catch { return nil }
    }

    /// The value of a member; nil when this is no object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text, when this is one.
    package var textValue: String? { if case .text(let text) = self { text } else { nil } }

    /// The number, when this is a whole one.
    package var integerValue: Int? { if case .number(let literal) = self { Int(literal) } else { nil } }

    /// The elements, when this is an array.
    package var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The members, when this is an object.
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// What kind of value this is, as JSON Schema names it.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .text: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The same value whatever order the members of its objects came in.
    package var withSortedMembers: JSONValue {
        switch self {
        case .array(let values): .array(values.map(\.withSortedMembers))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.withSortedMembers) }.sorted { $0.name < $1.name })
        default: self
        }
    }

    private static func members(_ reader: inout JSONReader) throws(InvalidJSON) -> [Member] {
        var members: [Member] = []
        _ = reader.take("{")
        if reader.take("}") { return members }
        repeat {
            let name = try reader.memberName()
            members.append(Member(name, try JSONValue(&reader)))
        } while reader.take(",")
        try reader.end("}")
        return members
    }

    private static func elements(_ reader: inout JSONReader) throws(InvalidJSON) -> [JSONValue] {
        var values: [JSONValue] = []
        _ = reader.take("[")
        if reader.take("]") { return values }
        repeat { values.append(try JSONValue(&reader)) } while reader.take(",")
        try reader.end("]")
        return values
    }
}

extension JSONValue {
    /// The value without needless space.
    package var compact: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    /// The value with one member or element to a line, as it reads best in a diff.
    package var pretty: String {
        var lines = ""
        writePretty(to: &lines, indentation: "")
        return lines
    }

    /// Writes the value at the writer's place.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.value(JSONText.null)
        case .boolean(let flag): json.value(flag)
        case .number(let literal): json.value(JSONText(validated: literal))
        case .text(let text): json.value(text)
        case .array(let values): json.array(values) { $1.write(to: &$0) }
        case .object(let members):
            json.object { json in
                for member in members {
                    json.name(member.name)
                    member.value.write(to: &json)
                }
            }
        }
    }

    private func writePretty(to text: inout String, indentation: String) {
        let inner = indentation + "  "
        switch self {
        case .array(let values) where !values.isEmpty:
            for (index, value) in values.enumerated() {
                text += (index == 0 ? "[\n" : ",\n") + inner
                value.writePretty(to: &text, indentation: inner)
            }
            text += "\n\(indentation)]"
        case .object(let members) where !members.isEmpty:
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "{\n" : ",\n") + inner + JSONValue.text(member.name).compact + ": "
                member.value.writePretty(to: &text, indentation: inner)
            }
            text += "\n\(indentation)}"
        default: text += compact
        }
    }
}

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
                } else if let number = Double(literal), number.isFinite {
                    try container.encode(number)
                } else {
                    try container.encodeNil()  // as JavaScript writes what is beyond a double
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
