import Glibc

/// The bytes of a stored body, checked: they are those that were stored.
final class BodyReader: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(Int32)
    }

    /// How many bytes there are.
    let length: Int
    private let source: Source
    private static let pieceLength = 256 << 10

    /// A body from the database; nil when the bytes are others.
    init?(bytes: [UInt8], length: Int, checksum: UInt64) {
        guard bytes.count == length, Checksum.of(bytes) == checksum else { return nil }
        self.length = length
        source = .bytes(bytes)
    }

    /// A body in a file; nil when it is gone, or has other bytes.
    init?(path: String, length: Int, checksum: UInt64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        self.length = length
        source = .file(descriptor)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_size == length, currentChecksum() == checksum else { return nil }
    }

    deinit {
        if case .file(let descriptor) = source { close(descriptor) }
    }

    /// A piece as one array; nil when the file ended early.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        switch source {
        case .bytes(let bytes): return range == 0..<length ? bytes : Array(bytes[range])
        case .file(let descriptor):
            var isComplete = false
            let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
                isComplete = Self.read(descriptor, at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
                count = isComplete ? range.count : 0
            }
            return isComplete ? bytes : nil
        }
    }

    /// Where the pieces of a range begin and end when it is handed on bit by bit.
    static func pieces(of range: Range<Int>) -> [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: pieceLength).map {
            $0..<min($0 + pieceLength, range.upperBound)
        }
    }

    /// The checksum of all bytes, read in pieces.
    private func currentChecksum() -> UInt64? {
        var checksum = Checksum()
        for piece in Self.pieces(of: 0..<length) {
            guard let bytes = bytes(piece) else { return nil }
            bytes.withUnsafeBytes { checksum.update($0) }
        }
        return checksum.value
    }

    private static func read(_ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
