import CLibXML2

/// A character encoding of the Encoding Standard.
enum Charset: Hashable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian, windows1252
    /// One that libxml2 converts, by the name it has in the Encoding Standard.
    case legacy(name: String)
    /// Bytes of 0x80 and more are characters for private use.
    case userDefined
    /// Encodings that browsers no longer read, since scripts hid in them.
    case replacement

    /// Finds an encoding by label as browsers do (latin1 means windows-1252), or is nil where there is none.
    init?(label: String) {
        guard let name = Self.names[label.asciiTrimmed.lowercased()] else { return nil }
        switch name {
        case "utf-8": self = .utf8
        case "utf-16le": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "windows-1252": self = .windows1252
        case "x-user-defined": self = .userDefined
        case "replacement": self = .replacement
        case "gbk": self = .legacy(name: "gb18030")
        case "iso-8859-8-i": self = .legacy(name: "iso-8859-8")
        default: self = .legacy(name: name)
        }
    }

    /// Loads what converting needs, since a sandboxed worker can open no file afterwards.
    static func prepare() {
        if xmlConvertsByICU() == 0 { _ = converterNames }
    }
}

extension String {
    var asciiTrimmed: String {
        var bytes = utf8[...]
        while let first = bytes.first, first.isMarkupSpace { bytes.removeFirst() }
        while let last = bytes.last, last.isMarkupSpace { bytes.removeLast() }
        return String(bytes) ?? self
    }
}

extension UInt8 {
    var isMarkupSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// The kinds of text by which its encoding is found.
enum Markup: Sendable {
    case html, xml, json
}

extension Charset {
    /// Returns a text: by byte order mark, then the label it came with, then its own, else as UTF-8.
    ///
    /// HTML that says nothing and is not UTF-8 is read as windows-1252, as browsers do, and so is other markup that says that it is
    /// UTF-8 and has no character of it. JSON is UTF-8 whatever its label says (RFC 8259 §8.1), unless it cannot be.
    static func text(of bytes: UnsafeRawBufferPointer, labelled label: String?, as markup: Markup) -> String {
        if let (charset, length) = byteOrderMark(in: bytes) {
            return charset.decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(length)))
        }
        if markup == .json {
            if let charset = utf16(ofJSON: bytes) { return charset.decode(bytes) }
            if let text = String(validating: bytes, as: UTF8.self) { return text }
        }
        let charset = label.flatMap(Charset.init(label:)) ?? declared(in: bytes, as: markup)
        if let charset, charset != .utf8 { return charset.decode(bytes) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let isOther = charset == nil && markup == .html || markup != .json && !hasUTF8(bytes)
        return isOther ? windows1252.decode(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether bytes that are not all UTF-8 have a character of it beyond ASCII, or end within their first one.
    ///
    /// Without any, they are in another encoding, whatever they say.
    private static func hasUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.firstIndex(where: { $0 >= 0x80 }), first < bytes.count - 3 else { return true }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { $0.value > 0x7F && $0 != "\u{FFFD}" }
    }

    /// The encoding that a document declares in itself.
    static func declared(in bytes: UnsafeRawBufferPointer, as markup: Markup) -> Charset? {
        // XML 1.0 appendix F: "<?" in UTF-16, before any declaration can be read.
        if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { return .utf16LittleEndian }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { return .utf16BigEndian }
        let charset: Charset? =
            switch markup {
            case .html: MetaPrescan.charset(in: bytes) ?? xmlCharset(in: bytes)
            case .xml: xmlCharset(in: bytes)
            case .json: nil
            }
        // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
        return switch charset {
        case .utf16LittleEndian, .utf16BigEndian: .utf8
        case .userDefined: .windows1252
        default: charset
        }
    }

    static func byteOrderMark(in bytes: UnsafeRawBufferPointer) -> (Charset, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// UTF-16 without a mark: JSON begins with an ASCII character (RFC 4627 §3).
    private static func utf16(ofJSON bytes: UnsafeRawBufferPointer) -> Charset? {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
        if bytes[0] != 0, bytes[1] == 0 { return .utf16LittleEndian }
        return bytes[0] == 0 && bytes[1] != 0 ? .utf16BigEndian : nil
    }

    private static func xmlCharset(in bytes: UnsafeRawBufferPointer) -> Charset? {
        let start = bytes.prefix(1024).drop(while: \.isMarkupSpace)
        guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: start[..<end], as: UTF8.self)
        guard let place = declaration.range(ofASCII: "encoding") else { return nil }
        let rest = declaration.utf8[place.upperBound...].drop(while: \.isMarkupSpace)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        let value = rest.dropFirst().drop(while: \.isMarkupSpace)
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return String(value.dropFirst().prefix { $0 != quote }).flatMap(Charset.init(label:))
    }
}

extension String {
    /// Where a text of ASCII stands first.
    private func firstPlace(ofASCII wanted: StaticString) -> String.Index? {
        wanted.withUTF8Buffer { wanted in
            var rest = utf8[...]
            while rest.count >= wanted.count {
                if rest.starts(with: wanted) { return rest.startIndex }
                rest.removeFirst()
            }
            return nil
        }
    }

