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
