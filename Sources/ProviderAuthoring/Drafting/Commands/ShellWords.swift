/// The words of a command line as a POSIX shell splits it: quotes, escapes and continued lines.
struct ShellWords {
    /// The words, without their quotes.
    let words: [String]

    /// Splits a line; nil when a quote is not closed.
    init?(_ line: String) {
        var splitter = Splitter(Array(line.unicodeScalars))
        guard let words = splitter.all() else { return nil }
        self.words = words
    }
}

private struct Splitter {
    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: [Unicode.Scalar]) { self.text = text }

    mutating func all() -> [String]? {
        var words: [String] = []
        while true {
            skipSpace()
            guard position < text.count else { return words }
            guard let word = word() else { return nil }
            words.append(word)
        }
    }

    private mutating func skipSpace() {
        while let next = peek {
            if next == "\\", let after = peek(1), after == "\n" || after == "\r" {
                position += 2
            } else if next.properties.isWhitespace {
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func word() -> String? {
        var word = String.UnicodeScalarView()
        while let next = peek, !next.properties.isWhitespace {
            position += 1
            switch next {
            case "'": guard quoted(until: "'", into: &word) else { return nil }
            case "\"": guard doubleQuoted(into: &word) else { return nil }
            case "$" where peek == "'":
                // ANSI-C quotes, as browsers copy a body that has line breaks.
                position += 1
                guard escaped(into: &word) else { return nil }
            case "\\":
                guard let escaped = peek else { return String(word) }
                position += 1
                if escaped != "\n" { word.append(escaped) }
            default: word.append(next)
            }
        }
        return String(word)
    }

    private mutating func quoted(until end: Unicode.Scalar, into word: inout String.UnicodeScalarView) -> Bool {
        while let next = peek {
            position += 1
            if next == end { return true }
            word.append(next)
        }
        return false
    }

    private mutating func doubleQuoted(into word: inout String.UnicodeScalarView) -> Bool {
        while let next = peek {
            position += 1
            if next == "\"" { return true }
            guard next == "\\", let escaped = peek else {
                word.append(next)
                continue
            }
            position += 1
            switch escaped {
            case "\"", "\\", "$", "`": word.append(escaped)
            case "\n": break
            default: word.append(contentsOf: [next, escaped])
            }
        }
        return false
    }

    private mutating func escaped(into word: inout String.UnicodeScalarView) -> Bool {
        while let next = peek {
            position += 1
            if next == "'" { return true }
            guard next == "\\", let escape = peek else {
                word.append(next)
                continue
            }
            position += 1
            switch escape {
            case "n": word.append("\n")
            case "t": word.append("\t")
            case "r": word.append("\r")
            case "u", "x":
                let digits = String(String.UnicodeScalarView(text[position...].prefix(escape == "u" ? 4 : 2)))
                guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else { return false }
                position += digits.count
                word.append(scalar)
            default: word.append(escape)
            }
        }
        return false
    }

    private var peek: Unicode.Scalar? { peek(0) }

    private func peek(_ ahead: Int) -> Unicode.Scalar? {
        position + ahead < text.count ? text[position + ahead] : nil
    }
}
