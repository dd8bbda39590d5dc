/// The fields of one shape of the contract, from which follow how it is read and checked, how it is written as JSON, and
/// the names by which its values can be asked.
package struct Schema<Root>: Sendable {
    /// The interface of `imgscript.d.ts`.
    package let interface: String
    /// "an author".
    let expectation: String
    /// The fields, in the order in which they are written.
    let fields: [Field<Root>]
    /// "items, total and next", where other members are refused; nil where they are gathered in an item's `extra`.
    let onlyMembers: String?
    private let indices: [String: Int]

    /// A shape with these fields, of which there may be 64.
    init(_ interface: String, _ expectation: String, onlyMembers: String? = nil, _ fields: [Field<Root>]) {
        self.interface = interface
        self.expectation = expectation
        self.onlyMembers = onlyMembers
        self.fields = fields
        indices = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.name, $0) })
    }

    /// The fields' names.
    package var names: [String] { fields.map(\.name) }

    /// The place of a field; nil for a name that the contract does not have.
    func index(of name: String) -> Int? { indices[name] }

    /// Writes the fields that have a value as members of an object.
    func write(_ root: Root, to json: inout JSONWriter) {
        for field in fields { field.write(root, &json) }
    }

    /// The texts of the fields and of their parts, by the names that templates use: `author`, `author.name`.
    var texts: [FieldText<Root>] { fields.flatMap(\.texts) }
}

/// The text of a field for display, by its name.
struct FieldText<Root>: Sendable {
    /// `author.name`.
    let name: String
    /// The value as text; nil where there is none.
    let text: @Sendable (Root) -> String?
}

/// A field of a shape: its name, what it holds, and where a value keeps it.
struct Field<Root>: Sendable {
    /// Whether the field may be missing.
    enum Presence: Sendable {
        case optional
        case required
        /// A script has to give it; elsewhere it has a default.
        case requiredByContract
        /// May be missing, but not be wrong: others follow from it.
        case decisive
    }

    let name: String
    let presence: Presence
    /// "a whole number of pixels".
    let expectation: String
    let read: @Sendable (inout ContractReader, inout Root) throws(ContractViolation) -> Void
    let write: @Sendable (Root, inout JSONWriter) -> Void
    let texts: [FieldText<Root>]

    /// A field that every value has.
    static func required<Value>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ type: FieldType<Value>,
        _ presence: Presence = .required
    ) -> Field {
        Field(
            name: name, presence: presence, expectation: type.expectation,
            read: { reader, root throws(ContractViolation) in
                guard let value = try type.read(&reader) else { return }
                root[keyPath: path] = value
            },
            write: { root, json in
                json.name(name)
                type.write(root[keyPath: path], &json)
            },
            texts: type.texts(named: name) { $0[keyPath: path] })
    }

    /// A field that has a default where it is missing, or null; it may not be wrong.
    static func defaulted<Value>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ type: FieldType<Value>
    ) -> Field {
        Field(
            name: name, presence: .decisive, expectation: type.expectation,
            read: { reader, root throws(ContractViolation) in
                guard try !reader.takeAbsent(type.expectation), let value = try type.read(&reader) else { return }
                root[keyPath: path] = value
            },
            write: { root, json in
                json.name(name)
                type.write(root[keyPath: path], &json)
            },
            texts: type.texts(named: name) { $0[keyPath: path] })
    }

    /// A field that may be missing, or null.
    static func optional<Value>(
        _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ type: FieldType<Value>
    ) -> Field {
        Field(
            name: name, presence: .optional, expectation: type.expectation,
            read: { reader, root throws(ContractViolation) in
                root[keyPath: path] = try reader.takeAbsent(type.expectation) ? nil : try type.read(&reader)
            },
            write: { root, json in
                guard let value = root[keyPath: path] else { return }
                json.name(name)
                type.write(value, &json)
            },
            texts: type.texts(named: name) { $0[keyPath: path] })
    }

    /// A field with several values that may be missing, or null, and is not written without any.
    static func list<Value>(
        _ name: String, _ path: WritableKeyPath<Root, [Value]> & Sendable, _ type: FieldType<[Value]>
    ) -> Field {
        Field(
            name: name, presence: .optional, expectation: type.expectation,
            read: { reader, root throws(ContractViolation) in
                root[keyPath: path] = try reader.takeAbsent(type.expectation) ? [] : try type.read(&reader) ?? []
            },
            write: { root, json in
                let values = root[keyPath: path]
                guard !values.isEmpty else { return }
                json.name(name)
                type.write(values, &json)
            },
            texts: type.texts(named: name) { $0[keyPath: path] })
    }
}
