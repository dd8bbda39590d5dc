import ProviderModel

/// What bytes may stand for themselves in: found out for all formats at once, when a text is looked at anyway.
struct TextUses: OptionSet {
    let rawValue: UInt8

    /// Markdown's text: printable ASCII that never has a meaning, but for a dot behind `www`.
    static let markdown = TextUses(rawValue: 1)
    /// The destination of a link.
    static let destination = TextUses(rawValue: 2)
    /// A path.
    static let path = TextUses(rawValue: 4)
    /// A string in JSON.
    static let json = TextUses(rawValue: 8)
    /// A text without a dot.
    static let withoutDot = TextUses(rawValue: 16)
    /// A text without a `w`.
    static let withoutW = TextUses(rawValue: 32)

    static let all = TextUses(rawValue: .max)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What all bytes of a text may stand for themselves in: all of it, in most texts.
    init(of text: UnsafeBufferPointer<UInt8>) {
        let table = Self.table
        var all = Self.all
        for byte in text { all.formIntersection(table[Int(byte)]) }
        self = all
    }

    /// For each byte; never changed, and it lives as long as the program.
    nonisolated(unsafe) static let table: UnsafePointer<TextUses> = {
        let table = UnsafeMutablePointer<TextUses>.allocate(capacity: 256)
        for byte in UInt8.min ... .max { (table + Int(byte)).initialize(to: TextUses(of: byte)) }
        return UnsafePointer(table)
    }()

    private init(of byte: UInt8) {
        var uses: TextUses = []
        if (0x20..<0x7f).contains(byte), !"\\`*_[]<>#|~&!^$:@".utf8.contains(byte) { uses.insert(.markdown) }
        if byte >= 0x20, byte != 0x7f, !"<>\\&".utf8.contains(byte) { uses.insert(.destination) }
        if PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/") { uses.insert(.path) }
        if !JSONWriter.needsEscape(byte) { uses.insert(.json) }
        if byte != UInt8(ascii: ".") { uses.insert(.withoutDot) }
        if byte | 0x20 != UInt8(ascii: "w") { uses.insert(.withoutW) }
        self = uses
    }
}
