import ProviderModel

/// What the server says of itself: its tools with their schemas, its prompts and its resources, in `descriptions.json`.
struct MCPDescriptions: Sendable {
    private let json: JSONValue

    /// Reads the descriptions; `$ref` stands for one of `$defs`, with which a client need not be bothered.
    init(parsing bytes: [UInt8] = PackageResources.descriptions_json) throws(InvalidJSON) {
        let json = try JSONValue(parsing: bytes)
        self.json = Self.resolved(json, json["$defs"] ?? [:])
    }

    subscript(name: String) -> JSONValue { json[name] ?? [] }

    /// The description of a tool; nil when there is none of that name.
    func tool(_ name: String) -> JSONValue? { json["tools"]?.elements?.first { $0["name"] == .text(name) } }

    /// The prompts as `prompts/list` has them.
    var prompts: JSONValue {
        .array(
            (self["prompts"].elements ?? []).map { prompt in
                .object((prompt.members ?? []).filter { $0.name != "message" })
            })
    }

    /// A prompt with its arguments filled in.
    func prompt(_ name: String, _ values: JSONValue) throws(MCPError) -> JSONValue {
        guard let prompt = self["prompts"].elements?.first(where: { $0["name"] == .text(name) }) else {
            throw MCPError(.parameters, "unknown prompt \(name.quoted)")
        }
        let known = prompt["arguments"]?.elements ?? []
        let names = known.compactMap { $0["name"]?.textValue }
        for member in values.members ?? [] where !names.contains(member.name) || member.value.textValue == nil {
            let expected = "expected texts for \(names.joined(separator: ", "))"
            throw MCPError(.parameters, "\(name): the argument \(member.name.quoted) is not valid (\(expected))")
        }
        var texts: [String: String] = [:]
        for argument in known {
            let name = argument["name"]?.textValue ?? ""
            texts[name] = values[name]?.textValue
            guard texts[name] != nil || argument["required"] != true else {
                throw MCPError(.parameters, "the argument \(name.quoted) is missing")
            }
        }
        let text = Template(prompt["message"]?.textValue ?? "").filled { texts[$0] }
        let content: JSONValue = ["type": "text", "text": .text(text)]
        return [
            "description": prompt["description"] ?? "", "messages": [["role": "user", "content": content]],
        ]
    }

    private static func resolved(_ value: JSONValue, _ definitions: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            if let name = value["$ref"]?.textValue?.split(separator: "/").last {
                return resolved(definitions[String(name)] ?? [:], definitions)
            }
            return .object(members.map { .init($0.name, resolved($0.value, definitions)) })
        case .array(let values): return .array(values.map { resolved($0, definitions) })
        default: return value
        }
    }
}
