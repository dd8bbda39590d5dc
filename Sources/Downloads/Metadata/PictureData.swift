import CZlib
import Crypto
import ProviderModel

/// The bytes of an image that make the picture, without metadata: what may never change.
struct PictureData {
    private let content: any FileContent
    private var hasher = Crypto.SHA256()
    /// What may change its place among other kinds: a JPEG file's application segments, by their marker.
    private var loose: [UInt8: Crypto.SHA256] = [:]
    private var isWhole = false

    /// The digest of what makes the picture; nil when the file is not built as its format says.
    static func digest(of content: some FileContent, as format: MediaFormat) throws(DownloadError) -> [UInt8]? {
        var data = PictureData(content)
        switch format {
        case .jpeg: try data.readJPEG()
        case .png: try data.readPNG()
        case .webp: try data.readWebP()
        case .tiff: return try TIFFPicture.digest(of: content)
        default: return nil
        }
        guard data.isWhole else { return nil }
        for (marker, segments) in data.loose.sorted(by: { $0.key < $1.key }) {
            data.hasher.update(data: [marker] + Array(segments.finalize()))
        }
        return Array(data.hasher.finalize())
    }

    private init(_ content: some FileContent) { self.content = content }

    private mutating func take(_ start: Int, _ end: Int, marker: UInt8? = nil) throws(DownloadError) {
        var offset = start
        while offset < end {
            let bytes = try content.bytes(at: offset, count: min(end - offset, 256 << 10))
            guard !bytes.isEmpty else { return }
            if let marker {
                loose[marker, default: Crypto.SHA256()].update(data: bytes)
            } else {
                hasher.update(data: bytes)
            }
            offset += bytes.count
        }
    }

    /// ITU T.81 §B.1: segments up to the scan, then the picture to the end.
    ///
    /// APP1 is Exif or XMP, APP13 IPTC; a comment gets a NUL at its end.
    private mutating func readJPEG() throws(DownloadError) {
        var offset = 2
        for _ in 0..<4_096 {
            let head = try content.bytes(at: offset, count: 4)
            guard head.count == 4, head[0] == 0xff, let length = head.big(2, 2), length >= 2 else { return }
            if head[1] == 0xff {  // fill bytes may stand before a marker
                offset += 1
            } else if head[1] == 0xda {
                try take(offset, content.count)
                isWhole = true
                return
            } else {
                if ![0xe1, 0xed, 0xfe].contains(head[1]) {
                    let isLoose = (0xe0...0xef).contains(head[1])
                    // A profile may come in pieces of another length: each has a name and two numbers before it.
                    let name = try content.bytes(at: offset + 4, count: 12)
                    let isProfile = head[1] == 0xe2 && name.has("ICC_PROFILE\0", at: 0)
                    try take(offset + (isProfile ? 18 : 0), offset + 2 + length, marker: isLoose ? head[1] : nil)
                }
                offset += 2 + length
            }
        }
    }

    /// PNG §5: chunks of length, type, data and checksum; §11.3.3 and §11.3.5 list the metadata.
    private mutating func readPNG() throws(DownloadError) {
        var offset = 8
        while offset < content.count {
            let head = try content.bytes(at: offset, count: 8)
            guard head.count == 8, let length = head.big(0, 4) else { return }
            let type = String(decoding: head[4...], as: UTF8.self)
            let end = offset + 12 + length
            guard end <= content.count else { return }
            if type == "iCCP" {
                // It may change its place among the chunks before the picture, too.
                guard let profile = try profile(offset + 8..<end - 4) else { return }
                loose[0, default: Crypto.SHA256()].update(data: profile)
            } else if !["tEXt", "zTXt", "iTXt", "eXIf", "tIME"].contains(type) {
                try take(offset, end)
            }
            if type == "IEND" {
                isWhole = true
                return
            }
            offset = end
        }
    }

    /// A colour profile's own bytes, whatever its name and however it was compressed; nil where it cannot be read.
    private func profile(_ range: Range<Int>) throws(DownloadError) -> [UInt8]? {
        let chunk = try content.bytes(at: range.lowerBound, count: range.count)
        guard let end = chunk.prefix(80).firstIndex(of: 0), end + 2 < chunk.count else { return nil }
        var length = UInt(4 << 20)
        var profile = [UInt8](repeating: 0, count: Int(length))
        let compressed = Array(chunk[(end + 2)...])
        guard uncompress(&profile, &length, compressed, UInt(compressed.count)) == Z_OK else { return nil }
        return Array(profile.prefix(Int(length)))
    }

    /// RFC 9649 §2.7: chunks of type, length and data, padded to even lengths; `VP8X` only lists them and the canvas.
    private mutating func readWebP() throws(DownloadError) {
        let head = try content.bytes(at: 0, count: 12)
        guard head.has("RIFF", at: 0), let size = head.little(4, 4), size + 8 <= content.count else { return }
        var offset = 12
        while offset + 8 <= size + 8 {
            let head = try content.bytes(at: offset, count: 8)
            guard head.count == 8, let length = head.little(4, 4) else { return }
            let end = offset + 8 + length
            guard end <= size + 8 else { return }
            if !["EXIF", "XMP ", "VP8X"].contains(String(decoding: head[..<4], as: UTF8.self)) {
                try take(offset, end)
            }
            offset = end + length % 2
        }
        isWhole = true
    }
}
