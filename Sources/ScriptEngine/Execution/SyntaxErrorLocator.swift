import ProviderModel

/// Finds the column of a syntax error: the engine gives its line only.
///
/// The file is parsed again up to the end of each token of that line. The first piece that fails with the same message
/// ends with the token at fault.
struct SyntaxErrorLocator {
    /// The file's text.
    let source: String
    /// The engine's message for a text, nil where the text is valid.
    let message: (_ source: String) -> String?

    /// Bounds the time for a line with very many tokens, as minified files have.
    private static let budget = 16 << 20

    /// The place of the error with this message on this line; its column is 0 where it is not found.
    func place(of expected: String, onLine line: Int) -> (line: Int, column: Int) {
        if expected == "Unexpected end of script" { return place(of: source.lastIndex { !$0.isWhitespace }) }
        if expected.hasPrefix("Multiline comment") { return place(of: commentStart) }
        guard let text = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1).first
        else {
            return (line, 0)
        }
        var start: String.Index?
        var budget = Self.budget
        for token in Self.tokens(of: text).reversed() {
            let piece = source[..<token.upperBound]
            budget -= piece.utf8.count
            guard budget > 0 else { return (line, 0) }
            // The message of a regular expression without its end has what there is of it.
            guard let found = message(String(piece)), found.prefix(20) == expected.prefix(20) else { break }
            start = token.lowerBound
        }
        return start.map { place(of: $0) } ?? (line, 0)
    }

    private func place(of index: String.Index?) -> (line: Int, column: Int) {
        guard let index else { return (1, 1) }
        let before = source[..<index]
        let lineStart = before.lastIndex(of: "\n").map(source.index(after:)) ?? source.startIndex
        return (before.utf8.count { $0 == 0x0a } + 1, source[lineStart..<index].utf16.count + 1)
    }

    /// Where the comment begins that has no end.
    private var commentStart: String.Index? {
        let tail = source.ranges(of: "*/").last.map { source[$0.upperBound...] } ?? source[...]
        return tail.firstRange(of: "/*")?.lowerBound
    }

    /// Words, and runs of punctuation with brackets, commas and semicolons apart: `=>` is never cut in two.
    private static func tokens(of line: Substring) -> [Range<String.Index>] {
        func kind(_ character: Character) -> Int {
            if character.isWhitespace { return 0 }
            if character.isLetter || character.isNumber || "_$\\".contains(character) { return 1 }
            return "(){}[],;'\"`".contains(character) ? 2 : 3
        }
        var tokens: [Range<String.Index>] = []
        var last = 0
        for index in line.indices {
            let (current, end) = (kind(line[index]), line.index(after: index))
            defer { last = current }
            if current == 0 { continue }
            if current == last, current != 2 {
                tokens[tokens.count - 1] = tokens[tokens.count - 1].lowerBound..<end
            } else {
                tokens.append(index..<end)
            }
        }
        return tokens
    }
}
