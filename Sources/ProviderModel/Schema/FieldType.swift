/// What a field holds: how it is read and checked, written as JSON, and shown as text.
struct FieldType<Value>: Sendable {
    /// "a whole number of pixels".
    let expectation: String
    /// Reads a value; nil where it says nothing, such as an object without fields.
    let read: @Sendable (inout ContractReader) throws(ContractViolation) -> Value?
    let write: @Sendable (Value, inout JSONWriter) -> Void
    /// The value for display; nil for what is no text.
    let text: (@Sendable (Value) -> String?)?
    /// The texts of its own fields.
    var parts: [FieldText<Value>] = []

    /// The text of a field of this type in a root, and those of its parts.
    func texts<Root>(
        named name: String, in value: @escaping @Sendable (Root) -> Value?
    ) -> [FieldText<Root>] {
        let own = text.map { text in FieldText<Root>(name: name) { value($0).flatMap(text) } }
        let parts = parts.map { part in
            FieldText<Root>(name: "\(name).\(part.name)") { value($0).flatMap(part.text) }
        }
        return [own].compactMap(\.self) + parts
    }
}

// MARK: - Scalars

extension FieldType<String> {
    static let text = string("a string") { reader, expectation throws(ContractViolation) in
        try reader.text(expectation)
    }

    static let nonEmptyText = string("a string that is not empty") { reader, expectation throws(ContractViolation) in
        let text = try reader.text(expectation)
        guard !text.isEmpty else { throw reader.violation("expected \(expectation), found \"\"") }
        return text
    }

    static let identifier = string(ContractReader.identifierExpectation) { reader, _ throws(ContractViolation) in
        try reader.identifier()
    }

    /// A date, or date and time, as it was written.
    static let date = string("an ISO 8601 date (see parseDate)") { reader, expectation throws(ContractViolation) in
        let text = try reader.string(expectation)
        guard reader.rules == .types || ISO8601Date(text) != nil else {
            throw reader.violation("expected \(expectation), found \(text.quoted)")
        }
        return text
    }

    /// `#rrggbb`.
    static let color = string("a string") { reader, expectation throws(ContractViolation) in
        let text = try reader.string(expectation)
        let isColor = text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
        guard reader.rules == .types || isColor else {
            throw reader.violation("expected a colour as #rrggbb, found \(text.quoted)")
        }
        return text
    }

    private static func string(
        _ expectation: String,
        _ read: @escaping @Sendable (inout ContractReader, String) throws(ContractViolation) -> String
    ) -> FieldType {
        FieldType(
            expectation: expectation,
            read: { reader throws(ContractViolation) in try read(&reader, expectation) },
            write: { $1.value($0) }, text: { $0 })
    }
}

extension FieldType<ProviderID> {
    static let provider = FieldType(
        expectation: "a provider's name",
        read: { reader throws(ContractViolation) in
            let text = try reader.nonEmptyString("a provider's name")
            guard let id = ProviderID(text) else {
                throw reader.violation("expected a provider's name, found \(text.quoted)")
            }
            return id
        }, write: { $1.value($0.description) }, text: \.description)
}

extension FieldType<WebURL> {
    static let url = FieldType(
        expectation: "an absolute URL", read: { reader throws(ContractViolation) in try reader.url() },
        write: { $1.value($0.description) }, text: \.description)

    /// Where a file is, whose path was put together by a script.
    static let fileURL = FieldType(
        expectation: url.expectation,
        read: { reader throws(ContractViolation) in
            let url = try reader.url()
            if reader.rules == .contract { try reader.checkHoldsNoMissingValue(url.path, "a file's URL") }
            return url
        }, write: url.write, text: url.text)
}

extension FieldType<Int> {
    /// A whole number within a range.
    static func integer(_ range: ClosedRange<Int>, _ expectation: String) -> FieldType {
        FieldType(
            expectation: expectation,
            read: { reader throws(ContractViolation) in
                try reader.integer(in: reader.rules == .contract ? range : Int.min...Int.max, expectation)
            }, write: { $1.value($0) }, text: { String($0) })
    }
}

