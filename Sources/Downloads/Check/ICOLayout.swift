/// The directory of an icon file, each of whose pictures is a bitmap without its file's header, or a PNG file.
enum ICOLayout {
    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        let head = try content.bytes(at: 0, count: 6 + 256 * 16)
        guard let count = head.little(4, 2), count > 0 else { return ImageLayout(end: .invalid("it has no picture")) }
        var largest: ImageSize?
        for number in 0..<count {
            let entry = 6 + number * 16
            guard let length = head.little(entry + 8, 4), let offset = head.little(entry + 12, 4),
                offset + length <= content.count
            else { return ImageLayout(size: largest, end: .cut) }
            let picture = try content.bytes(at: offset, count: min(length, 24))
            guard let size = size(of: picture) else { continue }
            if size.width * size.height > (largest?.width ?? 0) * (largest?.height ?? 0) { largest = size }
        }
        return ImageLayout(size: largest, end: largest == nil ? .invalid("it has no picture") : .whole())
    }

    /// The directory has one byte for each side, which is too little for some.
    private static func size(of picture: [UInt8]) -> ImageSize? {
        if picture.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            guard let width = picture.big(16, 4), let height = picture.big(20, 4), (1...1 << 16).contains(width),
                (1...1 << 16).contains(height)
            else { return nil }
            return ImageSize(width: width, height: height)
        }
        // The rows of the mask are counted with those of the picture.
        let isShort = picture.little(0, 4) == 12
        guard let length = picture.little(0, 4), BMPLayout.headerLengths.contains(length),
            let width = picture.little(4, isShort ? 2 : 4),
            let height = picture.little(isShort ? 6 : 8, isShort ? 2 : 4), (1...1 << 16).contains(width),
            (2...1 << 17).contains(height)
        else { return nil }
        return ImageSize(width: width, height: height / 2)
    }
}
