import ProviderModel

/// The members of a JSON object, read as what they are expected to be; null is as good as nothing.
struct JSONFields {
    private let values: [JSONValue.Member]
    private let path: String

    /// The members of an object; `path` is where it stands in the whole.
    init(_ json: JSONValue, at path: String) throws(InvalidItem) {
        guard case .object(let members) = json else {
            throw InvalidItem(
                description: "\(path.isEmpty ? "" : "\(path): ")expected an object, found \(json.article)")
        }
        values = members
        self.path = path
    }

    subscript(name: String) -> JSONValue? {
        guard let value = values.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    func text(_ name: String) throws(InvalidItem) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.textValue else { throw wrong(name, "a text", value) }
        return text
    }

    func requiredText(_ name: String) throws(InvalidItem) -> String {
        guard let text = try text(name), !text.isEmpty else { throw missing(name, "a text") }
        return text
    }

    func whole(_ name: String) throws(InvalidItem) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.integerValue else { throw wrong(name, "a whole number", value) }
        return number
    }

    func number(_ name: String) throws(InvalidItem) -> Double? {
        guard let value = self[name] else { return nil }
        guard case .number(let literal) = value, let number = Double(literal) else {
            throw wrong(name, "a number", value)
        }
        return number
    }

    func url(_ name: String) throws(InvalidItem) -> WebURL? {
        guard let text = try text(name) else { return nil }
        do { return try WebURL(text) } catch {
            throw InvalidItem(description: "\(path(to: name)): expected an absolute URL, found \(error)")
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(InvalidItem) -> Choice?
    where Choice.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidItem(description: "\(path(to: name)): expected one of \(names), found \(text.quoted)")
        }
        return choice
    }

    func texts(_ name: String) throws(InvalidItem) -> [String] {
        guard let value = self[name] else { return [] }
        guard let elements = value.elements else { throw wrong(name, "an array of texts", value) }
        return elements.compactMap(\.textValue)
    }

    func object(_ name: String) throws(InvalidItem) -> JSONFields? {
        guard let value = self[name] else { return nil }
        return try JSONFields(value, at: path(to: name))
    }

    func objects(_ name: String) throws(InvalidItem) -> [JSONFields] {
        guard let value = self[name] else { return [] }
        guard let elements = value.elements else { throw wrong(name, "an array", value) }
        var objects: [JSONFields] = []
        for (index, element) in elements.enumerated() {
            objects.append(try JSONFields(element, at: "\(path(to: name))[\(index)]"))
        }
        return objects
    }

    func missing(_ name: String, _ expected: String) -> InvalidItem {
        InvalidItem(description: "\(path(to: name)): expected \(expected), found nothing")
    }

    private func wrong(_ name: String, _ expected: String, _ value: JSONValue) -> InvalidItem {
        InvalidItem(description: "\(path(to: name)): expected \(expected), found \(value.article)")
    }

    private func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

extension JSONValue {
    fileprivate var article: String {
        kind == "null" ? kind : "\("aeiou".contains(kind.prefix(1)) ? "an" : "a") \(kind)"
    }
}