extension FieldType<Double> {
    /// A number within a range.
    static func number(_ range: ClosedRange<Double>, _ expectation: String) -> FieldType {
        FieldType(
            expectation: expectation,
            read: { reader throws(ContractViolation) in
                try reader.number(in: reader.rules == .contract ? range : -.infinity ... .infinity, expectation)
            }, write: { $1.value($0) }, text: \.shortest)
    }
}

extension FieldType<Bool> {
    static let flag = FieldType(
        expectation: "true or false", read: { reader throws(ContractViolation) in try reader.boolean() },
        write: { $1.value($0) }, text: { $0 ? "true" : "false" })
}

extension FieldType where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of an enumeration's names.
    static var choice: FieldType {
        FieldType(
            expectation: ContractReader.expectation(for: Value.self),
            read: { reader throws(ContractViolation) in try reader.choice(Value.self) },
            write: { $1.value($0.rawValue) }, text: \.rawValue)
    }
}

extension FieldType {
    /// An object of a schema's fields.
    static func object(
        _ schema: Schema<Value>, from empty: @escaping @Sendable () -> Value,
        isEmpty: @escaping @Sendable (Value) -> Bool = { _ in false },
        text: (@Sendable (Value) -> String?)?
    ) -> FieldType {
        FieldType(
            expectation: schema.expectation,
            read: { reader throws(ContractViolation) in
                var value = empty()
                try reader.fields(of: schema, into: &value)
                return isEmpty(value) ? nil : value
            },
            write: { value, json in json.object { schema.write(value, to: &$0) } }, text: text, parts: schema.texts)
    }

    /// An array of values of one type.
    ///
    /// Where faults are left out, each faulty element is; an array with nothing good in it is itself at fault, and so is
    /// a list of items most of which are.
    static func array<Element>(
        of type: FieldType<Element>, _ expectation: String, atMost limit: Int = .max,
        losing loss: ResultFault.Loss = .value
    ) -> FieldType where Value == [Element] {
        var text: (@Sendable ([Element]) -> String?)?
        if let elementText = type.text { text = { $0.compactMap(elementText).joined(separator: "; ") } }
        return FieldType(
            expectation: expectation,
            read: { reader throws(ContractViolation) in
                var values: [Element] = []
                var faulty: (first: ContractViolation, count: Int)?
                try reader.array(expectation, atMost: limit) { reader throws(ContractViolation) in
                    let violation = try reader.tolerating(loss) { reader throws(ContractViolation) in
                        if let value = try type.read(&reader) { values.append(value) }
                    }
                    if let violation { faulty = (faulty?.first ?? violation, (faulty?.count ?? 0) + 1) }
                }
                if let faulty, values.isEmpty || loss.isTooMuch(faulty.count, beside: values.count) {
                    throw faulty.first
                }
                return values
            },
            write: { values, json in json.array(values) { type.write($1, &$0) } }, text: text)
    }
}

extension ResultFault.Loss {
    /// Whether so many faulty elements beside so many good ones say that the whole is not what it is taken for.
    ///
    /// Among two, one may well be odd; of more items, most are odd only where the mapping no longer fits the source.
    fileprivate func isTooMuch(_ faulty: Int, beside good: Int) -> Bool { self == .item && faulty > max(2, good) }
}

extension FieldType<[NamedValue]> {
    /// An object of strings.
    static let namedStrings = FieldType(
        expectation: "an object of strings",
        read: { reader throws(ContractViolation) in try reader.namedStrings() },
        write: { values, json in json.object { json in for value in values { json.member(value.name, value.value) } } },
        text: nil)
}

extension FieldType<[Statistic]> {
    /// An object of numbers.
    static let statistics = FieldType(
        expectation: "an object of numbers",
        read: { reader throws(ContractViolation) in
            var values: [Statistic] = []
            try reader.object("an object of numbers") { reader, name throws(ContractViolation) in
                try reader.tolerating { reader throws(ContractViolation) in
                    if try reader.takeAbsent("a number") { return }
                    values.append(Statistic(name: name, value: try reader.number(in: -1e15...1e15, "a number")))
                }
            }
            return values
        },
        write: { values, json in json.object { json in for value in values { json.member(value.name, value.value) } } },
        text: nil)
}
