import ProviderModel

/// A file's credit as a line of a Markdown list; what strangers wrote is text in it, never markup.
enum MarkdownCredit {
    /// Adds the line to a text, as bytes: there may be as many lines as a folder has files.
    static func write(_ path: KeptText, _ credit: CreditTexts, to text: inout ByteBuffer) {
        text.add("- ")
        beginLink(path, to: &text)
        if path.uses.contains(.path) { text.add(path.bytes) } else { text.add(percentEncoded(path)) }
        text.add(">): ")
        if let title = credit.title {
            text.add("“")
            write(title, to: &text)
            if credit.author == nil { text.add("”, ") } else { text.add("” ") }
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
        if isPlain(credit.line), beginsPlainly(credit.line.bytes) {
            text.add(credit.line.bytes)
        } else {
            text.add(paragraph(credit.line.text))
        }
        text.add("\n")
    }

    private static func write(_ stranger: KeptText, to text: inout ByteBuffer) {
        if isPlain(stranger) { text.add(stranger.bytes) } else { text.add(escape(stranger.text)) }
    }

    /// Whether a text's first letter begins nothing but a word.
    private static func beginsPlainly(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first else { return true }
        return !"-+=".utf8.contains(first) && !(0x30...0x39).contains(first)
    }

    private static func writeLink(_ stranger: KeptText, _ url: KeptText?, to text: inout ByteBuffer) {
        guard let url else { return write(stranger, to: &text) }
        beginLink(stranger, to: &text)
        if url.uses.contains(.destination) { text.add(url.bytes) } else { text.add(destination(url)) }
        text.add(">)")
    }

    private static func beginLink(_ stranger: KeptText, to text: inout ByteBuffer) {
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

    /// Whether there is nothing to escape, as in most texts: printable ASCII without markup and addresses.
    private static func isPlain(_ text: KeptText) -> Bool {
        guard text.uses.contains(.markdown) else { return false }
        if text.uses.contains(.withoutDot) || text.uses.contains(.withoutW) { return true }
        return !text.text.lowercased().contains("www.")
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
    private static func destination(_ url: KeptText) -> String {
        var encoded = ""
        for scalar in url.text.unicodeScalars {
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
    private static func percentEncoded(_ path: KeptText) -> String {
        let names = path.bytes.split(separator: UInt8(ascii: "/"))
        return names.map { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }.joined(separator: "/")
    }
}
