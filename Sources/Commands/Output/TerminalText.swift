/// Text from elsewhere, made harmless for a terminal.
///
/// A title may carry escape sequences that rename the window, move the cursor or fake a prompt, and bidirectional
/// controls that turn the rest of the line around. What is left here can only be read.
enum TerminalText {
    /// The text on one line: no controls, no invisible characters, white space as single spaces.
    static func line(_ text: String) -> String {
        if isHarmless(text.utf8) { return text }
        var cleaner = TerminalTextCleaner(text)
        return cleaner.cleaned()
    }

    /// The text's paragraphs, each on one line; empty ones are left out.
    static func paragraphs(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line(String($0)) }.filter { !$0.isEmpty }
    }

    /// The text between U+2068 and U+2069 where it has letters that run right to left, so that its neighbours stay put.
    static func isolated(_ text: String) -> String {
        text.unicodeScalars.contains(where: \.isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
    }

    /// JSON with every character written as an escape that a terminal would act upon.
    ///
    /// That is U+007F to U+009F and the bidirectional controls. JSON has them in strings only: the value stays the same.
    static func escapedJSON(_ bytes: [UInt8]) -> [UInt8] {
        // All of them but U+007F begin with C2 (C1), D8 (U+061C) or E2 80, E2 81 in UTF-8.
        guard bytes.contains(where: { $0 == 0x7f || $0 == 0xc2 || $0 == 0xd8 || $0 == 0xe2 }) else { return bytes }
        var escaped = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard scalar.actsOnTerminal else {
                escaped.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
        return Array(String(escaped).utf8)
    }

    private static func isHarmless(_ bytes: String.UTF8View) -> Bool {
        var previous = UInt8(ascii: " ")
        for byte in bytes {
            guard (0x20...0x7e).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return bytes.isEmpty || previous != 0x20
    }
}

extension Unicode.Scalar {
    fileprivate var actsOnTerminal: Bool {
        switch value {
        case 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether the scalar lies in the blocks of scripts that run right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }
}
