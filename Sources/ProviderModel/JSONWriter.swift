/// Writes JSON text piece by piece, in the order the calls come.
public struct JSONWriter {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty text.
    public init() {}

    /// The whole text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Opens and closes an object around what `content` writes.
    public mutating func object(_ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        content(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens and closes an array around one element for each value.
    public mutating func array<Values: Sequence>(
        _ values: Values, _ element: (inout JSONWriter, Values.Element) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for value in values { element(&self, value) }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// An array of texts; those that are missing are null.
    package mutating func array(_ texts: [String?]) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for text in texts {
            if let text { value(text) } else { null() }
        }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// A member's name; its value comes next.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string.
    public mutating func value(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// A number; one that JSON cannot write becomes null.
    public mutating func value(_ number: Double) { raw(number.isFinite ? number.shortest : "null") }

    /// A whole number.
    public mutating func value(_ number: Int) { raw(String(number)) }

    /// A truth value.
    public mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// JSON text as it is.
    public mutating func value(_ json: JSONText) { raw(json.description) }

    /// A member that is left out when there is no value.
    public mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    /// A member that is left out when there is no value.
    public mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// A member that is left out when there is no value.
    public mutating func member(_ name: String, _ number: Double?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// A member that is left out when there is no value.
    public mutating func member(_ name: String, _ url: WebURL?) { member(name, url?.description) }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func null() {
        let text: StaticString = needsComma ? ",null" : "null"
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { Self.quote($0, to: &bytes) }
    }

    /// Adds a text as a string to the end of another.
    package static func quote(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while let place = text.firstToEscape(from: start) {
            bytes.append(contentsOf: text[start..<place])
            escape(text[place], to: &bytes)
            start = place + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte of a string may not stand for itself.
    package static func needsEscape(_ byte: UInt8) -> Bool { byte.needsEscape }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0a: bytes.append(contentsOf: "\\n".utf8)
        case 0x0d: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(contentsOf: (byte < 16 ? "0" : "").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The place of the first byte that JSON does not take as it is.
    ///
    /// Most texts have none, which eight bytes at a time tell.
    fileprivate func firstToEscape(from start: Int) -> Int? {
        var place = start
        while place + 8 <= count {
            let word = UnsafeRawPointer(baseAddress.unsafelyUnwrapped + place).loadUnaligned(as: UInt64.self)
            if word.hasByteToEscape { break }
            place += 8
        }
        while place < count, !self[place].needsEscape { place += 1 }
        return place < count ? place : nil
    }
}

extension UInt64 {
    /// Whether one of the eight bytes is a control character, a quotation mark or a backslash.
    ///
    /// A byte that is below another number has its highest bit set after it was subtracted, and only then if it had not
    /// before; a borrow comes only from a byte that was found already.
    fileprivate var hasByteToEscape: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let controls = (self &- ones &* 0x20) & ~self
        let quote = self ^ (ones &* 0x22)
        let backslash = self ^ (ones &* 0x5c)
        let found = controls | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        return found & (ones &* 0x80) != 0
    }
}

extension UInt8 {
    fileprivate var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
