/// Reads content from front to back through a window, byte for byte where a format has no other steps.
struct ContentCursor<Content: FileContent> {
    private let content: Content
    private var window: [UInt8] = []
    private var windowStart = 0
    /// The place of the next byte.
    var offset: Int
    /// The number of bytes there are.
    let count: Int

    private static var windowLength: Int { 16 << 10 }

    init(_ content: Content, at offset: Int = 0) {
        self.content = content
        self.offset = offset
        count = content.count
    }

    var isAtEnd: Bool { offset >= count }

    /// The next byte; nil at the end.
    mutating func next() throws(DownloadError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        offset += 1
        return byte
    }

    /// The next byte, which stays the next one; nil at the end.
    mutating func peek() throws(DownloadError) -> UInt8? {
        guard offset >= 0, offset < count else { return nil }
        if offset < windowStart || offset >= windowStart + window.count {
            windowStart = offset
            window = try content.bytes(at: offset, count: Self.windowLength)
        }
        return offset < windowStart + window.count ? window[offset - windowStart] : nil
    }

    /// The next bytes; nil where there are fewer.
    mutating func take(_ length: Int) throws(DownloadError) -> [UInt8]? {
        guard length >= 0, offset >= 0, length <= count - offset else { return nil }
        let place = offset - windowStart
        if place < 0 || place + length > window.count {
            windowStart = offset
            window = try content.bytes(at: offset, count: max(length, Self.windowLength))
        }
        guard offset - windowStart + length <= window.count else { return nil }
        let bytes = Array(window[(offset - windowStart)..<(offset - windowStart + length)])
        offset += length
        return bytes
    }

    /// Goes on behind some bytes; false where there are fewer.
    mutating func skip(_ length: Int) -> Bool {
        guard length >= 0, offset <= count, length <= count - offset else { return false }
        offset += length
        return true
    }
}
