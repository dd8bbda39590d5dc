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
