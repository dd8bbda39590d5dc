/// A key as it was pressed.
enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter pressed together with Ctrl.
    case control(Character)
    case enter, escape, tab, backspace, delete
    case up, down, left, right
    case pageUp, pageDown, home, end
}

/// Reads keys from what a terminal in raw mode sends, however it is cut into pieces.
struct KeyDecoder {
    /// The longest sequence of a key; what is longer is none.
    private static let longestSequence = 32

    private var bytes: [UInt8] = []

    /// Whether the bytes so far may be the beginning of a key: one that is `ESC` alone is known only by what does not follow.
    var isWaiting: Bool { !bytes.isEmpty }

    /// Takes bytes, and returns the keys that are complete.
    mutating func decode(_ more: [UInt8]) -> [Key] {
        bytes += more
        var keys: [Key] = []
        while !bytes.isEmpty {
            guard let (key, length) = next() else { break }
            bytes.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Ends what was waited for: an `ESC` by itself is the key of that name.
    mutating func flush() -> [Key] {
        let isEscape = bytes.first == 0x1b
        let rest = Array(bytes.dropFirst())
        bytes = []
        return isEscape ? [.escape] + decode(rest == [0x5b] || rest == [0x4f] ? [] : rest) : []
    }

    /// The key at the beginning with its length, nil for bytes that are none; nothing where more bytes are needed.
    private func next() -> (Key?, Int)? {
        switch bytes[0] {
        case 0x1b: return escapeSequence()
        case 0x0a, 0x0d: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x08, 0x7f: return (.backspace, 1)
        case 0x01...0x1a: return (.control(Character(Unicode.Scalar(bytes[0] + 0x60))), 1)
        case 0..<0x20: return (nil, 1)
        default: return character()
        }
    }

    private func character() -> (Key?, Int)? {
        let length =
            switch bytes[0] {
            case 0..<0x80: 1
            case 0xc2..<0xe0: 2
            case 0xe0..<0xf0: 3
            case 0xf0..<0xf5: 4
            default: 0
            }
        guard length > 0 else { return (nil, 1) }
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes[..<length], as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        // C1 controls come as text in UTF-8, too.
        return (text.unicodeScalars.allSatisfy { $0.value >= 0xa0 || $0.isASCII } ? .character(character) : nil, length)
    }

    /// ECMA-48 §5.4: `ESC [`, parameters, intermediates, a final byte; `ESC O` and a letter for keys in application mode.
    private func escapeSequence() -> (Key?, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case 0x5b:
            guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
                return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil
            }
            let first = bytes[2..<end].prefix { (0x30...0x39).contains($0) }
            return (Self.key(of: bytes[end], String(decoding: first, as: UTF8.self)), end + 1)
        case 0x4f:
            guard bytes.count > 2 else { return nil }
            return (Self.key(of: bytes[2], ""), 3)
        default: return (.escape, 1)
        }
    }

    private static func key(of final: UInt8, _ parameter: String) -> Key? {
        switch (final, parameter) {
        case (0x41, _): .up
        case (0x42, _): .down
        case (0x43, _): .right
        case (0x44, _): .left
        case (0x48, _), (0x7e, "1"), (0x7e, "7"): .home
        case (0x46, _), (0x7e, "4"), (0x7e, "8"): .end
        case (0x7e, "3"): .delete
        case (0x7e, "5"): .pageUp
        case (0x7e, "6"): .pageDown
        case (0x4d, _): .enter
        default: nil
        }
    }
}
