import ProviderModel

/// What the first bytes of a file identify it as.
package enum ImageSignature: Hashable, Sendable {
    /// A file of this format.
    case media(MediaFormat)
    /// A web page with this title.
    case webPage(title: String?)
    /// JSON, beginning like this.
    case json(String)
    /// Other text, beginning like this.
    case text(String)
    /// Another known type, in words.
    case other(String)
    /// An unknown type.
    case unknown
    /// An empty file.
    case empty

    /// The number of bytes that identify most files.
    private static let length = 4_096

    /// How far the first element of a drawing is searched, behind comments and what its type declares.
    private static let drawingLength = 1 << 20

    /// Identifies a file by its bytes, or the first of them.
    package init(_ head: [UInt8]) {
        if head.isEmpty {
            self = .empty
        } else if let format = Self.binaryFormat(head) {
            self = .media(format)
        } else if let words = Self.otherContent(head) {
            self = .other(words)
        } else {
            self = Self.textual(head)
        }
    }

    /// Identifies a file with as few reads as possible.
    init(of content: some FileContent) throws(DownloadError) {
        // Memory for all of the beginning is dear where thousands of files come in a second.
        if let format = Self.usualFormat(try content.bytes(at: 0, count: 12)) {
            self = .media(format)
            return
        }
        let head = try content.bytes(at: 0, count: Self.length)
        self.init(head)
        // What is no drawing so far may become one.
        guard Self.isMarkup(head), head.count < content.count, Self.isDrawing(head) == nil else { return }
        if Self.isDrawing(try content.bytes(at: 0, count: Self.drawingLength)) == true { self = .media(.svg) }
    }

    /// Whether the first element is a drawing's; nil where it has not come.
    private static func isDrawing(_ head: [UInt8]) -> Bool? {
        do throws(DownloadError) {
            return try SVGLayout.isRoot(of: LimitedContent(BytesContent(head), count: drawingLength))
        } catch {
            return false  // bytes in memory can be read
        }
    }

    /// Whether a text in UTF-8 or UTF-16 begins with `<`.
    private static func isMarkup(_ head: [UInt8]) -> Bool {
        let marks: [UInt8] = [0xef, 0xbb, 0xbf, 0xfe, 0xff, 0]
        let start = head.prefix(64).drop { marks.contains($0) || (0x09...0x20).contains($0) }
        return start.first == UInt8(ascii: "<")
    }

    /// The formats that twelve bytes identify.
    private static func usualFormat(_ head: [UInt8]) -> MediaFormat? {
        if head.starts(with: [0xff, 0xd8, 0xff]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if head.has("GIF87a", at: 0) || head.has("GIF89a", at: 0) { return .gif }
        return head.has("RIFF", at: 0) && head.has("WEBP", at: 8) ? .webp : nil
    }

    private static func binaryFormat(_ head: [UInt8]) -> MediaFormat? {
        if let format = usualFormat(head) { return format }
        if head.has("ftyp", at: 4) { return brandFormat(head) ?? filmFormat(head) }
        if let format = otherFormat(head) { return format }
        if head.starts(with: [0xff, 0x0a]) || head.starts(with: [0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20]) {
            return .jxl
        }
        if [[0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a], [0x49, 0x49, 0x2b, 0], [0x4d, 0x4d, 0, 0x2b]]
            .contains(where: head.starts(with:))
        {
            return .tiff
        }
        // Two letters are little: the length of the header that follows has to be one of those in use.
        if head.has("BM", at: 0), let length = head.little(14, 4), BMPLayout.headerLengths.contains(length) {
            return .bmp
        }
        if head.starts(with: [0, 0, 1, 0]), let count = head.little(4, 2), (1...256).contains(count) { return .ico }
        return nil
    }

    /// What comes in place of images most often.
    private static func otherContent(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x1f, 0x8b]) { return "a gzip file" }
        if head.has("%PDF-", at: 0) { return "a PDF document" }
        return nil
    }

    /// What moves, and what is heard.
    private static func otherFormat(_ head: [UInt8]) -> MediaFormat? {
        if head.starts(with: [0x50, 0x4b, 3, 4]) { return .zip }
        if head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            return Array(head.prefix(64)).lastPlace(of: Array("webm".utf8)) == nil ? .mkv : .webm
        }
        if head.has("OggS", at: 0) { return head.has("theora", at: 29) ? .ogv : .ogg }
        if head.has("fLaC", at: 0) { return .flac }
        if head.has("RIFF", at: 0), head.has("WAVE", at: 8) { return .wav }
        // An ID3 tag, or a frame of MPEG-1 or -2 layer III.
        if head.has("ID3", at: 0) || head.count > 2 && head[0] == 0xff && head[1] & 0xe6 == 0xe2 { return .mp3 }
        return nil
    }

    /// ISO/IEC 14496-12 §4.3: the brands a file claims, the main one first.
    private static func brandFormat(_ head: [UInt8]) -> MediaFormat? {
        let size = min(head.big(0, 4) ?? 0, head.count)
        let brands = stride(from: 8, to: max(size - 3, 9), by: 4).filter { $0 != 12 }
        for offset in brands {
            if head.has("avif", at: offset) || head.has("avis", at: offset) { return .avif }
            if ["heic", "heix", "hevc", "hevx", "heim", "heis"].contains(where: { (brand: StaticString) in
                head.has(brand, at: offset)
            }) {
                return .heic
            }
        }
        return head.has("mif1", at: 8) || head.has("msf1", at: 8) ? .heic : nil
    }

    private static func filmFormat(_ head: [UInt8]) -> MediaFormat? {
        if head.has("qt  ", at: 8) { return .mov }
        if head.has("M4A ", at: 8) || head.has("M4B ", at: 8) { return .m4a }
        let brands: [StaticString] = [
            "isom", "iso", "mp41", "mp42", "avc1", "M4V", "MSNV", "dash", "3gp", "f4v", "mmp4",
        ]
        return brands.contains { head.has($0, at: 8) } ? .mp4 : nil
    }

    private static func textual(_ head: [UInt8]) -> ImageSignature {
        if isMarkup(head), isDrawing(head) == true { return .media(.svg) }
        // A null byte stands in no text but UTF-16, which error pages do not use.
        guard !head.prefix(512).contains(0) else { return .unknown }
        var text = Substring(String(decoding: head.prefix(length), as: UTF8.self))
        if text.first == "\u{feff}" { text = text.dropFirst() }
        text = text.drop { $0.isWhitespace }
        let start = text.prefix(1_024).lowercased()
        if start.hasPrefix("<") {
            let isPage = ["<!doctype html", "<html", "<head", "<body", "<script", "<title", "<h1", "<div", "<p>"]
                .contains { start.contains($0) }
            if isPage { return .webPage(title: title(in: text)) }
        }
        let beginning = String(text.prefix(120))
        if start.hasPrefix("{") || start.hasPrefix("[") { return .json(beginning) }
        let strange = head.prefix(512).filter { $0 < 0x09 || (0x0e...0x1f).contains($0) || $0 == 0x7f }.count
        return strange == 0 && String(validating: head.prefix(64), as: UTF8.self) != nil ? .text(beginning) : .unknown
    }

    private static func title(in text: Substring) -> String? {
        let lower = text.prefix(4_096).lowercased()
        guard lower.count == text.prefix(4_096).count, let open = lower.firstRange(of: "<title") else { return nil }
        guard let start = lower[open.upperBound...].firstIndex(of: ">"),
            let end = lower[start...].firstRange(of: "</title")
        else { return nil }
        let from = lower.distance(from: lower.startIndex, to: start) + 1
        let length = lower.distance(from: start, to: end.lowerBound) - 1
        let title = text.dropFirst(from).prefix(length).split { $0.isWhitespace }.joined(separator: " ")
        return title.isEmpty ? nil : title
    }
}
