import CLibXML2

/// A character encoding, found by the label that a server or a page gives it.
package enum Charset: Hashable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian, windows1252
    /// One of the encodings that libxml2 converts, by the name it knows.
    case converted(name: String)

    /// Finds an encoding by label as browsers do (latin1 means windows-1252), or is nil where there is none.
    package init?(label: String) {
        let name = label.asciiTrimmed.lowercased()
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16", "utf-16le", "unicode", "ucs-2", "iso-10646-ucs-2": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252", "x-cp1252":
            self = .windows1252
        default:
            guard let known = Self.libraryName(of: name) else { return nil }
            self = .converted(name: known)
        }
    }

    /// Loads what converting needs, since a sandboxed worker can open no file afterwards.
    static func prepare() {
        // ICU's tables live in libicudata; the first converter maps them and reads the alias table.
        for name in ["windows-31j", "euc-jp", "windows-949", "gb18030", "big5", "koi8-r", "windows-1251"] {
            guard let handler = xmlFindCharEncodingHandler(name) else { continue }
            xmlCharEncCloseFunc(handler)
        }
    }

    /// The WHATWG Encoding Standard reads these labels as a wider encoding than the one they name.
    private static let wider = [
        "shift_jis": "windows-31j", "shift-jis": "windows-31j", "sjis": "windows-31j", "x-sjis": "windows-31j",
        "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "gb_2312-80": "gb18030",
        "euc-kr": "windows-949", "ks_c_5601-1987": "windows-949",
        "iso-8859-9": "windows-1254", "latin5": "windows-1254",
        "iso-8859-11": "windows-874", "tis-620": "windows-874",
    ]

    private static func libraryName(of label: String) -> String? {
        // ICU takes options behind a comma, and libxml2 copies names into fixed buffers.
        guard (1...40).contains(label.utf8.count), label.utf8.allSatisfy({ $0.isLetterOrDigit || "-_.:()".utf8.contains($0) })
        else { return nil }
        let name = wider[label] ?? label
        guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
        xmlCharEncCloseFunc(handler)
        return name
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

    var isLetterOrDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x7A).contains(asciiLowercased) }

    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
