import ProviderModel

/// The files of a tar archive as they follow one another, as far as they are whole.
struct TarReader {
    struct Entry {
        var name: String
        /// Where its content is.
        var content: Range<Int>
        /// Where the next entry begins.
        var end: Int
    }

    private let content: any FileContent
    private(set) var offset = 0

    init(_ content: some FileContent) { self.content = content }

    /// The next file; nil at the end, or where the archive breaks off.
    mutating func next() throws(DownloadError) -> Entry? {
        var path: String?
        var length: Int?
        while true {
            let header = try content.bytes(at: offset, count: TarHeader.block)
            guard header.count == TarHeader.block, header.has("ustar", at: 257), Self.hasRightSum(header),
                let size = length ?? Self.octal(header[124..<136]), (0...content.count).contains(size)
            else { return nil }
            let start = offset + TarHeader.block
            let end = start + size + TarHeader.padding(size)
            guard end <= content.count else { return nil }
            offset = end
            guard header[156] == UInt8(ascii: "x") else {
                return Entry(name: path ?? Self.name(header), content: start..<start + size, end: end)
            }
            guard size < 1 << 20 else { return nil }
            let records = Self.records(try content.bytes(at: start, count: size))
            path = records["path"] ?? path
            length = records["size"].flatMap { Int($0) } ?? length
        }
    }

    private static func name(_ header: [UInt8]) -> String {
        let name = text(header[0..<100])
        let prefix = text(header[345..<500])
        return prefix.isEmpty ? name : prefix + "/" + name
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? { Int(text(bytes), radix: 8) }

    private static func hasRightSum(_ header: [UInt8]) -> Bool {
        var sum = 8 * 0x20
        for (place, byte) in header.enumerated() where !(148..<156).contains(place) { sum += Int(byte) }
        return octal(header[148..<154]) == sum
    }

    private static func records(_ bytes: [UInt8]) -> [String: String] {
        var records: [String: String] = [:]
        var rest = bytes[...]
        while let space = rest.firstIndex(of: 0x20), let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
            length > space - rest.startIndex + 1, length <= rest.count
        {
            let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
            if let equals = record.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(decoding: record[..<equals], as: UTF8.self)
                records[name] = String(decoding: record[(equals + 1)...], as: UTF8.self)
            }
            rest = rest[(rest.startIndex + length)...]
        }
        return records
    }
}
