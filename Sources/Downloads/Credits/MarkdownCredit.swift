import ProviderModel

/// A file's credit as a line of a Markdown list; untrusted text is text in it, never markup.
enum MarkdownCredit {
    /// The line, with the attribution quoted below it.
    static func entry(_ credit: Credit, path: String) -> String {
        "- [\(escape(path))](<\(percentEncoded(path))>): \(sentence(credit))\n  > \(paragraph(credit.line))\n"
    }

    /// Title, author, licence and source, with their links.
    static func sentence(_ credit: Credit) -> String {
        var text = ""
        if let title = credit.title { text += "“\(escape(title))”\(credit.author == nil ? "," : "") " }
        if let author = credit.author { text += "by \(link(author, credit.authorURL)), " }
        if let license = credit.license { text += "\(link(license, credit.licenseURL)), " }
        return text + link(credit.source, credit.page.isEmpty ? nil : credit.page)
    }

    private static func link(_ text: String, _ url: String?) -> String {
        url.map { "[\(escape(text))](<\(destination($0))>)" } ?? escape(text)
    }

    /// Escapes markup: any ASCII punctuation after a backslash is itself (CommonMark §2.4).
    ///
    /// Line breaks would end the list's item.
    static func escape(_ text: String) -> String {
        if isPlain(text) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            // Looking a category up costs more than all the rest.
            let isPrintableASCII = (0x20..<0x7f).contains(scalar.value)
            switch isPrintableASCII ? nil : scalar.properties.generalCategory {
            case .control?, .lineSeparator?, .paragraphSeparator?: escaped += escaped.hasSuffix(" ") ? "" : " "
            // These turn text around or cannot be seen; the one that joins emoji and letters is needed.
            case .format? where scalar != "\u{200D}" && scalar != "\u{200C}": continue
            default:
                if markup.contains(scalar) || isLinkPunctuation(scalar, after: escaped) { escaped += "\\" }
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let markup = Set("\\`*_[]<>#|~&!^$".unicodeScalars)

    /// Letters, digits and spaces, as most texts are, have no meaning in Markdown.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || " ,-/()".utf8.contains(byte)
        }
    }

    /// Whether the character makes a link of a bare address, as in GitHub's Markdown.
    private static func isLinkPunctuation(_ scalar: Unicode.Scalar, after text: String) -> Bool {
        switch scalar {
        case ":": ["http", "https", "ftp", "mailto", "xmpp"].contains { text.suffix(6).lowercased().hasSuffix($0) }
        case ".": text.utf8.count >= 3 && text.utf8.suffix(3).allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
        case "@": true
        default: false
        }
    }

    /// A text at the beginning of a line, where a dash or a number would begin a list.
    static func paragraph(_ untrusted: String) -> String {
        let text = escape(untrusted)
        guard let first = text.utf8.first else { return text }
        if "-+=".utf8.contains(first) { return "\\" + text }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty, let next = text[number.endIndex...].first, ".)".contains(next) else { return text }
        return number + "\\" + text[number.endIndex...]
    }

    /// Percent-encodes what may not stand between the angle brackets of a destination (CommonMark §6.3).
    private static func destination(_ url: String) -> String {
        if url.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && !"<>\\&".utf8.contains($0) }) { return url }
        var encoded = ""
        for scalar in url.unicodeScalars {
            switch scalar {
            case "<": encoded += "%3C"
            case ">": encoded += "%3E"
            case "\\": encoded += "%5C"
            case "&": encoded += "&amp;"
            default: if scalar.value >= 0x20, scalar.value != 0x7f { encoded.unicodeScalars.append(scalar) }
            }
        }
        return encoded
    }

    /// A path is not a URL until its own `%`, `?` and `#` are encoded; one with a colon would have a scheme.
    private static func percentEncoded(_ path: String) -> String {
        path.split(separator: "/").map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }
}
