import CLibXML2

/// The tag names that HTML has rules for; all others are treated alike.
enum KnownTag: String, CaseIterable {
    case unknown = ""
    case a, abbr, address, applet, area, article, aside, b, base, basefont, bgsound, big, blockquote, body, br, button
    case caption, center, code, col, colgroup, dd, desc, details, dialog, dir, div, dl, dt, em, embed, fieldset
    case figcaption, figure, font, footer, form, frame, frameset
    case h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i, iframe, image, img, input, keygen, li, link, listing
    case main, malignmark, marquee, math, menu, meta, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed, noframes
    case noscript, object, ol, optgroup, option, p, param, plaintext, pre, rb, rp, rt, rtc, ruby, s, script, search
    case section, select, small, source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template
    case textarea, tfoot, th, thead, title, tr, track, tt, u, ul, `var`, wbr, xmp
    case annotationXML = "annotation-xml"
    case foreignObject = "foreignobject"
}

/// A tag's lower-case name, held by a document's dictionary: the same name is the same pointer.
struct HTMLTag: Equatable {
    let known: KnownTag
    let name: UnsafePointer<xmlChar>

    static func == (left: HTMLTag, right: HTMLTag) -> Bool { left.name == right.name }
}

/// The vocabularies that a page can hold.
enum HTMLNamespace: UInt {
    case html, svg, mathML

    /// The namespace's URI.
    var uri: String {
        switch self {
        case .html: "http://www.w3.org/1999/xhtml"
        case .svg: "http://www.w3.org/2000/svg"
        case .mathML: "http://www.w3.org/1998/Math/MathML"
        }
    }
}

/// The names of one document's elements and attributes, each stored once.
struct NameTable {
    let dictionary: xmlDictPtr

    /// The table's string for a name; nil where memory is short.
    func name(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<xmlChar>? {
        xmlDictLookup(dictionary, bytes.baseAddress, Int32(clamping: bytes.count))
    }

    /// The table's string for a name.
    func name(_ text: StaticString) -> UnsafePointer<xmlChar>? {
        text.withUTF8Buffer { name($0) }
    }

    /// The tag with a lower-case name; nil where memory is short.
    func tag(_ bytes: UnsafeBufferPointer<UInt8>) -> HTMLTag? {
        name(bytes).map { HTMLTag(known: KnownTags.tag(named: bytes), name: $0) }
    }

    /// A tag of HTML; nil where memory is short.
    func tag(_ known: KnownTag) -> HTMLTag? {
        var text = known.rawValue
        return text.withUTF8 { name($0) }.map { HTMLTag(known: known, name: $0) }
    }
}

/// Finds known tags by name without making a string of it.
private enum KnownTags {
    /// A name of up to 16 bytes as two numbers.
    private struct Key: Equatable {
        var low: UInt64 = 0
        var high: UInt64 = 0

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard (1...16).contains(bytes.count) else { return nil }
            for (index, byte) in bytes.enumerated() {
                if index < 8 { low = low << 8 | UInt64(byte) } else { high = high << 8 | UInt64(byte) }
            }
        }

        var slot: Int { Int((low &* 0x9E37_79B9_7F4A_7C15 ^ high &* 0xC2B2_AE3D_27D4_EB4F) >> 54) }
    }

    static func tag(named bytes: UnsafeBufferPointer<UInt8>) -> KnownTag {
        guard let key = Key(bytes) else { return .unknown }
        var slot = key.slot
        while let entry = table[slot] {
            if entry.key == key { return entry.tag }
            slot = (slot + 1) & 1023
        }
        return .unknown
    }

    private static let table: [(key: Key, tag: KnownTag)?] = {
        var table = [(key: Key, tag: KnownTag)?](repeating: nil, count: 1024)
        for tag in KnownTag.allCases {
            var name = tag.rawValue
            guard let key = name.withUTF8({ Key($0) }) else { continue }
            var slot = key.slot
            while table[slot] != nil { slot = (slot + 1) & 1023 }
            table[slot] = (key, tag)
        }
        return table
    }()
}
