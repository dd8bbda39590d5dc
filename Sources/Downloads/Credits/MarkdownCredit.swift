import ProviderModel

/// A file's credit as a line of a Markdown list; what strangers wrote is text in it, never markup.
enum MarkdownCredit {
    static func text(_ path: String, _ credit: Credit) -> String {
        let title = credit.title.map { "“\(escape($0))”" }
        let author = credit.author.map { "by " + link($0, credit.authorURL) }
        let work = [title, author].compactMap(\.self).joined(separator: " ")
        let license = credit.license.map { link($0, credit.licenseURL) }
        let said = [work, license ?? "", link(credit.source, credit.page)].filter { !$0.isEmpty }
        return "- \(link(path, percentEncoded(path))): \(said.joined(separator: ", "))\n"
            + "  > \(paragraph(credit.line))\n"
    }

    /// CommonMark §2.4: any ASCII punctuation after a backslash is itself.
    ///
    /// Line breaks would end the list's item.
    static func escape(_ text: String) -> String {
        if isPlain(text) { return text }
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
    /// For each byte whether it is printable ASCII that never has a meaning, but for a dot behind `www`.
    private static let plainBytes: [Bool] = (0...255).map { (byte: UInt8) in
        (0x20..<0x7f).contains(byte) && !"\\`*_[]<>#|~&!^$:@".utf8.contains(byte)
    }

    /// Whether there is nothing to escape, as in most texts: printable ASCII without markup and addresses.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.allSatisfy { place in
                guard plainBytes[Int(bytes[place])] else { return false }
                guard bytes[place] == UInt8(ascii: "."), place >= 3, bytes[place - 1] | 0x20 == UInt8(ascii: "w") else {
                    return true
                }
                return !bytes[..<place].suffix(3).elementsEqual("www".utf8) { $0 | 0x20 == $1 }
            }
        }
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
        guard let first = text.utf8.first else { return text }
        if "-+=".utf8.contains(first) { return "\\" + text }
        guard (0x30...0x39).contains(first) else { return text }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty, let next = text[number.endIndex...].first, ".)".contains(next) else { return text }
        return number + "\\" + text[number.endIndex...]
    }

    private static func link(_ text: String, _ url: String?) -> String {
        guard let url else { return escape(text) }
        return "[\(escape(text))](<\(destination(url))>)"
    }

    /// What may not stand between the angle brackets of a destination (CommonMark §6.3), percent-encoded.
    private static func destination(_ url: String) -> String {
        let isPlain = url.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7f && !destinationMarks.contains(byte)
        }
        if isPlain { return url }
        var encoded = ""
        for scalar in url.unicodeScalars {
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

    private static let destinationMarks = Array("<>\\&".utf8)

    /// A path is no URL until its own `%`, `?` and `#` are encoded; one with a colon would be of a scheme.
    private static func percentEncoded(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        if isPlain { return path }
        let names = path.utf8.split(separator: UInt8(ascii: "/"))
        return names.map { PercentEncoding.encode(String(Substring($0))) }.joined(separator: "/")
    }
}
