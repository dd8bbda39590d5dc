/// Follows the codes of a JPEG picture without an end mark, to tell whether its last block is there (ITU T.81 §F.2, §G.2).
///
/// Nothing is decoded but the lengths of codes: sequential and progressive pictures with Huffman codes are followed.
struct JPEGScan<Content: FileContent> {
    private struct Component {
        let id: UInt8
        let across: Int
        let down: Int
        /// Blocks from one row to the next.
        var stride = 0
        /// The blocks of a scan of this component alone.
        var columns = 0
        var rows = 0
        /// Bit k is set for a coefficient that is not zero, by block; in progressive pictures only.
        var nonzero: [UInt64] = []
        /// The number of bits of each coefficient that are still to come; nil before its first scan.
        var missingBits = [Int?](repeating: nil, count: 64)
    }

    /// The part of the coefficients that a scan has.
    private struct Band {
        let range: ClosedRange<Int>
        let isRefinement: Bool
        let missingBits: Int
    }

    private var bits: JPEGBits<Content>
    private var isProgressive = false
    private var components: [Component] = []
    private var columns = 0
    private var rows = 0
    private var tables: [UInt8: HuffmanCodes] = [:]
    private var restartInterval = 0
    /// Blocks that end without a code.
    private var endedBlocks = 0

    /// More pixels than this are not followed: each block has eight bytes here.
    private static var pixelLimit: Int { 40_000_000 }
    private static var scanLimit: Int { 64 }

    /// Whether all blocks of all scans are there.
    static func isComplete(_ content: Content) throws(DownloadError) -> Bool {
        var scan = JPEGScan(content)
        return try scan.follow()
    }

    private init(_ content: Content) { bits = JPEGBits(content) }

    private mutating func follow() throws(DownloadError) -> Bool {
        var scans = 0
        while let marker = try bits.marker() {
            guard marker != 0xd8, marker != 0x01, !(0xd0...0xd7).contains(marker) else { continue }
            guard let segment = try bits.segment() else { break }
            switch marker {
            case 0xc0, 0xc1, 0xc2:
                guard readFrame(segment, isProgressive: marker == 0xc2) else { return false }
            case 0xc4: guard readTables(segment) else { return false }
            case 0xdd: restartInterval = segment.big(0, 2) ?? 0
            case 0xda:
                scans += 1
                guard scans <= Self.scanLimit, try followScan(segment) else { return false }
                if isAllThere { return true }
            default: if JPEGLayout.isFrame(marker) { return false }
            }
        }
        return false
    }

    private var isAllThere: Bool {
        components.allSatisfy { component in component.missingBits.allSatisfy { $0 == 0 } }
    }

    // MARK: Tables

