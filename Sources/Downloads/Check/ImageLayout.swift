import ProviderModel

/// Whether a file is there to its end.
enum ImageEnd: Hashable {
    /// All of it, with a note where something in it is odd.
    case whole(note: String? = nil)
    /// All of its parts, without the mark at the end: whole where the server sent as much as it announced.
    case unmarked(note: String)
    /// A part is missing.
    case cut
    /// No decoder takes it, for this reason.
    case invalid(String)

    /// Whether everything is there that the file itself announces.
    var isWhole: Bool {
        if case .whole = self { return true }
        return false
    }
}

/// A file's structure, as far as it can be followed without decoding the picture: the size, and whether all parts are there.
struct ImageLayout: Hashable {
    /// The picture's size; nil where the file does not say it plainly.
    var size: ImageSize?
    /// Whether the file is there to its end.
    var end: ImageEnd

    init(size: ImageSize? = nil, end: ImageEnd) {
        self.end = end
        self.size = size.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    }

    /// Follows the structure of a file.
    init(of content: some FileContent, as format: MediaFormat) throws(DownloadError) {
        self =
            switch format {
            case .jpeg: try JPEGLayout(content).layout(content)
            case .png: try PNGLayout.read(content)
            case .gif: try GIFLayout.read(content)
            case .webp: try WebPLayout.read(content)
            case .avif, .heic: try HEIFLayout.read(content)
            case .jxl: try JXLLayout.read(content)
            case .tiff: try TIFFLayout.read(content)
            case .bmp: try BMPLayout.read(content)
            case .ico: try ICOLayout.read(content)
            case .svg: try SVGLayout.read(content)
            case .mp4, .mov, .m4a: ImageLayout(end: try BoxChain(content).filmEnd)
            case .wav: ImageLayout(end: try WebPLayout.riffEnd(content))
            case .zip: ImageLayout(end: try Self.zipEnd(content))
            // Their length is that of the response, which is checked.
            case .webm, .mkv, .ogv, .mp3, .ogg, .flac: ImageLayout(end: .whole())
            }
    }

    /// The end of the central directory, before which only a comment may stand.
    private static func zipEnd(_ content: some FileContent) throws(DownloadError) -> ImageEnd {
        try content.tail(66_000).lastPlace(of: [0x50, 0x4b, 5, 6]) == nil ? .cut : .whole()
    }
}
