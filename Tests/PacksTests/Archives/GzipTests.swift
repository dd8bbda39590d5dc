import TestSupport
import Testing

@testable import Packs

struct GzipTests {
    /// Bytes of several kinds: one, all alike, random, none.
    static let samples: [[UInt8]] = {
        var chance = SeededGenerator(seed: 3)
        return [
            [7], Array(repeating: 0, count: 200_000), (0..<70_000).map { _ in .random(in: 0...255, using: &chance) },
            [],
        ]
    }()

    @Test(arguments: samples)
    func everyByteComesBack(bytes: [UInt8]) throws {
        #expect(try Gzip.decompress(Gzip.compress(bytes), limit: bytes.count) == bytes)
    }

    @Test func largerContentThanTheLimitIsRefused() throws {
        let archive = try Gzip.compress(Self.samples[1])
        let error = #expect(throws: PackError.self) { try Gzip.decompress(archive, limit: 199_999) }
        #expect(error?.code == .tooLarge)
    }
}
