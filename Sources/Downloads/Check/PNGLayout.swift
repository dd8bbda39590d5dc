import CZlib

/// The chunks of a PNG file (PNG §5).
enum PNGLayout {
    /// The longest chunk (PNG §5.3).
    private static let lengthLimit = 0x7fff_ffff

    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        let head = try content.bytes(at: 0, count: 33)
        guard head.count == 33 else { return ImageLayout(end: .cut) }
        guard head.has("IHDR", at: 12), head.big(8, 4) == 13, let width = head.big(16, 4), let height = head.big(20, 4)
        else { return ImageLayout(end: .invalid("it does not begin with its header")) }
        guard head.big(29, 4) == Int(crc32(of: Array(head[12..<29]))) else {
            return ImageLayout(end: .invalid("the checksum of its header is wrong"))
        }
        guard (1...lengthLimit).contains(width), (1...lengthLimit).contains(height) else {
            return ImageLayout(end: .invalid("its size is \(width)×\(height)"))
        }
        let size = ImageSize(width: width, height: height)
        guard let rows = rowBytes(of: size, head) else { return ImageLayout(end: .invalid("its header is not valid")) }
        // A byte stands for 1,032 at most (RFC 1951 §3.2.5).
        guard rows / 1_032 <= content.count else { return ImageLayout(size: size, end: .cut) }
        return ImageLayout(size: size, end: try end(content, rows: rows))
    }

    /// The bytes of all rows before compression, each with its filter; nil for a header that no picture has.
    private static func rowBytes(of size: ImageSize, _ head: [UInt8]) -> Int? {
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        let (depth, isInterlaced) = (Int(head[24]), head[28] == 1)
        guard let count = samples[Int(head[25])], [1, 2, 4, 8, 16].contains(depth), head[28] < 2 else { return nil }
        func bytes(_ width: Int, _ height: Int) -> Int {
            let product = height.multipliedReportingOverflow(by: 1 + (width * count * depth + 7) / 8)
            return width == 0 ? 0 : product.overflow ? Int.max / 8 : min(product.partialValue, Int.max / 8)
        }
        guard isInterlaced else { return bytes(size.width, size.height) }
        // PNG §8.2: seven passes, each with its first place and the step to the next.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.reduce(0) { sum, pass in
            sum + bytes((size.width - pass.0 + pass.2 - 1) / pass.2, (size.height - pass.1 + pass.3 - 1) / pass.3)
        }
    }

    /// Follows the chunks, and checks the sums of those that the picture needs.
    private static func end(_ content: some FileContent, rows: Int) throws(DownloadError) -> ImageEnd {
        var cursor = ContentCursor(content, at: 33)
        var parts: [Range<Int>] = []
        // An animation's frames come behind the picture.
        var missingFrames = 0
        while let head = try cursor.take(8), let length = head.big(0, 4) {
            let start = cursor.offset
            guard length <= lengthLimit else { return .invalid("a chunk is \(length) bytes long") }
            switch String(decoding: head[4...], as: UTF8.self) {
            case "IEND": return parts.isEmpty ? .invalid("it has no picture") : .whole()
            case "PLTE", "IDAT":
                guard try isSound(content, start..<start + length) else {
                    return .invalid("the checksum of its data is wrong")
                }
                if head[4] == UInt8(ascii: "I") { parts.append(start..<min(start + length, content.count)) }
            case "acTL": missingFrames += try content.bytes(at: start, count: 4).big(0, 4) ?? 0
            case "fcTL": missingFrames -= 1
            default: if start + length > content.count { return .cut }
            }
            guard cursor.skip(length + 4) else { break }
        }
        guard !parts.isEmpty, missingFrames <= 0, try hasAll(rows, content, parts) else { return .cut }
        return .unmarked(note: "has no end mark (IEND)")
    }

    /// Whether a chunk's data is as its checksum has it; true for a chunk that is not all there.
    private static func isSound(_ content: some FileContent, _ data: Range<Int>) throws(DownloadError) -> Bool {
        guard let sum = try content.bytes(at: data.upperBound, count: 4).big(0, 4) else { return true }
        var found: UInt = 0
        var offset = data.lowerBound - 4
        while offset < data.upperBound {
            let bytes = try content.bytes(at: offset, count: min(data.upperBound - offset, 64 << 10))
            guard !bytes.isEmpty else { return true }
            found = CZlib.crc32(found, bytes, UInt32(bytes.count))
            offset += bytes.count
        }
        return found == UInt(sum)
    }

    /// Whether so many bytes of rows lie, compressed, in these parts of a file.
    private static func hasAll(
        _ rows: Int, _ content: some FileContent, _ parts: [Range<Int>]
    ) throws(DownloadError) -> Bool {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return false }
        defer { inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: 64 << 10)
        for part in parts {
            var offset = part.lowerBound
            while offset < part.upperBound {
                var input = try content.bytes(at: offset, count: min(part.upperBound - offset, 64 << 10))
                guard !input.isEmpty else { return false }
                offset += input.count
                let result = inflateAll(&input, &stream, &output)
                if result == Z_STREAM_END || Int(stream.total_out) >= rows { return true }
                guard result == Z_OK || result == Z_BUF_ERROR else { return false }
            }
        }
        return false
    }

    /// Decompresses bytes, and forgets what comes of them.
    private static func inflateAll(_ input: inout [UInt8], _ stream: inout z_stream, _ output: inout [UInt8]) -> Int32 {
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                var result = Z_OK
                repeat {
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    result = inflate(&stream, Z_NO_FLUSH)
                } while result == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0)
                return result
            }
        }
    }

    private static func crc32(of bytes: [UInt8]) -> UInt {
        CZlib.crc32(0, bytes, UInt32(bytes.count))
    }
}
