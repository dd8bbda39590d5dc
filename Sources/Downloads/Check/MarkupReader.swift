/// Reads the marks of XML, in UTF-8 or UTF-16, without what stands between them (XML 1.0 §2, §3.1).
struct MarkupReader<Content: FileContent> {
    /// The beginning or end of an element, or text.
    enum Mark: Hashable {
        /// The beginning of an element, with its name and attributes as they are written.
        case start(String, isEmpty: Bool)
        case end
        /// Text that is not only blanks.
        case text
    }

    private enum Unit {
        case byte
        case little
        case big
    }

    private var cursor: ContentCursor<Content>
    private let unit: Unit
    /// Whether the text ended within a mark.
    private(set) var isCut = false

    /// The depth of the marks that lie within one another.
    private var depth = 0

    /// The longest mark whose text is kept: others have their beginning.
    private static var textLimit: Int { 64 << 10 }

    init(_ content: Content) throws(DownloadError) {
        let head = try content.bytes(at: 0, count: 4)
        let isLittle = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0x3c, 0])
        let isBig = head.starts(with: [0xfe, 0xff]) || head.starts(with: [0, 0x3c])
        unit = isLittle ? .little : isBig ? .big : .byte
        let mark = head.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : head.first ?? 0 >= 0xfe ? 2 : 0
        cursor = ContentCursor(content, at: mark)
    }

    /// The next mark; nil at the end.
    ///
    /// Comments, declarations and instructions are none.
    mutating func next() throws(DownloadError) -> Mark? {
        while let character = try character() {
            if character == UInt8(ascii: "<") {
                if let mark = try mark() { return mark }
                if isCut { return nil }
            } else if !Self.isBlank(character) {
                try skipText()
                return .text
            }
        }
        return nil
    }

    /// The next character; 0xff for one beyond ASCII, nil at the end.
    private mutating func character() throws(DownloadError) -> UInt8? {
        guard unit != .byte else { return try cursor.next() }
        guard let pair = try cursor.take(2) else { return nil }
        let (low, high) = unit == .little ? (pair[0], pair[1]) : (pair[1], pair[0])
        return high == 0 && low < 0x80 ? low : 0xff
    }

    private static func isBlank(_ character: UInt8) -> Bool {
        character == 0x20 || (0x09...0x0d).contains(character)
    }

    private mutating func skipText() throws(DownloadError) {
        let width = unit == .byte ? 1 : 2
        while let character = try character() {
            if character == UInt8(ascii: "<") {
                cursor.offset -= width
                return
            }
        }
    }

    /// Reads a mark behind its `<`; nil for one that is no element's.
    private mutating func mark() throws(DownloadError) -> Mark? {
        depth += 1
        defer { depth -= 1 }
        // The document's type has declarations, and those have nothing within.
        guard depth <= 3, let first = try character() else {
            isCut = true
            return nil
        }
        switch first {
        case UInt8(ascii: "?"): try skip(through: "?>")
        case UInt8(ascii: "!"): try skipDeclaration()
        case UInt8(ascii: "/"):
            try skip(through: ">")
            return isCut ? nil : .end
        default: return try start(first)
        }
        return nil
    }

    private mutating func start(_ first: UInt8) throws(DownloadError) -> Mark? {
        var text = [first]
        var quote: UInt8?
        var previous = first
        while let character = try character() {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == UInt8(ascii: "\"") || character == UInt8(ascii: "'") {
                quote = character
            } else if character == UInt8(ascii: ">") {
                return .start(String(decoding: text, as: UTF8.self), isEmpty: previous == UInt8(ascii: "/"))
            }
            if text.count < Self.textLimit { text.append(character) }
            previous = character
        }
        isCut = true
        return nil
    }

    private mutating func skip(through end: StaticString) throws(DownloadError) {
        let wanted = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        var last: [UInt8] = []
        while let character = try character() {
            if last.count == wanted.count { last.removeFirst() }
            last.append(character)
            if last.elementsEqual(wanted) { return }
        }
        isCut = true
    }

    /// Skips a comment, a section of characters, or the type of the document with what it declares itself.
    private mutating func skipDeclaration() throws(DownloadError) {
        let (place, first) = (cursor.offset, try character())
        if first == UInt8(ascii: "-"), try character() == UInt8(ascii: "-") { return try skip(through: "-->") }
        if first == UInt8(ascii: "[") { return try skip(through: "]]>") }
        cursor.offset = place
        var depth = 1
        var quote: UInt8?
        while let character = try character() {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = character
            case UInt8(ascii: ">"):
                depth -= 1
                if depth == 0 { return }
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "<"):
                // A comment or an instruction within may hold any mark.
                _ = try mark()
                if isCut { return }
            default: break
            }
        }
        isCut = true
    }
}
