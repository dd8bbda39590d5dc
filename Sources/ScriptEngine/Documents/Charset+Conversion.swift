import CLibXML2

extension Charset {
    /// A text with more unreadable places than this was labelled wrongly.
    private static let errorLimit = 64

    /// Returns `bytes` as text, with U+FFFD for what cannot be read, or nil where the bytes contradict the encoding.
    func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .utf16LittleEndian: Self.utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: Self.utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case .windows1252: Self.windows1252(bytes)
        case .legacy(let name): Self.converterNames[name].flatMap { Self.converted(bytes, from: $0) }
        }
    }

    /// Returns `bytes` as text in the encoding that `charset` is a label of, or nil where there is no such encoding.
    static func decode(_ bytes: UnsafeRawBufferPointer, charset: String) -> String? {
        Charset(label: charset)?.decode(bytes)
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer, unit: (UInt8, UInt8) -> UInt16) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) { units.append(unit(bytes[index], bytes[index + 1])) }
        if !bytes.count.isMultiple(of: 2) { units.append(0xFFFD) }
        return String(decoding: units, as: UTF16.self)
    }

    /// What windows-1252 has at 0x80 to 0x9F, where Latin-1 has control characters.
    private static let upperControls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> String {
        let units = bytes.lazy.map { (0x80...0x9F).contains($0) ? upperControls[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: Array(units), as: UTF16.self)
    }

    private static func converted(_ bytes: UnsafeRawBufferPointer, from name: String) -> String? {
        guard bytes.count <= DocumentStore.sizeLimit else { return nil }
        var text: [UInt8] = []
        var rest = bytes[...]
        for _ in 0...errorLimit {
            guard let whole = Conversion(of: rest, from: name) else { return nil }
            if whole.isComplete { return String(decoding: text + whole.text, as: UTF8.self) }
            guard let prefix = readablePrefix(of: rest, stoppedAt: whole.consumed, from: name) else { return nil }
            text += prefix.text + Array("\u{FFFD}".utf8)
            rest = rest.dropFirst(prefix.consumed + 1)
        }
        return nil
    }

    /// Returns what stands before the unreadable place; ICU stops behind it and discards what it had read just before.
    private static func readablePrefix(
        of bytes: Slice<UnsafeRawBufferPointer>, stoppedAt stop: Int, from name: String
    ) -> Conversion? {
        let longestCharacter = 4
        for length in stride(from: min(stop, bytes.count - 1), through: max(stop - longestCharacter - 1, 0), by: -1) {
            if let prefix = Conversion(of: bytes.prefix(length), from: name), prefix.isComplete { return prefix }
        }
        return nil
    }
}

/// One pass of libxml2's converter over some bytes.
private struct Conversion {
    let text: [UInt8]
    let consumed: Int
    let isComplete: Bool

    init?(of bytes: Slice<UnsafeRawBufferPointer>, from name: String) {
        DocumentStore.prepare()
        // A new handler each time: after an error the old one is in the middle of a character.
        guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
        defer { xmlCharEncCloseFunc(handler) }
        // Its error message, which no one sees, reads four bytes whatever is left.
        let source = xmlBufferCreateSize(bytes.count + 8)
        defer { xmlBufferFree(source) }
        // Three bytes are the most that one byte becomes; a buffer with room is filled in one go.
        let target = xmlBufferCreateSize(bytes.count * 4 + 64)
        defer { xmlBufferFree(target) }
        guard let source, let target else { return nil }
        let start = UnsafeRawBufferPointer(rebasing: bytes).baseAddress?.assumingMemoryBound(to: UInt8.self)
        if let start { xmlBufferAdd(source, start, Int32(bytes.count)) }
        // A line end behind the last byte shows whether that was the end of a character: a cut one is no error to ICU.
        xmlBufferAdd(source, "\n", 1)
        let result = xmlCharEncInFunc(handler, target, source)
        let written = Array(UnsafeBufferPointer(start: xmlBufferContent(target), count: Int(xmlBufferLength(target))))
        let left = Int(xmlBufferLength(source))
        isComplete = result >= 0 && left == 0 && written.last == UInt8(ascii: "\n")
        text = isComplete ? written.dropLast() : written
        consumed = min(bytes.count + 1 - left, bytes.count)
    }
}
