/// A box of an ISO base media file (ISO/IEC 14496-12 §4.2).
struct MediaBox {
    let type: [UInt8]
    /// Its content, without its head.
    let content: Range<Int>

    func has(_ name: StaticString) -> Bool { type.has(name, at: 0) }

    /// Reads the head of a box that lies before `limit`; nil where none does.
    ///
    /// The content may reach behind the limit. A box without a length reaches to it.
    init?(_ head: [UInt8], at offset: Int, limit: Int) {
        guard var length = head.big(0, 4), head.count >= 8 else { return nil }
        type = Array(head[4..<8])
        var start = 8
        if length == 1 {
            guard let high = head.big(8, 4), let low = head.big(12, 4), high < 1 << 20 else { return nil }
            (length, start) = (high << 32 | low, 16)
        } else if length == 0 {
            length = limit - offset
        }
        guard length >= start else { return nil }
        content = offset + start..<offset + length
    }

    /// The boxes in a part of some bytes.
    static func all(in bytes: [UInt8], _ range: Range<Int>) -> [MediaBox] {
        var boxes: [MediaBox] = []
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound, boxes.count < 10_000 {
            let head = Array(bytes[offset..<min(offset + 16, range.upperBound)])
            guard let box = MediaBox(head, at: offset, limit: range.upperBound),
                box.content.upperBound <= range.upperBound
            else { break }
            boxes.append(box)
            offset = box.content.upperBound
        }
        return boxes
    }
}

/// The boxes of a file, one after another.
struct BoxChain {
    private(set) var boxes: [MediaBox] = []
    /// The bytes behind the last whole box.
    private(set) var rest = Rest.nothing

    enum Rest {
        case nothing
        /// The beginning of a box.
        case box
        /// Bytes that are no box.
        case other
    }

    init(_ content: some FileContent) throws(DownloadError) {
        var offset = 0
        while offset < content.count {
            let head = try content.bytes(at: offset, count: 16)
            let isNamed = head.count >= 8 && head[4..<8].allSatisfy { (0x20...0x7e).contains($0) || $0 == 0xa9 }
            guard isNamed, boxes.count < 10_000, let box = MediaBox(head, at: offset, limit: content.count) else {
                // A number can be read of a box that ends within its head.
                rest = head.count < 8 && head.contains { $0 != 0 } ? .box : .other
                return
            }
            guard box.content.upperBound <= content.count else {
                boxes.append(box)
                rest = .box
                return
            }
            boxes.append(box)
            offset = box.content.upperBound
        }
    }

    /// The first box of a type, which may be cut.
    func first(_ name: StaticString) -> MediaBox? { boxes.first { $0.has(name) } }

    /// The end of a file whose picture, film or sound is in these boxes.
    func end(has isWhole: Bool) -> ImageEnd {
        switch rest {
        case .nothing: isWhole ? .whole() : .invalid("it has no content")
        case .box: .cut
        case .other: isWhole ? .whole(note: "has bytes behind its end") : .cut
        }
    }

    /// The end of a film or of sound, whose table of contents may come in pieces.
    var filmEnd: ImageEnd {
        end(has: boxes.contains { $0.has("moov") || $0.has("moof") } && first("mdat") != nil)
    }
}