    private mutating func readFrame(_ segment: [UInt8], isProgressive: Bool) -> Bool {
        guard components.isEmpty, let height = segment.big(1, 2), let width = segment.big(3, 2), segment.count >= 6,
            height > 0, width > 0, height * width <= Self.pixelLimit, segment.count >= 6 + 3 * Int(segment[5]),
            (1...4).contains(segment[5])
        else { return false }
        self.isProgressive = isProgressive
        for start in stride(from: 6, to: 6 + 3 * Int(segment[5]), by: 3) {
            let sampling = Int(segment[start + 1])
            components.append(Component(id: segment[start], across: sampling >> 4, down: sampling & 15))
        }
        guard components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }),
            let across = components.map({ $0.across }).max(), let down = components.map({ $0.down }).max()
        else { return false }
        func parts(_ whole: Int, _ part: Int) -> Int { (whole + part - 1) / part }
        (columns, rows) = (parts(width, 8 * across), parts(height, 8 * down))
        for number in components.indices {
            let component = components[number]
            components[number].stride = columns * component.across
            components[number].columns = parts(parts(width * component.across, across), 8)
            components[number].rows = parts(parts(height * component.down, down), 8)
            if isProgressive {
                let count = columns * component.across * rows * component.down
                components[number].nonzero = [UInt64](repeating: 0, count: count)
            }
        }
        return true
    }

    private mutating func readTables(_ segment: [UInt8]) -> Bool {
        var offset = 0
        while offset < segment.count {
            guard segment.count - offset >= 17 else { return false }
            let counts = segment[(offset + 1)..<(offset + 17)].map { Int($0) }
            let end = offset + 17 + counts.reduce(0, +)
            guard end <= segment.count else { return false }
            tables[segment[offset]] = HuffmanCodes(counts, values: segment[(offset + 17)..<end].map { Int($0) })
            offset = end
        }
        return true
    }

    // MARK: Scans

    private mutating func followScan(_ segment: [UInt8]) throws(DownloadError) -> Bool {
        guard let count = segment.first.map({ Int($0) }), (1...4).contains(count), segment.count >= 4 + 2 * count else {
            return false
        }
        var parts: [(component: Int, dc: UInt8, ac: UInt8)] = []
        for number in 0..<count {
            let id = segment[1 + number * 2]
            let selector = segment[2 + number * 2]
            guard let component = components.firstIndex(where: { $0.id == id }) else { return false }
            parts.append((component, selector >> 4, 0x10 | selector & 15))
        }
        let (first, last) = (Int(segment[1 + count * 2]), Int(segment[2 + count * 2]))
        let approximation = segment[3 + count * 2]
        guard !isProgressive || first <= last && last < 64 && (first > 0) == (last > 0) && (first == 0 || count == 1)
        else { return false }
        let band = Band(
            range: isProgressive ? first...last : 0...63, isRefinement: isProgressive && approximation >> 4 > 0,
            missingBits: isProgressive ? Int(approximation & 15) : 0)
        endedBlocks = 0
        bits.reset()
        let isAlone = count == 1
        let unitColumns = isAlone ? components[parts[0].component].columns : columns
        let unitRows = isAlone ? components[parts[0].component].rows : rows
        for unit in 0..<(unitColumns * unitRows) {
            if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                guard let marker = try bits.marker(), (0xd0...0xd7).contains(marker) else { return false }
                bits.reset()
                endedBlocks = 0
            }
            let (column, row) = (unit % unitColumns, unit / unitColumns)
            for part in parts {
                guard try followUnit(part, column, row, isAlone: isAlone, band) else { return false }
            }
        }
        for part in parts {
            for place in band.range { components[part.component].missingBits[place] = band.missingBits }
        }
        return true
    }

    private mutating func followUnit(
        _ part: (component: Int, dc: UInt8, ac: UInt8), _ column: Int, _ row: Int, isAlone: Bool, _ band: Band
    ) throws(DownloadError) -> Bool {
        // A copy of the component would have its bits copied as soon as one of them changes.
        let stride = components[part.component].stride
        let across = isAlone ? 1 : components[part.component].across
        let down = isAlone ? 1 : components[part.component].down
        for y in 0..<down {
            for x in 0..<across {
                let block = (row * down + y) * stride + column * across + x
                let isThere =
                    if !isProgressive {
                        try followSequential(part.dc, part.ac)
                    } else if band.range.lowerBound == 0 {
                        try band.isRefinement ? bits.skip(1) : followDifference(part.dc)
                    } else if band.isRefinement {
                        try followRefinement(part, block, band)
                    } else {
                        try followBand(part, block, band)
                    }
                guard isThere else { return false }
            }
        }
        return true
    }

    private mutating func followDifference(_ table: UInt8) throws(DownloadError) -> Bool {
        guard let codes = tables[table], let length = try bits.value(codes), length <= 16 else { return false }
        return try bits.skip(length)
    }

    private mutating func followSequential(_ dc: UInt8, _ ac: UInt8) throws(DownloadError) -> Bool {
        guard try followDifference(dc), let codes = tables[ac] else { return false }
        var place = 1
        while place < 64 {
            guard let value = try bits.value(codes) else { return false }
            let (run, length) = (value >> 4, value & 15)
            if length == 0 {
                guard run == 15 else { break }
                place += 16
            } else {
                place += run + 1
                guard try bits.skip(length) else { return false }
            }
        }
        return true
    }

    private mutating func followBand(
        _ part: (component: Int, dc: UInt8, ac: UInt8), _ block: Int, _ band: Band
    ) throws(DownloadError) -> Bool {
        if endedBlocks > 0 {
            endedBlocks -= 1
            return true
        }
        guard let codes = tables[part.ac] else { return false }
        var place = band.range.lowerBound
        while place <= band.range.upperBound {
            guard let value = try bits.value(codes) else { return false }
            let (run, length) = (value >> 4, value & 15)
            if length == 0, run < 15 {
                guard let more = try bits.number(run) else { return false }
                endedBlocks = 1 << run + more - 1
                break
            }
            place += run
            if length > 0 {
                guard place < 64, try bits.skip(length) else { return false }
                components[part.component].nonzero[block] |= 1 << place
            }
            place += 1
        }
        return true
    }

    private mutating func followRefinement(
        _ part: (component: Int, dc: UInt8, ac: UInt8), _ block: Int, _ band: Band
    ) throws(DownloadError) -> Bool {
        guard let codes = tables[part.ac] else { return false }
        var known = components[part.component].nonzero[block]
        var place = band.range.lowerBound
        while endedBlocks == 0, place <= band.range.upperBound {
            guard let value = try bits.value(codes) else { return false }
            var run = value >> 4
            if value & 15 == 0, run < 15 {
                guard let more = try bits.number(run) else { return false }
                endedBlocks = 1 << run + more
                break
            }
            if value & 15 > 0, try !bits.skip(1) { return false }
            // Each coefficient that was known before has a bit on the way to the new one.
            while place <= band.range.upperBound {
                if known >> place & 1 == 1 {
                    guard try bits.skip(1) else { return false }
                } else {
                    if run == 0 { break }
                    run -= 1
                }
                place += 1
            }
            if value & 15 > 0, place < 64 { known |= 1 << place }
            place += 1
        }
        components[part.component].nonzero[block] = known
        guard endedBlocks > 0 else { return true }
        while place <= band.range.upperBound {
            if known >> place & 1 == 1, try !bits.skip(1) { return false }
            place += 1
        }
        endedBlocks -= 1
        return true
    }
}

