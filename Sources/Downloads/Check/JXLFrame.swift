/// The head of a frame of a JPEG XL codestream, and the table of its sections (ISO/IEC 18181-1 annexes F and G).
struct JXLFrame {
    /// The bytes of all sections, which come behind the table.
    private(set) var length = 0
    /// Whether no frame follows.
    private(set) var isLast = true

    private var kind = Kind.regular
    private var isModular = false
    private var upsampling = 1
    private var groupShift = 1
    private var passes = 1
    private var size: ImageSize
    private var level = 0
    private var isPartial = false
    private var isReplacing = true

    private enum Kind: Int {
        case regular
        /// The picture at an eighth of its size.
        case coarse
        case reference
        case progressive

        var isShown: Bool { self == .regular || self == .progressive }
    }

    private static let useCoarse = 0x20

    /// Reads a head; nil where it breaks off, or is none.
    init?(_ bits: inout JXLBits<some FileContent>, of image: JXLImage, isPreview: Bool) throws(DownloadError) {
        size = isPreview ? image.preview ?? image.coded : image.coded
        if try !bits.flag() { try readHead(&bits, of: image) }
        guard !bits.isExhausted, let sections, sections <= 1 << 24 else { return nil }
        if try bits.flag(), try !JXLNumbers.skipOrder(&bits, sections: sections) { return nil }
        bits.align()
        for _ in 0..<sections where !bits.isExhausted {
            length += try bits.choice((10, 0), (14, 1_024), (22, 17_408), (30, 4_211_712))
        }
        bits.align()
        if bits.isExhausted { return nil }
    }

    /// The number of sections; nil for a size that cannot be.
    private var sections: Int? {
        func parts(_ whole: Int, _ part: Int) -> Int { (whole + part - 1) / part }
        let scale = upsampling << (3 * level)
        let (width, height) = (parts(size.width, scale), parts(size.height, scale))
        guard width > 0, height > 0, width < 1 << 31, height < 1 << 31 else { return nil }
        let side = 128 << groupShift
        let groups = parts(width, side) * parts(height, side)
        guard groups > 1 || passes > 1 else { return 1 }
        return 2 + parts(width, 8 * side) * parts(height, 8 * side) + groups * passes
    }

    private mutating func readHead(
        _ bits: inout JXLBits<some FileContent>, of image: JXLImage
    ) throws(DownloadError) {
        kind = Kind(rawValue: try bits.number(2)) ?? .regular
        isModular = try bits.flag()
        let flags = try bits.longNumber()
        let hasLuminance = try image.isXYB ? false : bits.flag()
        if flags & Self.useCoarse == 0 {
            if hasLuminance { try bits.skip(3 * 2) }
            upsampling = try 1 << bits.number(2)
            try bits.skip(2 * image.extraChannels)
        }
        if isModular { groupShift = try bits.number(2) }
        if !isModular, image.isXYB { try bits.skip(3 + 3) }
        if kind != .reference { try readPasses(&bits) }
        if kind == .coarse { level = try 1 + bits.number(2) } else { try readCrop(&bits) }
        var duration = 0
        if kind.isShown {
            isReplacing = try readBlending(&bits, of: image)
            for _ in 0..<image.extraChannels where !bits.isExhausted { _ = try readBlending(&bits, of: image) }
            if image.hasAnimation {
                duration = try bits.choice((0, 0), (0, 1), (8, 0), (32, 0))
                if image.hasTimecodes { try bits.skip(32) }
            }
            isLast = try bits.flag()
        } else {
            isLast = false
        }
        let slot = try kind == .coarse || isLast ? 0 : bits.number(2)
        let isReferable = !isLast && kind != .coarse && (duration == 0 || slot != 0)
        let isSavable = isReferable && isReplacing && !isPartial && kind.isShown
        if isSavable || kind == .reference { try bits.skip(1) }
        try bits.skip(8 * bits.choice((0, 0), (4, 0), (5, 16), (10, 48)))  // the frame's name
        try skipFilter(&bits)
        try bits.skipExtensions()
    }

    private mutating func readPasses(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        passes = try bits.choice((0, 1), (0, 2), (0, 3), (3, 4))
        guard passes > 1 else { return }
        let steps = try bits.choice((0, 0), (0, 1), (0, 2), (1, 3))
        try bits.skip(2 * (passes - 1) + 2 * steps)
        for _ in 0..<steps { _ = try bits.choice((0, 0), (0, 1), (0, 2), (3, 0)) }
    }

    private mutating func readCrop(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        guard try bits.flag() else { return }
        func number(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
            try bits.choice((8, 0), (11, 256), (14, 2_304), (30, 18_688))
        }
        let whole = size
        var (left, top) = (0, 0)
        if kind.isShown {
            // Zigzag: even numbers are those above zero.
            (left, top) = try (number(&bits), number(&bits))
            left = left & 1 == 0 ? left / 2 : -(left + 1) / 2
            top = top & 1 == 0 ? top / 2 : -(top + 1) / 2
        }
        size = try ImageSize(width: number(&bits), height: number(&bits))
        isPartial = left > 0 || top > 0 || left + size.width < whole.width || top + size.height < whole.height
    }

    /// Reads how a frame, or one of its channels, is laid over those before; whether it takes their place.
    private func readBlending(
        _ bits: inout JXLBits<some FileContent>, of image: JXLImage
    ) throws(DownloadError) -> Bool {
        let mode = try bits.choice((0, 0), (0, 1), (0, 2), (2, 3))
        let usesAlpha = image.extraChannels > 0 && (mode == 2 || mode == 3)
        if usesAlpha { _ = try bits.choice((0, 0), (0, 1), (0, 2), (3, 3)) }
        if usesAlpha || mode == 4 { try bits.skip(1) }
        if mode != 0 || isPartial { try bits.skip(2) }
        return mode == 0
    }

    private func skipFilter(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) {
        if try bits.flag() { return }
        if try bits.flag(), try bits.flag() { try bits.skip(6 * 16) }
        if try bits.number(2) > 0 {
            if !isModular, try bits.flag() { try bits.skip(8 * 16) }
            if try bits.flag() { try bits.skip(5 * 16) }
            if try bits.flag() { try bits.skip((isModular ? 3 : 4) * 16) }
            if isModular { try bits.skip(16) }
        }
        try bits.skipExtensions()
    }
}
