/// A tar archive in the form POSIX calls ustar, of files only.
struct TarArchive {
    private var bytes: [UInt8] = []

    /// The time that npm gives every file, 1985-10-26: files have none of their own.
    private static let modificationTime = 499_162_500
    private static let blockSize = 512

    /// Adds a file.
    mutating func add(_ path: String, _ content: [UInt8]) {
        if let (prefix, name) = Self.split(path) {
            bytes += Self.header(name: name, prefix: prefix, size: content.count, type: "0")
        } else {
            addExtendedName(path)
            // Readers that know the name before take it from there; this is for those that do not.
            bytes += Self.header(
                name: Array(path.utf8.suffix(100)), prefix: [], size: content.count, type: "0")
        }
        addContent(content)
    }

    /// The whole archive, with its end mark.
    consuming func finished() -> [UInt8] { bytes + [UInt8](repeating: 0, count: 2 * Self.blockSize) }

    private mutating func addContent(_ content: [UInt8]) {
        bytes += content
        let rest = content.count % Self.blockSize
        if rest > 0 { bytes += [UInt8](repeating: 0, count: Self.blockSize - rest) }
    }

    /// A name too long, or with letters that ustar leaves open: in an extended header (POSIX.1-2001, pax).
    private mutating func addExtendedName(_ path: String) {
        let record = " path=\(path)\n"
        // The record's length counts its own digits.
        var length = record.utf8.count + 1
        while String(length).utf8.count + record.utf8.count != length { length += 1 }
        let content = Array("\(length)\(record)".utf8)
        bytes += Self.header(name: Array("PaxHeader".utf8), prefix: [], size: content.count, type: "x")
        addContent(content)
    }

    /// The path in ustar's two fields; nil where it does not fit.
    private static func split(_ path: String) -> (prefix: [UInt8], name: [UInt8])? {
        let bytes = Array(path.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        if bytes.count <= 100 { return ([], bytes) }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
            let name = bytes[(index + 1)...]
            if index <= 155, name.count <= 100 { return (Array(bytes[..<index]), Array(name)) }
        }
        return nil
    }

    private static func header(name: [UInt8], prefix: [UInt8], size: Int, type: Unicode.Scalar) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ field: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in field.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(modificationTime, digits: 11), at: 136)
        put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
        block[156] = UInt8(ascii: type)
        put("ustar\u{0}00".utf8, at: 257)
        put(octal(0, digits: 7), at: 329)
        put(octal(0, digits: 7), at: 337)
        put(prefix, at: 345)
        // The sum is taken with spaces in its own place.
        put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + [0, UInt8(ascii: " ")], at: 148)
        return block
    }

    private static func octal(_ number: Int, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array(repeating: UInt8(ascii: "0"), count: digits - text.utf8.count) + Array(text.utf8)
    }
}
