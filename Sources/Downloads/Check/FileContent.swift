/// The bytes of a file, read where they are needed.
package protocol FileContent {
    /// How many there are.
    var count: Int { get }
    /// The bytes from an offset, fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8]
}

extension FileContent {
    /// The last bytes.
    func tail(_ length: Int) throws(DownloadError) -> [UInt8] {
        try bytes(at: max(count - length, 0), count: min(length, count))
    }
}

/// Bytes that somebody else keeps for as long as they are looked at.
struct BorrowedContent: FileContent {
    private let all: UnsafeRawBufferPointer

    /// These bytes.
    init(_ bytes: UnsafeRawBufferPointer) { all = bytes }

    var count: Int { all.count }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        let start = min(max(offset, 0), all.count)
        return Array(UnsafeRawBufferPointer(rebasing: all[start..<start + min(max(count, 0), all.count - start)]))
    }
}

extension [UInt8] {
    /// A big-endian number; nil beyond the end.
    func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= count - offset else { return nil }
        return self[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number; nil beyond the end.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= count - offset else { return nil }
        return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether a text stands at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= count - offset else { return false }
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: length)
        return self[offset..<offset + length].elementsEqual(wanted)
    }

    /// Where bytes stand last.
    func lastPlace(of wanted: [UInt8]) -> Int? {
        guard wanted.count <= count else { return nil }
        return (0...(count - wanted.count)).reversed().first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
