/// What a template does to a value: `slug`, `60`, `04`, `yyyy-MM`.
package enum ValueFilter: Hashable, Sendable {
    /// Letters and digits in lower case without accents, joined by dashes.
    case slug
    /// Lower case.
    case lower
    /// Upper case.
    case upper
    /// Latin letters without accents.
    case plain
    /// At most so many characters.
    case length(Int)
    /// At least so many digits.
    case digits(Int)
    /// An ISO 8601 date in another form.
    case date(String)

    /// Reads a filter; nil when it is none.
    package init?(_ text: String) {
        switch text {
        case "slug": self = .slug
        case "lower": self = .lower
        case "upper": self = .upper
        case "plain": self = .plain
        default:
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), (1...9999).contains(number)
            {
                self = text.hasPrefix("0") ? .digits(number) : .length(number)
            } else if Self.isDatePattern(text) {
                self = .date(text)
            } else {
                return nil
            }
        }
    }

    /// The filters that have a name.
    package static let names = ["slug", "lower", "upper", "plain"]

    /// The names for a help text.
    package static let choices = "slug, lower, upper, plain, a length (60), digits (04), a date (yyyy-MM-dd)"

    /// The changed value; nil when the value has nothing of the kind, such as a date.
    package func applied(to value: String) -> String? {
        switch self {
        case .slug: Self.slug(value)
        case .lower: value.lowercased()
        case .upper: value.uppercased()
        case .plain: value.withoutAccents
        case .length(let limit): Self.shortened(value, to: limit)
        case .digits(let count): String(repeating: "0", count: max(count - value.count, 0)) + value
        case .date(let pattern): Self.date(value, pattern)
        }
    }

    private static func slug(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return asciiSlug(text.utf8) }
        var slug = ""
        for character in text.withoutAccents.lowercased() {
            if character.isLetter || character.isNumber {
                slug.append(character)
            } else if character != "'", character != "’", slug.last != "-", !slug.isEmpty {
                slug.append("-")
            }
        }
        let trimmed = slug.droppingEnd { $0 == "-" }
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The same byte by byte: most texts have nothing to look up in Unicode's tables.
    private static func asciiSlug(_ text: String.UTF8View) -> String? {
        let dash = UInt8(ascii: "-")
        var slug: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): slug.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): slug.append(byte | 0x20)
            case UInt8(ascii: "'"): continue
            default: if let last = slug.last, last != dash { slug.append(dash) }
            }
        }
        if slug.last == dash { slug.removeLast() }
        return slug.isEmpty ? nil : String(decoding: slug, as: UTF8.self)
    }

    /// Cuts at the end of a word, where that leaves more than half.
    private static func shortened(_ text: String, to limit: Int) -> String {
        // No text has more characters than bytes.
        guard text.utf8.count > limit, text.count > limit else { return text }
        let cut = text.prefix(limit)
        let isBreak = { (character: Character) in character == "-" || character == " " }
        let isLoose = { (character: Character) in "- ,;.:".contains(character) }
        guard !isBreak(text[cut.endIndex]), let gap = cut.lastIndex(where: isBreak),
            cut.distance(from: cut.startIndex, to: gap) > limit / 2
        else { return cut.droppingEnd(while: isLoose) }
        return cut[..<gap].droppingEnd(while: isLoose)
    }

    /// The parts of a date, and where they stand in `2024-05-06T07:08:09Z`.
    private static let dateParts: [(name: String, start: Int)] = [
        ("yyyy", 0), ("MM", 5), ("dd", 8), ("HH", 11), ("mm", 14), ("ss", 17),
    ]

    private static func isDatePattern(_ text: String) -> Bool {
        var rest = text
        for part in dateParts { rest = rest.substituting("", for: part.name) }
        return rest.count < text.count && rest.allSatisfy { "-_. ".contains($0) }
    }

    private static func date(_ value: String, _ pattern: String) -> String? {
        let bytes = Array(value.utf8)
        var written = pattern
        for part in dateParts where pattern.holds(part.name) {
            let end = part.start + part.name.utf8.count
            guard end <= bytes.count else { return nil }
            let digits = bytes[part.start..<end]
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            written = written.substituting(String(decoding: digits, as: UTF8.self), for: part.name)
        }
        return written
    }
}
