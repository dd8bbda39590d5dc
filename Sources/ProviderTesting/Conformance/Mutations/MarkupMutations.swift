/// Changes to an HTML or XML answer: attributes and elements that go, or become empty.
struct MarkupMutations {
    private let text: String
    private let attributes: [String]
    private let elements: [String]

    init(of body: [UInt8]) {
        let text = String(decoding: body, as: UTF8.self)
        self.text = text
        var attributes: [String] = [], elements: [String] = []
        for tag in Self.tags(in: text) {
            if !elements.contains(tag.name), !["html", "body", "head"].contains(tag.name) { elements.append(tag.name) }
            for name in tag.attributes where !attributes.contains(name) { attributes.append(name) }
        }
        self.attributes = attributes
        self.elements = elements
    }

    /// Changes chosen by chance.
    func some(_ count: Int, by chance: inout SeededChance) -> [AnswerMutation] {
        var mutations: [AnswerMutation] = []
        for name in attributes {
            mutations.append(
                AnswerMutation(
                    kind: .missing, label: "the attribute \(name) missing",
                    body: Array(replacing(" \(name)=", with: " data-was-\(name)=").utf8)))
            mutations.append(
                AnswerMutation(kind: .null, label: "the attribute \(name) empty", body: Array(emptied(name).utf8)))
        }
        for name in elements {
            let opened = replacing("<\(name)", with: "<was-\(name)", unless: \.isNameCharacter)
            let body = opened.replacing("</\(name)>", with: "</was-\(name)>")
            // A feed without entries is how feeds say “none”.
            let kind: AnswerMutation.Kind = ["item", "entry"].contains(name) ? .emptyList : .missing
            mutations.append(AnswerMutation(kind: kind, label: "the element \(name) missing", body: Array(body.utf8)))
        }
        return Array(mutations.shuffled(using: &chance).prefix(count))
    }

    private func replacing(_ old: String, with new: String) -> String { text.replacing(old, with: new) }

    private func replacing(_ old: String, with new: String, unless continues: (Character) -> Bool) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: old) {
            result += rest[..<range.lowerBound]
            let isWhole = rest[range.upperBound...].first.map { !continues($0) } ?? true
            result += isWhole ? new : old
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// The text with every value of an attribute taken out.
    private func emptied(_ name: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: " \(name)=\"") {
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...].drop { $0 != "\"" }
        }
        return result + rest
    }

    private struct Tag {
        var name: String
        var attributes: [String]
    }

    private static func tags(in text: String) -> [Tag] {
        text.split(separator: "<").dropFirst().compactMap { part in
            guard part.first?.isLetter == true else { return nil }
            let name = String(part.prefix(while: \.isNameCharacter))
            let inside = part.dropFirst(name.count).prefix { $0 != ">" }
            let names = inside.split(separator: "=").dropLast().compactMap { piece -> String? in
                let word = piece.split(separator: " ").last.map(String.init) ?? ""
                return !word.isEmpty && word.allSatisfy(\.isNameCharacter) ? word : nil
            }
            return Tag(name: name, attributes: names)
        }
    }
}

extension Character {
    fileprivate var isNameCharacter: Bool {
        isASCII && (isLetter || isNumber || self == "-" || self == ":" || self == "_")
    }
}
