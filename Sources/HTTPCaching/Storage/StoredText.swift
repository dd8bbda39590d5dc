import HTTPTypes
import ProviderModel

/// Header lines and selections as the database keeps them: one line of text each.
enum StoredText {
    /// `Name: value` lines.
    static func text(of fields: HTTPFields) -> String {
        var text = ""
        for field in fields { text += "\(field.name.rawName): \(field.value)\n" }
        return text
    }

    /// The lines a text was made from.
    static func fields(in text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            fields.append(HTTPField(name: name, value: String(decoding: line[colon...].dropFirst(2), as: UTF8.self)))
        }
        return fields
    }

    /// `name hash` lines, the hash in hexadecimal, or `-`.
    static func text(of selection: VarySelection) -> String {
        selection.lines.map { "\($0.name) \($0.hash?.hexadecimal ?? "-")" }.joined(separator: "\n")
    }

    /// The selection a text was made from.
    static func selection(in text: String) -> VarySelection {
        guard !text.isEmpty else { return VarySelection() }
        return VarySelection(
            lines: text.split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                let hash = words.count == 2 && words[1] != "-" ? words[1].hexadecimalBytes : nil
                return VarySelection.Line(name: String(words.first ?? ""), hash: hash)
            }
        )
    }
}
