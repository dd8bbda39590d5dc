/// The named character references of HTML (`&nbsp;`), from a table of lines in the order of their bytes.
enum CharacterReferences {
    /// The longest name, with its semicolon.
    static let longestName = 32
    /// The longest of the names that HTML also knows without a semicolon.
    static let longestBareName = 6

    /// Returns the characters that a name stands for, as UTF-8; the semicolon is a part of the name where it is written.
    static func characters(named name: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        table.withUnsafeBufferPointer { table in
            var low = 0
            var high = table.count
            while low < high {
                let start = lineStart(in: table, at: (low + high) / 2)
                switch compare(table, from: start, with: name) {
                case .equal(let end): return characters(in: table, from: end)
                case .less: low = lineEnd(in: table, at: start) + 1
                case .greater: high = start
                }
            }
            return nil
        }
    }

    /// The character that a number stands for: what was meant by windows-1252's, and U+FFFD for what is none.
    static func character(numbered number: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(number) {
            return Unicode.Scalar(Charset.windows1252Controls[Int(number) - 0x80]) ?? "\u{FFFD}"
        }
        return (number == 0 ? nil : Unicode.Scalar(number)) ?? "\u{FFFD}"
    }

    private static let table = PackageResources.references_txt

    private enum Order {
        case less, greater
        /// The name's end in the table.
        case equal(Int)
    }

    private static func lineStart(in table: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        var start = position
        while start > 0, table[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return start
    }

    private static func lineEnd(in table: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        var end = position
        while table[end] != UInt8(ascii: "\n") { end += 1 }
        return end
    }

    /// Compares the name that begins at `start` with a name that was looked for.
    private static func compare(
        _ table: UnsafeBufferPointer<UInt8>, from start: Int, with name: some RandomAccessCollection<UInt8>
    ) -> Order {
        var place = start
        for byte in name {
            // The space behind a name is less than all its characters.
            if table[place] != byte { return table[place] < byte ? .less : .greater }
            place += 1
        }
        return table[place] == UInt8(ascii: " ") ? .equal(place) : .greater
    }

    private static func characters(in table: UnsafeBufferPointer<UInt8>, from end: Int) -> [UInt8] {
        var text = ""
        var number: UInt32 = 0
        for byte in table[(end + 1)...lineEnd(in: table, at: end)] {
            if let digit = byte.hexadecimalDigit {
                number = number << 4 | UInt32(digit)
            } else {
                if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
                number = 0
            }
        }
        return Array(text.utf8)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
        default: nil
        }
    }

    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
