/// Mends what feeds most often have wrong, so that a parser of XML reads the rest: undeclared entities of HTML, a bare `&` or `<`,
/// control characters, text before the document.
struct XMLRepair {
    private let input: UnsafeBufferPointer<UInt8>
    /// Whether names without a meaning in HTML may be declared in the document itself.
    private let hasDeclarations: Bool
    private var position = 0
    private var output: [UInt8] = []

    /// Returns a document that is read like `text` wherever that is well formed.
    static func repaired(_ text: String) -> String {
        var text = text
        return text.withUTF8 { input in
            var repair = XMLRepair(input)
            repair.run()
            return String(decoding: repair.output, as: UTF8.self)
        }
    }

    private init(_ input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        let start = String(decoding: input.prefix(1 << 16), as: UTF8.self)
        hasDeclarations = start.holds("<!ENTITY")
        // What a server's own warnings put before the document.
        position = start.holds("<?xml") ? Self.place(of: "<?xml", in: input) : 0
        output.reserveCapacity(input.count + 64)
    }

    private static func place(of wanted: StaticString, in input: UnsafeBufferPointer<UInt8>) -> Int {
        wanted.withUTF8Buffer { wanted in
            for start in 0...(input.count - wanted.count) where input[start...].starts(with: wanted) { return start }
            return 0
        }
    }

    private mutating func run() {
        while position < input.count {
            switch input[position] {
            case UInt8(ascii: "<"): copyMarkup()
            case UInt8(ascii: "&"): copyReference()
            default: copyCharacter()
            }
        }
    }

    // MARK: Markup

    private mutating func copyMarkup() {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] as [(StaticString, StaticString)]
        where starts(with: start) {
            return copy(through: end)
        }
        if starts(with: "<!") { return copyDeclaration() }
        let next = position + 1 < input.count ? input[position + 1] : UInt8(ascii: " ")
        if next.isASCIILetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "_") || next >= 0x80 {
            output.append(input[position])
        } else {
            output += "&#60;".utf8
        }
        position += 1
    }

    private mutating func copy(through end: StaticString) {
        while position < input.count, !starts(with: end) { copyCharacter() }
        for _ in 0..<end.utf8CodeUnitCount where position < input.count { copyCharacter() }
    }

    /// Copies a document type, with what it declares in brackets.
    private mutating func copyDeclaration() {
        var depth = 0
        while position < input.count {
            let byte = input[position]
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            copyCharacter()
            if byte == UInt8(ascii: ">"), depth <= 0 { return }
        }
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { input[position...].starts(with: $0) }
    }

    /// Copies a byte, unless it belongs to a character that XML does not have.
    private mutating func copyCharacter() {
        let byte = input[position]
        let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
        // U+FFFE and U+FFFF.
        if byte == 0xEF,
            input[position...].starts(with: [0xEF, 0xBF, 0xBE]) || input[position...].starts(with: [0xEF, 0xBF, 0xBF])
        {
            position += 3
            return
        }
        if !isControl { output.append(byte) }
        position += 1
    }

    // MARK: References

    private mutating func copyReference() {
        var end = position + 1
        let isNumber = end < input.count && input[end] == UInt8(ascii: "#")
        if isNumber { end += 1 }
        let limit = min(input.count, position + 40)
        while end < limit, input[end].isASCIILetter || input[end].isASCIIDigit { end += 1 }
        guard end < input.count, input[end] == UInt8(ascii: ";"), end > position + 1 else {
            output += "&#38;".utf8
            position += 1
            return
        }
        let reference = input[position...end]
        position = end + 1
        let name = reference.dropFirst()
        if isNumber {
            appendNumber(String(decoding: name.dropFirst().dropLast(), as: UTF8.self), as: reference)
        } else if let characters = CharacterReferences.characters(named: name) {
            // A number also where libxml2 goes on behind an error: it no longer resolves names there.
            for scalar in String(decoding: characters, as: UTF8.self).unicodeScalars {
                output += "&#\(scalar.value);".utf8
            }
        } else if name.elementsEqual("apos;".utf8) {
            output += "&#39;".utf8
        } else if hasDeclarations {
            output += reference
        } else {
            output += "&#38;".utf8
            output += name
        }
    }

    private mutating func appendNumber(_ digits: String, as reference: Slice<UnsafeBufferPointer<UInt8>>) {
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = UInt32(isHexadecimal ? String(digits.dropFirst()) : digits, radix: isHexadecimal ? 16 : 10)
        else {
            output += "&#38;".utf8
            output += reference.dropFirst()
            return
        }
        // As HTML has it, of windows-1252's.
        let scalar = CharacterReferences.character(numbered: number)
        let isControl = scalar.value < 0x20 && ![9, 10, 13].contains(scalar.value)
        if !isControl, scalar.value != 0xFFFE, scalar.value != 0xFFFF { output += "&#\(scalar.value);".utf8 }
    }
}
