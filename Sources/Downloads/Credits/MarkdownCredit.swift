import ProviderModel

/// A file's credit as a line of a Markdown list; what strangers wrote is text in it, never markup.
enum MarkdownCredit {
    private typealias Text = KeptFields.Text

    /// Adds the line to a text, as bytes: there may be as many lines as a folder has files.
    static func write(_ path: KeptFields.Text, _ credit: CreditTexts, to text: inout [UInt8]) {
        text.add("- ")
        beginLink(path, to: &text)
        if uses(of: path).contains(.path) { text.add(path) } else { text.add(percentEncoded(path)) }
        text.add(">): ")
        if let title = credit.title {
            text.add("“")
            write(title, to: &text)
            text.add(credit.author == nil ? "”, " : "” ")
        }
        if let author = credit.author {
            text.add("by ")
            writeLink(author, credit.authorURL, to: &text)
            text.add(", ")
        }
        if let license = credit.license {
            writeLink(license, credit.licenseURL, to: &text)
            text.add(", ")
        }
        writeLink(credit.source, credit.page, to: &text)
        text.add("\n  > ")
        if isPlain(credit.line), beginsPlainly(credit.line) {
            text.add(credit.line)
        } else {
            text.add(paragraph(String(credit.line)))
        }
        text.add("\n")
    }

    private static func write(_ stranger: Text, to text: inout [UInt8]) {
        if isPlain(stranger) { text.add(stranger) } else { text.add(escape(String(stranger))) }
    }

    /// Whether a text's first letter begins nothing but a word.
    private static func beginsPlainly(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first else { return true }
        return !"-+=".utf8.contains(first) && !(0x30...0x39).contains(first)
    }

    private static func writeLink(_ stranger: Text, _ url: Text?, to text: inout [UInt8]) {
        guard let url else { return write(stranger, to: &text) }
        beginLink(stranger, to: &text)
        if uses(of: url).contains(.destination) { text.add(url) } else { text.add(destination(url)) }
        text.add(">)")
    }

    private static func beginLink(_ stranger: Text, to text: inout [UInt8]) {
        text.add("[")
        write(stranger, to: &text)
        text.add("](<")
    }

    /// CommonMark §2.4: any ASCII punctuation after a backslash is itself.
    ///
    /// Line breaks would end the list's item.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            // What a class is looked up for is never a printable ASCII character.
            let isPlain = (0x20..<0x7f).contains(scalar.value)
            switch isPlain ? .otherSymbol : scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: escaped += escaped.hasSuffix(" ") ? "" : " "
            // These turn text around or cannot be seen; the one that joins emoji and letters is needed.
            case .format where scalar != "\u{200D}" && scalar != "\u{200C}": continue
            default:
                if markup.contains(scalar) || isLinkPunctuation(scalar, after: escaped) { escaped += "\\" }
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let markup = Set("\\`*_[]<>#|~&!^$".unicodeScalars)

    /// What bytes may stand for themselves in.
    private struct Uses: OptionSet {
        let rawValue: UInt8

        /// A text: printable ASCII that never has a meaning, but for a dot behind `www`.
        static let text = Uses(rawValue: 1)
        /// The destination of a link.
        static let destination = Uses(rawValue: 2)
        /// A path.
        static let path = Uses(rawValue: 4)
    }

    private static let uses: [Uses] = (0...255).map { (byte: UInt8) in
        var uses: Uses = []
        if (0x20..<0x7f).contains(byte), !"\\`*_[]<>#|~&!^$:@".utf8.contains(byte) { uses.insert(.text) }
        if byte >= 0x20, byte != 0x7f, !"<>\\&".utf8.contains(byte) { uses.insert(.destination) }
        if PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/") { uses.insert(.path) }
        return uses
    }

    /// What all bytes of a text may stand for themselves in: all of it, in most texts.
    private static func uses(of text: Text) -> Uses {
        uses.withUnsafeBufferPointer { uses in
            var all: Uses = [.text, .destination, .path]
            for byte in text { all.formIntersection(uses[Int(byte)]) }
            return all
        }
    }

    /// Whether there is nothing to escape, as in most texts: printable ASCII without markup and addresses.
    private static func isPlain(_ text: Text) -> Bool {
        guard uses(of: text).contains(.text) else { return false }
        guard text.count > 3 else { return true }
        for place in 3..<text.count where text[place] == UInt8(ascii: ".") {
            if text[place - 3..<place].allSatisfy({ $0 | 0x20 == UInt8(ascii: "w") }) { return false }
        }
        return true
    }

    /// GitHub's Markdown makes links of bare addresses, too.
    private static func isLinkPunctuation(_ scalar: Unicode.Scalar, after text: String) -> Bool {
        switch scalar {
        case ":": ["http", "https", "ftp", "mailto", "xmpp"].contains { text.lowercased().hasSuffix($0) }
        case ".": text.lowercased().hasSuffix("www")
        case "@": true
        default: false
        }
    }

    /// A text at the beginning of a line, where a dash or a number would begin a list.
    static func paragraph(_ stranger: String) -> String {
        let text = escape(stranger)
        if beginsPlainly(text.utf8) { return text }
        guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return "\\" + text }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty, let next = text[number.endIndex...].first, ".)".contains(next) else { return text }
        return number + "\\" + text[number.endIndex...]
    }

    /// What may not stand between the angle brackets of a destination (CommonMark §6.3), percent-encoded.
    private static func destination(_ url: Text) -> String {
        var encoded = ""
        for scalar in String(url).unicodeScalars {
            switch scalar {
            case "<": encoded += "%3C"
            case ">": encoded += "%3E"
            case "\\": encoded += "%5C"
            case "&": encoded += "&amp;"
            default:
                if scalar.value >= 0x20, scalar.value != 0x7f { encoded.unicodeScalars.append(scalar) }
            }
        }
        return encoded
    }

    /// A path is no URL until its own `%`, `?` and `#` are encoded; one with a colon would be of a scheme.
    private static func percentEncoded(_ path: Text) -> String {
        let names = path.split(separator: UInt8(ascii: "/"))
        return names.map { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }.joined(separator: "/")
    }
}

extension String {
    fileprivate init(_ text: KeptFields.Text) { self.init(decoding: text, as: UTF8.self) }
}

extension [UInt8] {
    /// Adds a text to the end.
    mutating func add(_ text: KeptFields.Text) { append(contentsOf: text) }

    /// Adds a text to the end.
    @_disfavoredOverload
    fileprivate mutating func add(_ text: String) { append(contentsOf: text.utf8) }

    /// Adds a text to the end.
    mutating func add(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }
}
