/// Text from elsewhere, made harmless for a terminal.
///
/// A title may carry escape sequences that rename the window, move the cursor or fake a prompt, and bidirectional
/// controls that turn the rest of the line around. What is left here can only be read.
enum TerminalText {
    /// The text on one line: no controls, no invisible characters, white space as single spaces.
    static func line(_ text: String) -> String {
        if isHarmless(text.utf8) { return text }
        var cleaner = Cleaner(text)
        return cleaner.cleaned()
    }

    /// The text's paragraphs, each on one line; empty ones are left out.
    static func paragraphs(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line(String($0)) }.filter { !$0.isEmpty }
    }

    /// The text between U+2068 and U+2069 where it has letters that run right to left, so that the text around it keeps its order.
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

/// One pass over a text that leaves only what can be read on one line.
private struct Cleaner {
    /// More marks than any script stacks on one letter are there to smear over the lines above and below.
    private static let markMaximum = 6

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var output = String.UnicodeScalarView()
    private var previous: Unicode.Scalar?
    private var markCount = 0
    private var hasPendingSpace = false

    /// A pass over `text`.
    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The readable text.
    mutating func cleaned() -> String {
        while position < scalars.count {
            let scalar = scalars[position]
            position += 1
            take(scalar)
        }
        return String(output)
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x1b: skipEscape()
        case 0x9b: skipControlSequence()
        case 0x90, 0x98, 0x9d, 0x9e, 0x9f: skipControlString()
        case 0x09...0x0d, 0x20, 0x85, 0x2028, 0x2029: hasPendingSpace = previous != nil
        case 0..<0x20, 0x7f..<0xa0: break
        case 0x21...0x7e: append(scalar)
        default: takeBeyondASCII(scalar)
        }
    }

    private mutating func takeBeyondASCII(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if properties.isWhitespace {
            hasPendingSpace = previous != nil
        } else if isKeptMark(scalar) {
            append(scalar)
        } else if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint {
            return
        } else if properties.generalCategory == .format, !scalar.isPrependedMark {
            return
        } else {
            append(scalar)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        markCount = scalar.isMark ? markCount + 1 : 0
        guard markCount <= Self.markMaximum else { return }
        if hasPendingSpace { output.append(" ") }
        hasPendingSpace = false
        output.append(scalar)
        previous = scalar
    }

    /// Invisible characters that belong to what stands before them: emoji sequences, variants, joined letters.
    private func isKeptMark(_ scalar: Unicode.Scalar) -> Bool {
        guard let previous, !hasPendingSpace else { return false }
        switch scalar.value {
        case 0x200c, 0x200d:
            guard position < scalars.count, !previous.isASCII || previous.value == 0xfe0f else { return false }
            let next = scalars[position]
            return !next.isASCII && !next.properties.isWhitespace && !next.properties.isDefaultIgnorableCodePoint
                && next.properties.generalCategory != .control
        case 0xe0020...0xe007f:
            // Tags spell the flags of England, Scotland and Wales; elsewhere they are invisible.
            return previous.value == 0x1f3f4 || (0xe0020...0xe007e).contains(previous.value)
        default:
            return scalar.properties.isVariationSelector && !previous.properties.isVariationSelector
        }
    }

    /// ECMA-48 §5.3: what follows ESC.
    private mutating func skipEscape() {
        guard position < scalars.count else { return }
        switch scalars[position] {
        case "[":
            position += 1
            skipControlSequence()
        case "]", "P", "X", "^", "_":
            position += 1
            skipControlString()
        default:
            skip(while: 0x20...0x2f)
            if position < scalars.count, (0x30...0x7e).contains(scalars[position].value) { position += 1 }
        }
    }

    /// ECMA-48 §5.4: parameters, intermediates, one final byte.
    private mutating func skipControlSequence() {
        skip(while: 0x30...0x3f)
        skip(while: 0x20...0x2f)
        if position < scalars.count, (0x40...0x7e).contains(scalars[position].value) { position += 1 }
    }

    /// ECMA-48 §5.6: up to ST, or BEL as xterm has it; without an end only its opening goes, and the text stays.
    private mutating func skipControlString() {
        for index in position..<scalars.count {
            switch scalars[index].value {
            case 0x07, 0x9c:
                position = index + 1
                return
            case 0x1b where index + 1 < scalars.count && scalars[index + 1] == "\\":
                position = index + 2
                return
            default: continue
            }
        }
    }

    private mutating func skip(while range: ClosedRange<UInt32>) {
        while position < scalars.count, range.contains(scalars[position].value) { position += 1 }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !properties.isVariationSelector
        default: false
        }
    }
}
