import TestSupport
import Testing

@testable import Downloads

@Suite struct ContentHashTests {
    /// As `printf … | xxhsum -H2` writes them.
    @Test(arguments: [
        ("", "99aa06d3014798d86001c324468d497f"), ("abc", "06b05ab6733a618578af5f94892f3950"),
        (String(repeating: "0123456789", count: 300), "882033d71e144ae64f71a4f498fa41a2"),
    ])
    func hashIsThatOfTheTool(_ text: String, _ expected: String) {
        #expect(Hashes.xxh128(Array(text.utf8)).hexadecimal == expected)
    }

    @Test(arguments: [1, 63, 64, 1_000, 65_537]) func piecesDoNotMatter(_ length: Int) {
        let bytes = patterned(200_000)
        var hasher = ContentHasher(withSHA256: true)
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(length)).withUnsafeBytes { hasher.update($0) }
            rest = rest.dropFirst(length)
        }
        #expect(hasher.finish().hash == Hashes.both(bytes))
    }

    /// Where both know the strong hash, the weak one does not count.
    @Test func theStrongerHashOfBothDecides() {
        let (one, other) = ([1] as [UInt8], [2] as [UInt8])
        #expect(ContentHash(xxh128: one).agrees(with: ContentHash(xxh128: one, sha256: other)))
        #expect(!ContentHash(xxh128: one).agrees(with: ContentHash(xxh128: other, sha256: other)))
        #expect(!ContentHash(xxh128: one, sha256: one).agrees(with: ContentHash(xxh128: one, sha256: other)))
        #expect(!ContentHash(xxh128: one).agrees(with: ContentHash(kept: [UInt8](repeating: 1, count: 32))))
    }
}
