import CLibXML2

/// A character encoding, found by the label that a server or a page gives it.
enum Charset: Hashable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian, windows1252
    /// One that libxml2 converts, by the name it has in the Encoding Standard.
    case legacy(name: String)

    /// Finds an encoding by label as browsers do (latin1 means windows-1252), or is nil where there is none.
    init?(label: String) {
        let name = label.asciiTrimmed.lowercased()
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16", "utf-16le", "unicode", "ucs-2", "iso-10646-ucs-2": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252",
            "x-cp1252":
            self = .windows1252
        default:
            let standardName = Self.legacyLabels[name] ?? name
            guard Self.converterNames[standardName] != nil else { return nil }
            self = .legacy(name: standardName)
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

/// The kinds of markup a document can be written in.
enum Markup: Sendable {
    case html, xml
}

extension Charset {
    /// Returns the text of a document: by byte order mark, then the label it came with, then its own, else as UTF-8.
    ///
    /// HTML that says nothing and is not UTF-8 is read as windows-1252, as browsers do.
    static func text(of bytes: UnsafeRawBufferPointer, labelled label: String?, as markup: Markup) -> String {
        if let (charset, length) = byteOrderMark(in: bytes) {
            return charset.decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(length))) ?? ""
        }
        if let text = label.flatMap(Charset.init(label:))?.decode(bytes) { return text }
        if let text = declared(in: bytes, as: markup)?.decode(bytes) { return text }
        if markup == .html {
            return String(validating: bytes, as: UTF8.self) ?? windows1252.decode(bytes) ?? ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func byteOrderMark(in bytes: UnsafeRawBufferPointer) -> (Charset, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    private static func declared(in bytes: UnsafeRawBufferPointer, as markup: Markup) -> Charset? {
        // XML 1.0 appendix F: "<?" in UTF-16, before any declaration can be read.
        if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { return .utf16LittleEndian }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { return .utf16BigEndian }
        let start = bytes.prefix(4096).map(\.asciiLowercased)[...]
        let label: String? =
            switch markup {
            case .html: metaLabel(in: start)
            case .xml: xmlLabel(in: start)
            }
        // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
        return switch label.flatMap(Charset.init(label:)) {
        case .utf16LittleEndian, .utf16BigEndian: .utf8
        case let charset: charset
        }
    }

    private static func metaLabel(in start: ArraySlice<UInt8>) -> String? {
        var rest = start
        while let tag = rest.after("<meta") {
            let end = tag.firstIndex(of: UInt8(ascii: ">")) ?? tag.endIndex
            if let label = tag[..<end].after("charset")?.labelBehindEqualsSign { return label }
            rest = tag[end...]
        }
        return nil
    }

    private static func xmlLabel(in start: ArraySlice<UInt8>) -> String? {
        guard let declaration = start.drop(while: \.isMarkupSpace).after("<?xml", atStart: true) else { return nil }
        let end = declaration.firstIndex(of: UInt8(ascii: ">")) ?? declaration.endIndex
        return declaration[..<end].after("encoding")?.labelBehindEqualsSign
    }
}

extension ArraySlice<UInt8> {
    /// What follows the first `text`, or, with `atStart`, what follows it where it stands first.
    fileprivate func after(_ text: StaticString, atStart: Bool = false) -> ArraySlice<UInt8>? {
        text.withUTF8Buffer { wanted in
            var rest = self
            while rest.count >= wanted.count {
                if rest.starts(with: wanted) { return rest.dropFirst(wanted.count) }
                if atStart { return nil }
                rest.removeFirst()
            }
            return nil
        }
    }

    fileprivate var labelBehindEqualsSign: String? {
        let rest = drop(while: \.isMarkupSpace)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        let value = rest.dropFirst().drop { $0.isMarkupSpace || quotes.contains($0) }
        let label = value.prefix {
            !$0.isMarkupSpace && !quotes.contains($0) && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "/")
        }
        return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
    }
}

extension Charset {
    /// A text with more unreadable places than this was labelled wrongly.
    private static let errorLimit = 64

    /// Returns `bytes` as text, with U+FFFD for what cannot be read, or nil where the bytes contradict the encoding.
    func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .utf16LittleEndian: Self.utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: Self.utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case .windows1252: Self.windows1252(bytes)
        case .legacy(let name): Self.converterNames[name].flatMap { Self.converted(bytes, from: $0) }
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
    private static let upperControls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> String {
        let units = bytes.lazy.map { (0x80...0x9F).contains($0) ? upperControls[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: Array(units), as: UTF16.self)
    }

    private static func converted(_ bytes: UnsafeRawBufferPointer, from name: String) -> String? {
        guard bytes.count <= DocumentStore.sizeLimit else { return nil }
        var text: [UInt8] = []
        var rest = bytes[...]
        for _ in 0...errorLimit {
            guard let whole = Conversion(of: rest, from: name) else { return nil }
            if whole.isComplete { return String(decoding: text + whole.text, as: UTF8.self) }
            guard let prefix = readablePrefix(of: rest, stoppedAt: whole.consumed, from: name) else { return nil }
            text += prefix.text + Array("\u{FFFD}".utf8)
            rest = rest.dropFirst(prefix.consumed + 1)
        }
        return nil
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

extension Charset {
    /// The labels, beside its name, that the Encoding Standard gives an encoding; those seen in practice.
    static let legacyLabels = [
        "cp866": "ibm866", "866": "ibm866",
        "latin2": "iso-8859-2", "l2": "iso-8859-2", "iso8859-2": "iso-8859-2", "iso_8859-2": "iso-8859-2",
        "latin3": "iso-8859-3", "latin4": "iso-8859-4", "cyrillic": "iso-8859-5", "iso8859-5": "iso-8859-5",
        "arabic": "iso-8859-6", "greek": "iso-8859-7", "iso8859-7": "iso-8859-7", "hebrew": "iso-8859-8",
        "iso-8859-8-i": "iso-8859-8", "latin6": "iso-8859-10", "latin9": "iso-8859-15", "iso8859-15": "iso-8859-15",
        "koi8": "koi8-r", "koi": "koi8-r", "koi8-ru": "koi8-u", "mac": "macintosh", "x-mac-roman": "macintosh",
        "iso-8859-11": "windows-874", "tis-620": "windows-874", "cp1250": "windows-1250", "cp1251": "windows-1251",
        "cp1253": "windows-1253", "cp1254": "windows-1254", "iso-8859-9": "windows-1254", "latin5": "windows-1254",
        "iso8859-9": "windows-1254", "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257",
        "cp1258": "windows-1258",
        "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "gb_2312-80": "gb18030", "chinese": "gb18030",
        "big5-hkscs": "big5", "cn-big5": "big5", "x-x-big5": "big5", "x-euc-jp": "euc-jp",
        "shift-jis": "shift_jis", "sjis": "shift_jis", "x-sjis": "shift_jis", "ms_kanji": "shift_jis",
        "windows-31j": "shift_jis",
        "ks_c_5601-1987": "euc-kr", "korean": "euc-kr", "windows-949": "euc-kr",
    ]

    /// The name to ask libxml2 for, by an encoding's name.
    ///
    /// libxml2 asks iconv before ICU, and glibc's iconv opens a shared library for each encoding, which a sandboxed worker
    /// may not. So this asks by names that only ICU knows: its tables are all in libicudata, loaded with libxml2 (measured:
    /// no file is opened). Where libxml2 is built without ICU, iconv's libraries are opened here, and kept.
    static let converterNames: [String: String] = {
        if xmlConvertsByICU() != 0 { return converters.mapValues(\.icu) }
        // An open handler, never closed, keeps its library loaded.
        return converters.mapValues(\.iconv).filter { xmlFindCharEncodingHandler($0.value) != nil }
    }()

    private static let converters: [String: (icu: String, iconv: String)] = [
        "ibm866": ("ibm-866_P100-1995", "ibm866"),
        "iso-8859-2": ("ibm-912_P100-1995", "iso-8859-2"),
        "iso-8859-3": ("ibm-913_P100-2000", "iso-8859-3"),
        "iso-8859-4": ("ibm-914_P100-1995", "iso-8859-4"),
        "iso-8859-5": ("ibm-915_P100-1995", "iso-8859-5"),
        "iso-8859-6": ("ibm-1089_P100-1995", "iso-8859-6"),
        "iso-8859-7": ("ibm-9005_X110-2007", "iso-8859-7"),
        "iso-8859-8": ("ibm-5012_P100-1999", "iso-8859-8"),
        "iso-8859-10": ("iso-8859_10-1998", "iso-8859-10"),
        "iso-8859-13": ("ibm-921_P100-1995", "iso-8859-13"),
        "iso-8859-14": ("iso-8859_14-1998", "iso-8859-14"),
        "iso-8859-15": ("ibm-923_P100-1998", "iso-8859-15"),
        "koi8-r": ("ibm-878_P100-1996", "koi8-r"),
        "koi8-u": ("ibm-1168_P100-2002", "koi8-u"),
        "macintosh": ("macos-0_2-10.2", "macintosh"),
        "x-mac-cyrillic": ("macos-7_3-10.2", "mac-cyrillic"),
        "windows-874": ("windows-874-2000", "tis-620"),
        "windows-1250": ("ibm-5346_P100-1998", "windows-1250"),
        "windows-1251": ("ibm-5347_P100-1998", "windows-1251"),
        "windows-1253": ("ibm-5349_P100-1998", "windows-1253"),
        "windows-1254": ("ibm-5350_P100-1998", "windows-1254"),
        "windows-1255": ("ibm-9447_P100-2002", "windows-1255"),
        "windows-1256": ("ibm-9448_X100-2005", "windows-1256"),
        "windows-1257": ("ibm-9449_P100-2002", "windows-1257"),
        "windows-1258": ("ibm-5354_P100-1998", "windows-1258"),
        "gb18030": ("windows-54936", "gb18030"),
        "big5": ("ibm-1375_P100-2008", "big5-hkscs"),
        "euc-jp": ("euc-jp-2007", "euc-jp"),
        "iso-2022-jp": ("ISO_2022,locale=ja,version=0", "iso-2022-jp"),
        "shift_jis": ("ibm-943_P15A-2003", "windows-31j"),
        "euc-kr": ("windows-949-2000", "uhc"),
    ]
}
