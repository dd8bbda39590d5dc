import CLibXML2

extension Charset {
    /// A text with more unreadable places than this was labelled wrongly.
    private static let errorLimit = 64

    /// Returns `bytes` as text, with U+FFFD for what cannot be read, or nil where the bytes contradict the encoding.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .utf16LittleEndian: Self.utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: Self.utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case .windows1252: Self.windows1252(bytes)
        case .converted(let name): Self.converted(bytes, from: name)
        }
    }

    /// Returns `bytes` as text in the encoding that `charset` is a label of, or nil where there is no such encoding.
    package static func decode(_ bytes: UnsafeRawBufferPointer, charset: String) -> String? {
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
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> String {
        let units = bytes.lazy.map { (0x80...0x9F).contains($0) ? upperControls[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: Array(units), as: UTF16.self)
    }

    private static func converted(_ bytes: UnsafeRawBufferPointer, from name: String) -> String? {
        guard bytes.count <= DocumentStore.sizeLimit else { return nil }
        var text: [UInt8] = []
        var rest = bytes[...]
        for attempt in 0...errorLimit {
            guard let consumed = convertOnce(UnsafeRawBufferPointer(rebasing: rest), from: name, onto: &text) else { return nil }
            rest = rest.dropFirst(consumed)
            if rest.isEmpty, consumed > 0 || bytes.isEmpty { return String(decoding: text, as: UTF8.self) }
            // The converter stops just behind what it cannot read, or before it: then it is the next to consume nothing.
            if consumed > 0 || attempt == 0 { text.append(contentsOf: "\u{FFFD}".utf8) }
            if consumed == 0 { rest = rest.dropFirst() }
            if rest.isEmpty { return String(decoding: text, as: UTF8.self) }
        }
        return nil
    }

    /// Converts up to the first unreadable place and returns how many bytes that took, or nil without an encoder.
    private static func convertOnce(_ bytes: UnsafeRawBufferPointer, from name: String, onto text: inout [UInt8]) -> Int? {
        // A new handler each time: after an error the old one is in the middle of a character.
        guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
        defer { xmlCharEncCloseFunc(handler) }
        let source = xmlBufferCreateSize(bytes.count + 1)
        defer { xmlBufferFree(source) }
        // Three bytes are the most that one byte becomes; a buffer with room is filled in one go.
        let target = xmlBufferCreateSize(bytes.count * 4 + 64)
        defer { xmlBufferFree(target) }
        guard let source, let target else { return nil }
        xmlBufferAdd(source, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
        _ = xmlCharEncInFunc(handler, target, source)
        let written = UnsafeBufferPointer(start: xmlBufferContent(target), count: Int(xmlBufferLength(target)))
        text.append(contentsOf: written)
        return bytes.count - Int(xmlBufferLength(source))
    }
}