/// The bits of coded data and the segments between them.
private struct JPEGBits<Content: FileContent> {
    private var cursor: ContentCursor<Content>
    private var buffer = 0
    private var available = 0

    init(_ content: Content) { cursor = ContentCursor(content) }

    /// Forgets the bits before a marker.
    mutating func reset() { available = 0 }

    /// The next marker, behind whatever stands before it; nil at the end.
    mutating func marker() throws(DownloadError) -> UInt8? {
        available = 0
        var previous: UInt8 = 0
        while let byte = try cursor.next() {
            if previous == 0xff, byte != 0, byte != 0xff { return byte }
            previous = byte
        }
        return nil
    }

    /// A segment's content; nil where it is not all there.
    mutating func segment() throws(DownloadError) -> [UInt8]? {
        guard let length = try cursor.take(2)?.big(0, 2), length >= 2 else { return nil }
        return try cursor.take(length - 2)
    }

    /// The next bit; nil before a marker and at the end.
    private mutating func bit() throws(DownloadError) -> Int? {
        if available == 0 {
            guard let byte = try cursor.peek() else { return nil }
            if byte == 0xff {
                guard let pair = try cursor.take(2) else { return nil }
                guard pair[1] == 0 else {
                    cursor.offset -= 2
                    return nil
                }
            } else {
                cursor.offset += 1
            }
            (buffer, available) = (Int(byte), 8)
        }
        available -= 1
        return buffer >> available & 1
    }

    /// A number of so many bits, 0 for none.
    mutating func number(_ length: Int) throws(DownloadError) -> Int? {
        var number = 0
        for _ in 0..<length {
            guard let bit = try bit() else { return nil }
            number = number << 1 | bit
        }
        return number
    }

    mutating func skip(_ length: Int) throws(DownloadError) -> Bool { try number(length) != nil }

    /// The value of the next code.
    mutating func value(_ codes: HuffmanCodes) throws(DownloadError) -> Int? {
        var code = 0
        for length in 1...16 {
            guard let bit = try bit() else { return nil }
            code = code << 1 | bit
            if let value = codes.value(of: code, length: length) { return value }
        }
        return nil
    }
}
