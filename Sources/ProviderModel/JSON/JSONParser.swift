/// One pass over the bytes of a JSON text (RFC 8259), which keeps what Foundation's parser loses: order and literals.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Deeper texts are made to exhaust a stack.
    private static let deepest = 512

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(InvalidJSON) -> JSONValue {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw expected("the end") }
        return value
    }

    private mutating func value() throws(InvalidJSON) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try nested { parser throws(InvalidJSON) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(InvalidJSON) in try parser.array() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ content: (inout JSONParser) throws(InvalidJSON) -> JSONValue
    ) throws(InvalidJSON) -> JSONValue {
        depth += 1
        guard depth <= Self.deepest else { throw InvalidJSON(description: "more than \(Self.deepest) levels") }
        position += 1
        let value = try content(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(InvalidJSON) -> JSONValue {
        var members: [JSONValue.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw expected("a member's name") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw expected("“:”") }
            members.append(JSONValue.Member(name, try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw expected("“,” or “}”") }
        }
    }

    private mutating func array() throws(InvalidJSON) -> JSONValue {
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw expected("“,” or “]”") }
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(InvalidJSON) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw expected(word) }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(InvalidJSON) -> String {
        let start = position
        while let byte = current, Self.isOfNumber(byte) { position += 1 }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        let digits = literal.hasPrefix("-") ? literal.dropFirst() : literal[...]
        let startsWell =
            digits.first?.isNumber == true && (digits.first != "0" || digits.dropFirst().first?.isNumber != true)
        guard startsWell, literal.last?.isNumber == true, Double(literal) != nil else {
            position = start
            throw expected("a value")
        }
        return literal
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func string() throws(InvalidJSON) -> String {
        position += 1
        if let plain = try plainString() { return plain }
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw expected("UTF-8") }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw expected("no control character in a string")
            default: text.append(byte)
            }
        }
        throw expected("the string's end")
    }

    /// A string in which nothing is to be replaced, as most are; nil for another.
    private mutating func plainString() throws(InvalidJSON) -> String? {
        var end = position
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20 else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        let text = bytes[position..<end]
        position = end + 1
        guard let string = String(validating: text, as: UTF8.self) else { throw expected("UTF-8") }
        return string
    }

    private static let simpleEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0c, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f,
    ]

    private mutating func escape() throws(InvalidJSON) -> [UInt8] {
        guard let byte = current else { throw expected("an escape") }
        position += 1
        if let simple = Self.simpleEscapes[byte] { return [simple] }
        guard byte == UInt8(ascii: "u") else { throw expected("an escape") }
        var code = try codeUnit()
        if (0xd800..<0xdc00).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let low = try codeUnit()
            guard (0xdc00..<0xe000).contains(low) else { throw expected("the second half of a character") }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw expected("both halves of a character") }
        return Array(String(scalar).utf8)
    }

    private mutating func codeUnit() throws(InvalidJSON) -> UInt32 {
        let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt32(digits, radix: 16) else {
            throw expected("four hexadecimal digits")
        }
        position += 4
        return unit
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || (byte >= 0x09 && byte <= 0x0d && byte != 0x0b && byte != 0x0c) {
            position += 1
        }
    }

    private func expected(_ what: String) -> InvalidJSON {
        InvalidJSON(description: "expected \(what) at byte \(position)")
    }
}
