/// Mends what feeds most often have wrong, so that a parser of XML reads the rest: undeclared entities of HTML, a bare `&` or `<`,
/// control characters, text before the document, sections and elements that are not closed.
struct XMLRepair {
    private let input: UnsafeBufferPointer<UInt8>
    /// Whether names without a meaning in HTML may be declared in the document itself.
    private let hasDeclarations: Bool
    private var position = 0
    private var output: [UInt8] = []
    /// The names of the elements that are open, outermost first.
    private var open: [Slice<UnsafeBufferPointer<UInt8>>] = []
    /// The place within a start tag; nil outside.
    private var tag: Tag?

    private enum Tag: Equatable {
        case names
        case value(quote: UInt8)
    }

    /// How far out an end tag finds its element: further out is another fault.
    private static let reach = 64

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
            default:
                if tag != nil { followTag(input[position]) }
                copyCharacter()
            }
        }
    }

    /// Follows a start tag to its end, where an empty element is closed again.
    private mutating func followTag(_ byte: UInt8) {
        switch (tag, byte) {
        case (.value(let quote), byte) where quote == byte: tag = .names
        case (.names, UInt8(ascii: "\"")), (.names, UInt8(ascii: "'")): tag = .value(quote: byte)
        case (.names, UInt8(ascii: ">")):
            tag = nil
            if output.last == UInt8(ascii: "/") { open.removeLast() }
        default: break
        }
    }

    // MARK: Markup

    private mutating func copyMarkup() {
        tag = nil
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] as [(StaticString, StaticString)]
        where starts(with: start) {
            if isClosed(start, end) { return copy(through: end) }
            // What was to be within is read like all else.
            position += start.utf8CodeUnitCount
            return
        }
        if starts(with: "<!") { return copyDeclaration() }
        if starts(with: "</") { return copyEndTag() }
        let next = position + 1 < input.count ? input[position + 1] : UInt8(ascii: " ")
        if next.isASCIILetter || next == UInt8(ascii: "_") || next >= 0x80 {
            output.append(input[position])
            position += 1
            open.append(name(at: position))
            tag = .names
        } else {
            output += "&#60;".utf8
            position += 1
        }
    }

    /// Whether a section ends before the next one of its kind begins.
    private func isClosed(_ start: StaticString, _ end: StaticString) -> Bool {
        let rest = input[(position + start.utf8CodeUnitCount)...]
        return start.withUTF8Buffer { start in
            end.withUTF8Buffer { end in
                for place in rest.indices {
                    if rest[place...].starts(with: end) { return true }
                    if rest[place] == UInt8(ascii: "<"), rest[place...].starts(with: start) { return false }
                }
                return false
            }
        }
    }

    /// Copies an end tag, before it those of elements that are open within its own; one that ends nothing is left out.
    private mutating func copyEndTag() {
        let name = name(at: position + 2)
        let depth = open.suffix(Self.reach).lastIndex { $0.elementsEqual(name) }
        if let depth {
            for inner in open[(depth + 1)...].reversed() { output += Array("</".utf8) + inner + Array(">".utf8) }
            open.removeSubrange(depth...)
            output += Array("</".utf8) + name
        }
        if depth != nil { output.append(UInt8(ascii: ">")) }
        position = name.endIndex
        while position < input.count, input[position] != UInt8(ascii: "<") {
            position += 1
            if input[position - 1] == UInt8(ascii: ">") { break }
        }
    }

    private func name(at start: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        input[min(start, input.count)...].prefix {
            !$0.isMarkupSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "<")
        }
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
