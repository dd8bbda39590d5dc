/// The head of a JPEG XL codestream (ISO/IEC 18181-1 annex D), as far as it tells sizes and what frames have.
struct JXLImage {
    /// The size as it is shown.
    let size: ImageSize
    /// The size as it is coded.
    let coded: ImageSize
    /// The size of the preview, which has a frame of its own.
    private(set) var preview: ImageSize?
    private(set) var hasAnimation = false
    private(set) var hasTimecodes = false
    private(set) var extraChannels = 0
    private(set) var isXYB = true
    /// Whether a colour profile stands before the frames.
    private(set) var hasProfile = false

    /// Reads the head behind its signature; nil where it breaks off.
    init?(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        coded = try Self.size(&bits)
        var orientation = 1
        let isPlain = try bits.flag()
        if !isPlain {
            let hasMore = try bits.flag()
            if hasMore {
                orientation = try 1 + bits.number(3)
                if try bits.flag() { _ = try Self.size(&bits) }
                if try bits.flag() { preview = try Self.previewSize(&bits) }
                hasAnimation = try bits.flag()
                if hasAnimation { hasTimecodes = try Self.readAnimation(&bits) }
            }
            try Self.skipDepth(&bits)
            try bits.skip(1)
            extraChannels = try bits.choice((0, 0), (0, 1), (4, 2), (12, 1))
            for _ in 0..<extraChannels where !bits.isExhausted { try Self.skipChannel(&bits) }
            isXYB = try bits.flag()
            hasProfile = try Self.readColours(&bits)
            if hasMore, try !bits.flag() { try bits.skip(16 + 16 + 1 + 16) }  // the range of brightness
            try bits.skipExtensions()
        }
        try Self.skipTransforms(&bits, isXYB: isXYB)
        size = orientation > 4 ? coded.turned : coded
        if bits.isExhausted { return nil }
    }

