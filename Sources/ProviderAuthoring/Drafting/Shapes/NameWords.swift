/// The words that a field's name is made of: `webformatURL` is webformat, url; `url_l` is url, l.
struct NameWords: Hashable, Sendable {
    /// In lower case, in order.
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
                continue
            }
            if let last = word.last,
                Self.isBoundary(last, character, next: index + 1 < characters.count ? characters[index + 1] : nil)
            {
                words.append(word.lowercased())
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        self.words = words
    }

    /// The words in one, for comparison with a name in any style.
    var joined: String { words.joined() }

    /// Whether any of the words is among these.
    func contains(anyOf others: Set<String>) -> Bool { words.contains { others.contains($0) } }

    private static func isBoundary(_ last: Character, _ character: Character, next: Character?) -> Bool {
        if last.isNumber != character.isNumber { return true }
        if last.isLowercase && character.isUppercase { return true }
        // The last capital of a run begins the next word: `URLSmall`.
        return last.isUppercase && character.isUppercase && next?.isLowercase == true
    }
}
