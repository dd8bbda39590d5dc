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