    private static func size(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> ImageSize {
        let isSmall = try bits.flag()
        func side(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
            try isSmall ? 8 * (bits.number(5) + 1) : bits.choice((9, 1), (13, 1), (18, 1), (30, 1))
        }
        let height = try side(&bits)
        if let width = try ratio(&bits, height) { return ImageSize(width: width, height: height) }
        return ImageSize(width: try side(&bits), height: height)
    }

    private static func previewSize(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> ImageSize {
        let isSmall = try bits.flag()
        func side(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
            try isSmall
                ? 8 * bits.choice((0, 16), (0, 32), (5, 1), (9, 33))
                : bits.choice((6, 1), (8, 65), (10, 321), (12, 1_345))
        }
        let height = try side(&bits)
        if let width = try ratio(&bits, height) { return ImageSize(width: width, height: height) }
        return ImageSize(width: try side(&bits), height: height)
    }

    /// The width by one of seven proportions; nil where it is given by itself.
    private static func ratio(_ bits: inout JXLBits<some FileContent>, _ height: Int) throws(DownloadError) -> Int? {
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let number = try bits.number(3)
        return number == 0 ? nil : height * ratios[number - 1].0 / ratios[number - 1].1
    }

    private static func readAnimation(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Bool {
        _ = try bits.choice((0, 100), (0, 1_000), (10, 1), (30, 1))
        _ = try bits.choice((0, 1), (0, 1_001), (8, 1), (10, 1))
        _ = try bits.choice((0, 0), (3, 0), (16, 0), (32, 0))
        return try bits.flag()
    }

    private static func skipDepth(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        let isFloat = try bits.flag()
        _ = try isFloat ? bits.choice((0, 32), (0, 16), (0, 24), (6, 1)) : bits.choice((0, 8), (0, 10), (0, 12), (6, 1))
        if isFloat { try bits.skip(4) }
    }

    private static func skipChannel(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        if try bits.flag() { return }
        let kind = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
        try skipDepth(&bits)
        _ = try bits.choice((0, 0), (0, 3), (0, 4), (3, 1))
        try bits.skip(8 * bits.choice((0, 0), (4, 0), (5, 16), (10, 48)))
        switch kind {
        case 0: try bits.skip(1)
        case 2: try bits.skip(4 * 16)
        case 5: _ = try bits.choice((0, 1), (2, 0), (4, 3), (8, 19))
        default: break
        }
    }

    private static func readColours(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Bool {
        if try bits.flag() { return false }
        let hasProfile = try bits.flag()
        let space = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
        guard !hasProfile else { return true }
        let (isGrey, isXYB, custom) = (space == 1, space == 2, 2)
        func skipPoint(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
            for _ in 0..<2 { _ = try bits.choice((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)) }
        }
        if !isXYB, try bits.choice((0, 0), (0, 1), (4, 2), (6, 18)) == custom { try skipPoint(&bits) }
        if !isXYB, !isGrey, try bits.choice((0, 0), (0, 1), (4, 2), (6, 18)) == custom {
            for _ in 0..<3 { try skipPoint(&bits) }
        }
        if !isXYB {
            let hasGamma = try bits.flag()
            if hasGamma { try bits.skip(24) } else { _ = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18)) }
        }
        _ = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
        return false
    }

    private static func skipTransforms(_ bits: inout JXLBits<some FileContent>, isXYB: Bool) throws(DownloadError) {
        if try bits.flag() { return }
        if isXYB, try !bits.flag() { try bits.skip(16 * 16) }
        let weights = try bits.number(3)
        for (bit, count) in [15, 55, 210].enumerated() where weights >> bit & 1 == 1 { try bits.skip(16 * count) }
    }
}

/// The bits of a codestream, the lowest of a byte first.
struct JXLBits<Content: FileContent> {
    private var cursor: ContentCursor<Content>
    private var buffer = 0
    private var available = 0
    /// Whether more bits were read than there are, which are zeros.
    private(set) var isExhausted = false

    init(_ content: Content, from offset: Int) { cursor = ContentCursor(content, at: offset) }

    mutating func number(_ length: Int) throws(DownloadError) -> Int {
        var number = 0
        for place in 0..<length {
            if available == 0 {
                guard let byte = try cursor.next() else {
                    isExhausted = true
                    return 0
                }
                (buffer, available) = (Int(byte), 8)
            }
            number |= (buffer & 1) << place
            buffer >>= 1
            available -= 1
        }
        return number
    }

    mutating func flag() throws(DownloadError) -> Bool { try number(1) == 1 }

    mutating func skip(_ length: Int) throws(DownloadError) {
        for _ in 0..<length where !isExhausted { _ = try number(1) }
    }

    /// `U32`: one of four numbers by two bits, each of so many bits and begun at a value.
    mutating func choice(
        _ first: (Int, Int), _ second: (Int, Int), _ third: (Int, Int), _ fourth: (Int, Int)
    ) throws(DownloadError) -> Int {
        let chosen = [first, second, third, fourth][try number(2)]
        return try number(chosen.0) + chosen.1
    }

    /// `U64`.
    mutating func longNumber() throws(DownloadError) -> Int {
        switch try number(2) {
        case 0: return 0
        case 1: return try 1 + number(4)
        case 2: return try 17 + number(8)
        default:
            var value = try number(12)
            var shift = 12
            while try flag(), !isExhausted, shift < 60 {
                value |= try number(8) << shift
                shift += 8
            }
            if shift == 60 { value |= try number(3) << 60 }
            return value
        }
    }

    mutating func skipExtensions() throws(DownloadError) {
        let extensions = try longNumber()
        var lengths = 0
        for bit in 0..<63 where extensions >> bit & 1 == 1 {
            let length = try longNumber()
            guard (0..<1 << 40).contains(length) else {
                isExhausted = true
                return
            }
            lengths += length
        }
        let ahead = max(lengths - available, 0)
        try skip(lengths - ahead)
        if !skipBytes(ahead / 8) { isExhausted = true }
        try skip(ahead % 8)
    }

    /// Goes on at the next whole byte.
    mutating func align() { available = 0 }

    /// Goes on behind whole bytes; false where there are fewer.
    mutating func skipBytes(_ length: Int) -> Bool { cursor.skip(length) }
}
