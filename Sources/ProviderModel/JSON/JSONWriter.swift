/// Writes JSON text in the order of the calls.
public struct JSONWriter: Sendable {
    /// The text so far, as UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates a writer without any text.
    public init() {}

    /// The text so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an object.
    ///
    /// - Parameter content: writes the members, each a ``name(_:)`` followed by a value, or a `member`.
    public mutating func object(_ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        content(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array with one element per value.
    ///
    /// - Parameters:
    ///   - values: the values, in the order of their elements.
    ///   - element: writes one JSON value for the given value.
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

    /// Writes a member's name; the next call has to write its value.
    ///
    /// - Parameter name: the name, not escaped.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    ///
    /// - Parameter text: the text, not escaped.
    public mutating func value(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// Writes a number.
    ///
    /// - Parameter number: the number; null is written for infinity and NaN, which JSON does not have.
    public mutating func value(_ number: Double) { raw(number.isFinite ? number.shortest : "null") }

    /// Writes an integer.
    ///
    /// - Parameter number: the integer.
    public mutating func value(_ number: Int) { raw(String(number)) }

    /// Writes `true` or `false`.
    ///
    /// - Parameter flag: the value.
    public mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes JSON text unchanged.
    ///
    /// - Parameter json: one JSON value.
    public mutating func value(_ json: JSONText) { raw(json.description) }

    /// Writes a member with a string; nothing for nil.
    ///
    /// - Parameters:
    ///   - name: the member's name, not escaped.
    ///   - text: the string, not escaped.
    public mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    /// Writes a member with an integer; nothing for nil.
    ///
    /// - Parameters:
    ///   - name: the member's name, not escaped.
    ///   - number: the integer.
    public mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member with a number; nothing for nil.
    ///
    /// - Parameters:
    ///   - name: the member's name, not escaped.
    ///   - number: the number; null is written for infinity and NaN.
    public mutating func member(_ name: String, _ number: Double?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member with a URL as a string; nothing for nil.
    ///
    /// - Parameters:
    ///   - name: the member's name, not escaped.
    ///   - url: the URL.
    public mutating func member(_ name: String, _ url: WebURL?) { member(name, url?.description) }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
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
