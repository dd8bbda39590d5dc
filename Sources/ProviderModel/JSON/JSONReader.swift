/// Reads untrusted JSON text (RFC 8259) from its bytes, value by value.
package struct JSONReader: Sendable {
    private let bytes: [UInt8]
    /// How many bytes have been read.
    package private(set) var position = 0
    private var depth = 0
    /// How many bytes of white space between values have been read.
    private var spaceCount = 0

    /// Deeper texts are made to exhaust a stack.
    private static let maximumDepth = 512

    /// A reader at the beginning of a text, behind a byte order mark.
    ///
    /// - Throws: ``InvalidJSON`` where the text is not UTF-8. As all of it is checked once, its parts need not be.
    package init(_ bytes: [UInt8]) throws(InvalidJSON) {
        do { _ = try UTF8Span(validating: bytes.span) } catch {
            throw InvalidJSON(description: "expected UTF-8")  // the standard library's error says no more
        }
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    }

    // MARK: Structure

    /// The next byte that is no white space; nil at the end.
    package mutating func peek() -> UInt8? {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            position += 1
            spaceCount += 1
        }
        return current
    }

    /// Reads a character of JSON's structure, if it is the next.
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads the name of an object's member and the colon behind it.
    package mutating func memberName() throws(InvalidJSON) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw expected("a member's name") }
        let name = try string()
        guard take(":") else { throw expected("\":\"") }
        return name
    }

    /// Reads the end of an array or an object, behind its last value.
    package mutating func end(_ character: Unicode.Scalar) throws(InvalidJSON) {
        guard take(character) else { throw expected("\",\" or \"\(character)\"") }
    }

    /// Fails unless everything has been read.
    package mutating func end() throws(InvalidJSON) {
        guard peek() == nil else { throw expected("the end") }
    }

    // MARK: Values

    /// Reads `true`, `false` or `null`.
    package mutating func word(_ word: StaticString) throws(InvalidJSON) {
        _ = peek()
        let isThere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isThere else { throw expected("\(word)") }
        position += word.utf8CodeUnitCount
    }

    /// Reads a number.
    package mutating func number() throws(InvalidJSON) -> Double {
        let literal = try numberLiteral()
        // Most are whole numbers of a few digits, which a double holds exactly.
        if literal.count <= 15, literal.allSatisfy(Self.isDigit) {
            return Double(literal.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        return Double(String(decoding: literal, as: UTF8.self)) ?? .nan  // a literal is a number
    }

    /// Reads a number as it is written: `12`, `1.0`, `-1e3`.
    package mutating func numberLiteral() throws(InvalidJSON) -> ArraySlice<UInt8> {
        _ = peek()
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let hasLeadingZero = current == UInt8(ascii: "0")
        var isValid =
            hasLeadingZero
            ? {
                position += 1; return true
            }() : takeDigits()
        if isValid, current == UInt8(ascii: ".") {
            position += 1
            isValid = takeDigits()
        }
        if isValid, current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            isValid = takeDigits()
        }
        if let byte = current, Self.isDigit(byte) { isValid = false }
        guard isValid else {
            position = start
            throw expected("a value")
        }
        return bytes[start..<position]
    }

    /// Reads a string, whose quotation mark is the next byte.
    package mutating func string() throws(InvalidJSON) -> String {
        try string { error throws(InvalidJSON) in throw error }
    }

    /// Reads a string whose escapes may stand for half a character: U+FFFD takes its place.
    package mutating func stringRepairingLoneSurrogates() throws(InvalidJSON) -> String {
        try string { _ throws(InvalidJSON) in "\u{FFFD}" }
    }

    private mutating func string(
        repair: (InvalidJSON) throws(InvalidJSON) -> Unicode.Scalar
    ) throws(InvalidJSON) -> String {
        _ = peek()
        position += 1
        let start = position
        var end = try endOfPlainText()
        if bytes[end] == UInt8(ascii: "\"") {
            position = end + 1
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        var text: [UInt8] = []
        while true {
            text += bytes[position..<end]
            position = end + 1
            if bytes[end] == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            try appendEscape(to: &text, repair: repair)
            end = try endOfPlainText()
        }
    }

    /// Passes over any value.
    package mutating func skip() throws(InvalidJSON) {
        try skip { reader throws(InvalidJSON) in _ = try reader.string() }
    }

    /// Passes over any value, also where escapes in its strings stand for half a character.
    package mutating func skipWithLoneSurrogates() throws(InvalidJSON) {
        try skip { reader throws(InvalidJSON) in
            reader.position += 1
            while case let end = try reader.endOfPlainText(), true {
                let isEnd = reader.bytes[end] == UInt8(ascii: "\"")
                reader.position = min(end + (isEnd ? 1 : 2), reader.bytes.count)
                if isEnd { return }
            }
        }
    }

    /// Reads any value as its text, without needless white space.
    package mutating func rawValue() throws(InvalidJSON) -> String {
        _ = peek()
        let (start, spaceCount) = (position, spaceCount)
        try skip()
        if self.spaceCount == spaceCount { return String(decoding: bytes[start..<position], as: UTF8.self) }
        var reader = self
        reader.position = start
        return try JSONValue(&reader).compact
    }

    // MARK: Depth

    /// Reads what is inside of an array or an object, whose depth is bounded.
    package mutating func nested<Value>(
        _ content: (inout JSONReader) throws(InvalidJSON) -> Value
    ) throws(InvalidJSON) -> Value {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw InvalidJSON(description: "more than \(Self.maximumDepth) levels")
        }
        defer { depth -= 1 }
        return try content(&self)
    }

    private mutating func skip(
        string: (inout JSONReader) throws(InvalidJSON) -> Void
    ) throws(InvalidJSON) {
        switch peek() {
        case UInt8(ascii: "\""): try string(&self)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "{"):
            try nested { reader throws(InvalidJSON) in
                reader.position += 1
                guard !reader.take("}") else { return }
                repeat {
                    guard reader.peek() == UInt8(ascii: "\"") else { throw reader.expected("a member's name") }
                    try string(&reader)
                    guard reader.take(":") else { throw reader.expected("\":\"") }
                    try reader.skip(string: string)
                } while reader.take(",")
                try reader.end("}")
            }
        case UInt8(ascii: "["):
            try nested { reader throws(InvalidJSON) in
                reader.position += 1
                guard !reader.take("]") else { return }
                repeat { try reader.skip(string: string) } while reader.take(",")
                try reader.end("]")
            }
        default: _ = try numberLiteral()
        }
    }

    // MARK: Strings

    /// Where the next quotation mark or backslash stands.
    private func endOfPlainText() throws(InvalidJSON) -> Int {
        var end = position
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return end }
            guard byte >= 0x20 else {
                throw InvalidJSON(description: "expected no control character in a string at byte \(end)")
            }
            end += 1
        }
        throw InvalidJSON(description: "expected the string's end at byte \(end)")
    }

    /// Reads what follows a backslash.
    private mutating func appendEscape(
        to text: inout [UInt8], repair: (InvalidJSON) throws(InvalidJSON) -> Unicode.Scalar
    ) throws(InvalidJSON) {
        guard let byte = current else { throw expected("an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "u"): text += String(Character(try scalar(repair: repair))).utf8
        default: throw expected("an escape")
        }
    }

    /// The character of one `\u` or two, behind the first `u`.
    private mutating func scalar(
        repair: (InvalidJSON) throws(InvalidJSON) -> Unicode.Scalar
    ) throws(InvalidJSON) -> Unicode.Scalar {
        let start = position
        var code = try codeUnit()
        if (0xd800..<0xdc00).contains(code), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            let next = position
            position += 2
            let low = try codeUnit()
            if (0xdc00..<0xe000).contains(low) {
                code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
            } else {
                // The other escape is a character of its own.
                position = next
            }
        }
        guard let scalar = Unicode.Scalar(code) else {
            var error = expected("both halves of a character")
            error.loneSurrogate = String(decoding: bytes[start..<start + 4], as: UTF8.self)
            return try repair(error)
        }
        return scalar
    }

    private mutating func codeUnit() throws(InvalidJSON) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw expected("four hexadecimal digits") }
        position += 4
        return unit
    }

    // MARK: Bytes

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func takeDigits() -> Bool {
        let start = position
        while let byte = current, Self.isDigit(byte) { position += 1 }
        return position > start
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private func expected(_ what: String) -> InvalidJSON {
        InvalidJSON(description: "expected \(what) at byte \(position)")
    }
}

/// Why a text is no JSON.
package struct InvalidJSON: Error, Hashable, CustomStringConvertible {
    /// What was expected, and at which byte.
    package let description: String
    /// The digits of an escape that stands for half a character: `d83d`.
    package internal(set) var loneSurrogate: String?

    /// Creates an error.
    package init(description: String) { self.description = description }

    /// The error with the line and the column of its byte in a text that people edit.
    package func located(in bytes: [UInt8]) -> String {
        guard let found = description.firstMatch(of: /\ at byte (\d+)$/), let place = Int(found.1) else {
            return description
        }
        let before = bytes[..<min(place, bytes.count)]
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return "\(description[..<found.range.lowerBound]) at line \(line), column \(column)"
    }
}