    fileprivate func range(ofASCII wanted: StaticString) -> Range<String.Index>? {
        firstPlace(ofASCII: wanted).map { $0..<utf8.index($0, offsetBy: wanted.utf8CodeUnitCount) }
    }
}

extension Charset {
    /// Returns `bytes` as text, with U+FFFD for what cannot be read.
    func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .utf16LittleEndian: Self.utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: Self.utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case .windows1252: Self.windows1252(bytes)
        case .userDefined: String(decoding: bytes.map { $0 < 0x80 ? UInt16($0) : 0xF700 + UInt16($0) }, as: UTF16.self)
        case .replacement: bytes.isEmpty ? "" : "\u{FFFD}"
        case .legacy("iso-8859-16"): Self.latin10(bytes)
        case .legacy("koi8-u"): Self.belarusian(Self.converted(bytes, from: "koi8-u"))
        case .legacy(let name): Self.converted(bytes, from: name)
        }
    }

    /// Returns `bytes` as text in the encoding that `charset` is a label of, or nil where there is no such encoding.
    static func decode(_ bytes: UnsafeRawBufferPointer, charset: String) -> String? {
        Charset(label: charset)?.decode(bytes)
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer, unit: (UInt8, UInt8) -> UInt16) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) { units.append(unit(bytes[index], bytes[index + 1])) }
        if !bytes.count.isMultiple(of: 2) { units.append(0xFFFD) }
        return String(decoding: units, as: UTF16.self)
    }

    /// What windows-1252 has at 0x80 to 0x9F, where Latin-1 has control characters.
    static let windows1252Controls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> String {
        let units = bytes.lazy.map { (0x80...0x9F).contains($0) ? windows1252Controls[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: Array(units), as: UTF16.self)
    }

    /// ISO-8859-16 from 0xA0 on, which ICU does not know.
    private static let latin10Letters = Array(
        "\u{A0}ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ"
            .utf16)

    private static func latin10(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.map { $0 < 0xA0 ? UInt16($0) : latin10Letters[Int($0) - 0xA0] }, as: UTF16.self)
    }

    /// The Encoding Standard's KOI8-U has two letters of Belarusian where ICU's has lines of a box.
    private static func belarusian(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "╝" ? "ў" : $0 == "╬" ? "Ў" : $0 }))
    }

    private static func converted(_ bytes: UnsafeRawBufferPointer, from name: String) -> String {
        guard let converter = converterNames[name] else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        append(bytes[...], from: converter, isStateful: name == "iso-2022-jp", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Converts bytes, and where some cannot be read, parts of them: a few bad bytes cost no more than a part each.
    private static func append(
        _ bytes: Slice<UnsafeRawBufferPointer>, from converter: String, isStateful: Bool, to text: inout [UInt8]
    ) {
        var parts = [bytes]
        while let part = parts.popLast() {
            if let whole = Conversion(of: part, from: converter), whole.isComplete {
                text += whole.text
            } else if let cut = cut(of: part, isStateful: isStateful) {
                parts.append(part[cut...])
                parts.append(part[..<cut])
            } else {
                appendRepaired(part, from: converter, to: &text)
            }
        }
    }

    /// A place near the middle where no character is cut in two: behind a byte that is never a part of a longer one, or, where
    /// escapes switch between tables, behind a line.
    private static func cut(of part: Slice<UnsafeRawBufferPointer>, isStateful: Bool) -> Int? {
        guard part.count > 32 else { return nil }
        let middle = part.startIndex + part.count / 2
        let isBound: (UInt8) -> Bool = { isStateful ? $0 == 0x0A : $0 < 0x30 && $0 != 0x1B }
        let before = part[..<middle].lastIndex(where: isBound).map { $0 + 1 }
        if let before, before < part.endIndex { return before }
        return part[middle...].firstIndex(where: isBound).map { $0 + 1 }.flatMap { $0 < part.endIndex ? $0 : nil }
    }

    private static func appendRepaired(
        _ bytes: Slice<UnsafeRawBufferPointer>, from converter: String, to text: inout [UInt8]
    ) {
        var rest = bytes
        while !rest.isEmpty {
            guard let whole = Conversion(of: rest, from: converter) else { return }
            if whole.isComplete {
                text += whole.text
                return
            }
            guard let prefix = readablePrefix(of: rest, stoppedAt: whole.consumed, from: converter) else { return }
            text += prefix.text + Array("\u{FFFD}".utf8)
            rest = rest.dropFirst(prefix.consumed + 1)
        }
    }

    /// Returns what stands before the unreadable place; ICU stops behind it and discards what it had read just before.
    private static func readablePrefix(
        of bytes: Slice<UnsafeRawBufferPointer>, stoppedAt stop: Int, from name: String
    ) -> Conversion? {
        let longestCharacter = 4
        for length in stride(from: min(stop, bytes.count - 1), through: max(stop - longestCharacter - 1, 0), by: -1) {
            if let prefix = Conversion(of: bytes.prefix(length), from: name), prefix.isComplete { return prefix }
        }
        return nil
    }
}

/// One pass of libxml2's converter over some bytes.
private struct Conversion {
    let text: [UInt8]
    let consumed: Int
    let isComplete: Bool

    init?(of bytes: Slice<UnsafeRawBufferPointer>, from name: String) {
        DocumentStore.prepare()
        // A new handler each time: after an error the old one is in the middle of a character.
        guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
        defer { xmlCharEncCloseFunc(handler) }
        // Its error message reads four bytes past the end of the input.
        let source = xmlBufferCreateSize(bytes.count + 8)
        defer { xmlBufferFree(source) }
        // Three bytes are the most that one byte becomes; a buffer with room is filled in one go.
        let target = xmlBufferCreateSize(bytes.count * 4 + 64)
        defer { xmlBufferFree(target) }
        guard let source, let target else { return nil }
        let start = UnsafeRawBufferPointer(rebasing: bytes).baseAddress?.assumingMemoryBound(to: UInt8.self)
        if let start { xmlBufferAdd(source, start, Int32(bytes.count)) }
        // A line end behind the last byte shows whether that was the end of a character: a cut one is no error to ICU.
        xmlBufferAdd(source, "\n", 1)
        let result = xmlCharEncInFunc(handler, target, source)
        let written = Array(UnsafeBufferPointer(start: xmlBufferContent(target), count: Int(xmlBufferLength(target))))
        let left = Int(xmlBufferLength(source))
        isComplete = result >= 0 && left == 0 && written.last == UInt8(ascii: "\n")
        text = isComplete ? written.dropLast() : written
        consumed = min(bytes.count + 1 - left, bytes.count)
    }
}
