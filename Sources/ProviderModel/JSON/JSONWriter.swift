/// Writes JSON text piece by piece, in the order the calls come.
public struct JSONWriter: Sendable {
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
        var rest = text[...]
        while let place = rest.firstIndex(where: needsEscape) {
            bytes.append(contentsOf: rest[..<place])
            escape(rest[place], to: &bytes)
            rest = rest[(place + 1)...]
        }
        bytes.append(contentsOf: rest)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte of a string may not stand for itself.
    package static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0a: bytes += "\\n".utf8
        case 0x0d: bytes += "\\r".utf8
        case 0x09: bytes += "\\t".utf8
        default: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        }
    }
}
