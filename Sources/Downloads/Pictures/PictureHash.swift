import LocalDatabase
import ProviderModel

/// What a picture looks like in 64 bits, much the same for copies in another size, format or quality.
///
/// A difference hash: of a grey copy of 9 × 8 pixels, each bit says whether a pixel is brighter than the one to its left.
package struct PictureHash: Hashable, Sendable {
    /// The most bits in which the hashes of near-duplicates differ.
    package static let limit = 4

    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// The hash of 9 × 8 grey pixels, row by row; nil where they show too little to tell one picture from another.
    init?(of pixels: some Collection<UInt8>) {
        var bits: UInt64 = 0
        var rest = pixels[...]
        for _ in 0..<8 {
            for (left, right) in zip(rest.prefix(8), rest.dropFirst()) { bits = bits << 1 | (right > left ? 1 : 0) }
            rest = rest.dropFirst(9)
        }
        // Plain surfaces and even gradients have all bits alike.
        guard (Self.limit + 1..<64 - Self.limit).contains(bits.nonzeroBitCount) else { return nil }
        self.bits = bits
    }

    /// In how many bits two hashes differ.
    package func distance(to other: PictureHash) -> Int { (bits ^ other.bits).nonzeroBitCount }
}

extension PictureHash {
    /// The hash of a picture; nil for what is none, or cannot be read.
    init?(of part: PartFile, _ format: MediaFormat?, by program: PictureProgram) async throws {
        guard let format, PictureProgram.readable.contains(format) else { return nil }
        do {
            try self.init(pixels: try await program.thumbnail(of: part, size: Self.size, as: Self.output))
        } catch is PictureProgram.Failure { return nil }
    }

    /// The hash of the picture in an open file; nil for what is none, or cannot be read.
    init?(of file: DescriptorContent, _ format: MediaFormat?, by program: PictureProgram) async throws {
        guard let format, PictureProgram.readable.contains(format) else { return nil }
        do {
            try self.init(pixels: try await program.thumbnail(of: file, size: Self.size, as: Self.output))
        } catch is PictureProgram.Failure { return nil }
    }

    private static let size = "9x8!"
    private static let output = ".pgm"

    private init?(pixels thumbnail: DescriptorContent) throws(DownloadError) {
        let bytes = try thumbnail.tail(72)
        guard bytes.count == 72 else { return nil }
        self.init(of: bytes)
    }
}

extension PictureHash: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { Int64(bitPattern: bits).databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> PictureHash? {
        Int64.fromDatabaseValue(value).map { PictureHash(bits: UInt64(bitPattern: $0)) }
    }
}

extension PictureHash {
    /// The hash in pieces, one of which two hashes share that differ in no more bits than there are other pieces.
    static let pieces: [(shift: Int, mask: UInt64)] = [(0, 13), (13, 13), (26, 13), (39, 13), (52, 12)]
        .map { ($0, 1 << UInt64($1) - 1) }

    /// The piece of a column in SQL.
    static func expression(_ piece: (shift: Int, mask: UInt64)) -> String {
        "(picture >> \(piece.shift) & \(piece.mask))"
    }

    /// The hash's own value of a piece.
    func value(of piece: (shift: Int, mask: UInt64)) -> Int64 { Int64(bits >> UInt64(piece.shift) & piece.mask) }
}
