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
