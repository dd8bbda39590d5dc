/// One pass over a text that leaves only what can be read on one line.
struct TerminalTextCleaner {
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
            // Tags spell the flags of England, Scotland and Wales; elsewhere they are text nobody sees.
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
