/// A member of a structured list (RFC 9651), read leniently: `"default";r=50;t=30`.
struct StructuredItem: Hashable {
    /// The item itself, without quotes.
    let text: String
    private let parameters: [String: String]

    /// The members of a list.
    static func list(_ value: String) -> [StructuredItem] {
        split(value, at: ",").compactMap { member in
            var parts = split(member, at: ";")[...]
            guard let text = parts.popFirst(), !text.isEmpty else { return nil }
            let pairs = parts.map { $0.split(separator: "=", maxSplits: 1).map(unquoted) }.filter { $0.count == 2 }
            return StructuredItem(
                text: unquoted(text),
                parameters: Dictionary(pairs.map { ($0[0], $0[1]) }) { _, last in last }
            )
        }
    }

    /// The value of a parameter.
    subscript(name: String) -> String? { parameters[name] }

    private static func unquoted(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != "\"" && $0 != "\\" })
    }

    /// The parts between separators that are not inside quotes, without blanks at their ends.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text.prefix(8_192) {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted {
                parts.append("")
            } else if isQuoted || (character != " " && character != "\t") {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
