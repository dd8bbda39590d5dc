import ProviderModel

/// One component of a path that is safe on ext4, NTFS and exFAT, whatever a source said.
package struct SafeFileName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes a name may have: file systems take 255, and unfinished files have a longer name.
    package static let byteLimit = 236

    /// The name.
    package let description: String
    /// Whether characters were changed or left out for safety, so that two texts may have become one name.
    package let isAltered: Bool
    /// Whether its end was too much.
    private let isCut: Bool

    /// Makes a name of any text; `ending` is kept whole when the text has to be cut.
    package init(_ text: String, ending: String = "", byteLimit: Int = SafeFileName.byteLimit) {
        if ending.isEmpty, Self.isSafe(text, byteLimit) {
            (description, isAltered, isCut) = (text, false, false)
            return
        }
        let normal = text.normalised
        let clean = normal.utf8.allSatisfy(Self.isPlain) ? normal : Self.replacingUnsafe(normal)
        var stem = Self.cut(clean, to: byteLimit - ending.utf8.count - 1)
        isCut = stem.utf8.count < clean.utf8.count
        if ending.isEmpty || ending.first == "." { stem = stem.droppingEnd { $0 == "." || $0 == " " } }
        if stem.isEmpty { stem = "_" }
        if Self.needsPrefix(stem + ending) { stem = "_" + stem }
        description = stem + ending
        isAltered = stem != normal
    }

    /// Whether a text is in the name as it was, and would have been so alone.
    func holds(_ text: String) -> Bool {
        !isCut && !SafeFileName(text).isAltered && description.contains(text.normalised)
    }

    /// Whether nothing is to be done, as for most names.
    private static func isSafe(_ text: String, _ byteLimit: Int) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, bytes.count < byteLimit else { return false }
            let isBegunSafely = !"-.".utf8.contains(first) && !deviceInitials.contains(first | 0x20)
            return isBegunSafely && last != UInt8(ascii: ".") && bytes.allSatisfy(isPlain)
        }
    }

    /// Whether a name begins as options and hidden files do, or is one that Windows keeps for devices.
    private static func needsPrefix(_ name: String) -> Bool {
        if let first = name.utf8.first, first == UInt8(ascii: "-") || first == UInt8(ascii: ".") { return true }
        let beginning = name.utf8.prefix(12).prefix { $0 != UInt8(ascii: ".") }
        guard beginning.count < 12, let letter = beginning.first.map({ $0 | 0x20 }) else { return false }
        guard deviceInitials.contains(letter) else { return false }
        let base = name.prefix { $0 != "." }.droppingEnd { $0 == " " }.uppercased()
        if deviceNames.contains(base) { return true }
        guard base.hasPrefix("COM") || base.hasPrefix("LPT") else { return false }
        let port = base.dropFirst(3)
        return port.count == 1 && port.allSatisfy { "0123456789¹²³".contains($0) }
    }

    private static let deviceInitials = Array("cpanl".utf8)
    private static let deviceNames: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]

    /// Most names: nothing but ASCII letters and digits, and what may stand between them.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || byte == 0x2d || byte == 0x5f || byte == 0x2e
    }

    private static func replacingUnsafe(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let replacement = replacement(for: scalar) else { continue }
            let followsBlank = clean.last.map { $0 == " " } ?? true
            if replacement == " ", followsBlank { continue }
            clean.append(replacement)
        }
        return String(clean)
    }

    /// What stands for a character in a name; nil for nothing.
    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "/", "\\", ":", "|": return "-"
        case "*", "?", "\"", "<", ">": return nil
        case "\t", "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}": return " "
        default: break
        }
        if isTag(scalar) { return nil }
        return switch scalar.properties.generalCategory {
        // Format characters turn text around or cannot be seen, so that a name reads as another one.
        case .control, .format, .surrogate, .privateUse, .unassigned: nil
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }

    /// Characters without a look of their own that are not classed as format: fillers and selectors of variants.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x115f, 0x1160, 0x3164, 0xffa0, 0x034f, 0xe0100...0xe01ef: true
        default: false
        }
    }

    /// Cuts between visible characters, or within one that alone is too long.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        while end < text.endIndex {
            let next = text.index(after: end)
            guard text.utf8.distance(from: text.startIndex, to: next) <= limit else { break }
            end = next
        }
        if end > text.startIndex { return String(text[..<end]) }
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
