/// Any JSON value, with members in the order they came and numbers as they were written.
package indirect enum JSONValue: Hashable, Sendable {
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

    /// Parses a JSON text; the error says at which byte it is none.
    package init(parsing bytes: some Sequence<UInt8>) throws(InvalidJSON) {
        var parser = JSONParser(Array(bytes))
        self = try parser.document()
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

    /// The word for what kind of value this is, as JSON Schema has it.
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
}

/// Why a text is no JSON.
package struct InvalidJSON: Error, Hashable, CustomStringConvertible {
    /// What was expected, and at which byte.
    package let description: String

    package init(description: String) { self.description = description }
}
