import TestSupport
import Testing

@testable import Downloads

@Suite struct PictureHashTests {
    /// Rows of nine pixels that grow brighter, or darker where a bit is 0.
    private func pixels(_ bits: UInt64) -> [UInt8] {
        (0..<8).flatMap { row in
            (0..<8).reduce(into: [UInt8(128)]) { pixels, column in
                let isBrighter = bits >> UInt64(63 - row * 8 - column) & 1 == 1
                pixels.append(pixels[column] &+ (isBrighter ? 10 : 246))
            }
        }
    }

    @Test(arguments: [0xf0f0_1234_5678_9abc, 0x0123_4567_89ab_cdef] as [UInt64])
    func eachBitSaysWhetherAPixelIsBrighterThanTheOneBefore(_ bits: UInt64) {
        #expect(PictureHash(of: pixels(bits))?.bits == bits)
    }

    @Test(arguments: [0, .max, 0b1111, ~0b1111] as [UInt64])
    func surfaceThatShowsNothingHasNoHash(_ bits: UInt64) { #expect(PictureHash(of: pixels(bits)) == nil) }

    @Test func hashesThatAreNearShareAPiece() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let hash = PictureHash(bits: random.next())
            var other = hash.bits
            for _ in 0..<PictureHash.limit { other ^= 1 << UInt64.random(in: 0..<64, using: &random) }
            let near = PictureHash(bits: other)
            #expect(hash.distance(to: near) <= PictureHash.limit)
            #expect(PictureHash.pieces.contains { hash.value(of: $0) == near.value(of: $0) })
        }
    }

    @Test func archiveFindsTheNearestAmongStoredAndWaiting() throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        func record(_ id: String, _ bits: UInt64?) -> ArchiveRecord {
            ArchiveRecord(
                key: MediaKey(stored: "a:\(id):original"), url: "https://a.example/\(id)", sha256: nil, bytes: 1,
                time: 1,
                path: "\(id).jpg", picture: bits.map { PictureHash(bits: $0) })
        }
        let bits: UInt64 = 0xf0f0_1234_5678_9abc
        archive.add(record("far", ~bits))
        archive.add(record("unknown", nil))
        archive.add(record("three", bits ^ 0x8000_0000_0000_0101))
        archive.add(record("five", bits ^ 0x1f))
        try archive.flush()
        archive.add(record("one", bits ^ 1 << 40))
        let wanted = PictureHash(bits: bits)
        let first = try archive.nearest(to: wanted) { _ in true }
        #expect(first?.record.path == "one.jpg" && first?.distance == 1)
        let second = try archive.nearest(to: wanted) { $0.path != "one.jpg" }
        #expect(second?.record.path == "three.jpg" && second?.distance == 3)
        #expect(try archive.nearest(to: wanted) { !["one.jpg", "three.jpg"].contains($0.path) } == nil)
    }
}
