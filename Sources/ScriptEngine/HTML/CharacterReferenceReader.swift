/// Reads character references, by section 13.2.5.72 of the HTML standard and those after it.
struct CharacterReferenceReader {
    let input: UnsafeBufferPointer<UInt8>
    /// The place of an `&`, and behind a reference that was read.
    var position: Int

    /// Returns a text with its references resolved; `&copy=` stays, as in an attribute, since it may be a part of an address.
    static func resolved(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var text = text
        let bytes = text.withUTF8 { input in
            var bytes: [UInt8] = []
            var reader = CharacterReferenceReader(input: input, position: 0)
            while reader.position < input.count {
                if input[reader.position] == UInt8(ascii: "&") {
                    bytes += reader.read(inAttribute: true)
                } else {
                    bytes.append(input[reader.position])
                    reader.position += 1
                }
            }
            return bytes
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what begins with `&` and returns the characters it stands for, which may be the same again.
    mutating func read(inAttribute: Bool) -> [UInt8] {
        position += 1
        guard position < input.count else { return [UInt8(ascii: "&")] }
        if input[position] == UInt8(ascii: "#") { return numericReference() }
        var end = position
        let limit = min(input.count, position + CharacterReferences.longestName)
        while end < limit, input[end].isASCIILetter || input[end].isASCIIDigit { end += 1 }
        if end < input.count, input[end] == UInt8(ascii: ";"),
            let characters = CharacterReferences.characters(named: input[position...end])
        {
            position = end + 1
            return characters
        }
        return bareReference(upTo: end, inAttribute: inAttribute) ?? [UInt8(ascii: "&")]
    }

    /// A reference of those that need no semicolon; text may follow it directly.
    private mutating func bareReference(upTo end: Int, inAttribute: Bool) -> [UInt8]? {
        let longest = min(end - position, CharacterReferences.longestBareName)
        for length in stride(from: longest, through: 2, by: -1) {
            let nameEnd = position + length
            guard let characters = CharacterReferences.characters(named: input[position..<nameEnd]) else { continue }
            // `?a=b&copy=c` in an attribute is an address, written as many do.
            if inAttribute, nameEnd < input.count {
                let next = input[nameEnd]
                if next == UInt8(ascii: "=") || next.isASCIILetter || next.isASCIIDigit { return nil }
            }
            position = nameEnd
            return characters
        }
        return nil
    }

    private mutating func numericReference() -> [UInt8] {
        let start = position - 1
        position += 1
        let isHexadecimal = position < input.count && input[position] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { position += 1 }
        let digits = position
        var number: UInt32 = 0
        while position < input.count, let digit = input[position].hexadecimalDigit, isHexadecimal || digit < 10 {
            number = min(number * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
            position += 1
        }
        guard position > digits else { return Array(input[start..<position]) }
        if position < input.count, input[position] == UInt8(ascii: ";") { position += 1 }
        return Array(String(Character(CharacterReferences.character(numbered: number))).utf8)
    }
}
