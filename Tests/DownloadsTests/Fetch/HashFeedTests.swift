import Crypto
import TestSupport
import Testing

@testable import Downloads

@Suite struct HashFeedTests {
    private let buffers = FileBuffers()

    private func feed() -> HashFeed { HashFeed(blockLength: 65_536, buffers) }

    /// Keeps bytes in a buffer that was lent for them.
    private func keep(_ byte: UInt8, count: Int = 1, at offset: Int, _ feed: HashFeed) throws {
        var piece = try #require(buffers.lend())
        piece.append(contentsOf: repeatElement(byte, count: count))
        feed.keep(piece, at: offset)
    }

    /// What comes next, in words.
    private func next(_ feed: HashFeed, after position: Int, to end: Int) -> String {
        switch feed.next(after: position, to: end) {
        case .bytes(let bytes, let known):
            defer { feed.takeBack(bytes) }
            return "\(bytes.count) of \(bytes.first ?? 0), \(known) known"
        case .file(let end): return "file to \(end)"
        case .later: return "later"
        }
    }

    @Test func piecesComeInOrderAsFarAsTheFileIsThere() throws {
        let feed = feed()
        try keep(1, count: 100, at: 50, feed)
        try keep(2, count: 100, at: 150, feed)
        #expect(next(feed, after: 0, to: 200) == "file to 50")
        #expect(next(feed, after: 60, to: 200) == "100 of 1, 10 known")
        #expect(next(feed, after: 150, to: 200) == "later")
        #expect(next(feed, after: 150, to: 250) == "100 of 2, 0 known")
        #expect(next(feed, after: 250, to: 300) == "file to 300")
    }

    @Test func whatIsFetchedAgainTakesThePlaceOfWhatCameBefore() throws {
        let feed = feed()
        try keep(1, count: 100, at: 0, feed)
        try keep(1, count: 100, at: 100, feed)
        try keep(2, count: 10, at: 60, feed)
        #expect(next(feed, after: 0, to: 70) == "60 of 1, 0 known")
        #expect(next(feed, after: 60, to: 70) == "10 of 2, 0 known")
        #expect(next(feed, after: 70, to: 200) == "file to 200")
    }

    @Test func whatIsOfAnotherPartIsNotKept() throws {
        let feed = feed()
        try keep(1, at: 100 << 20, feed)
        #expect(next(feed, after: 0, to: 200 << 20) == "file to \(200 << 20)")
        feed.advance(to: 100 << 20)
        try keep(1, at: 100 << 20, feed)
        #expect(next(feed, after: 100 << 20, to: 200 << 20) == "1 of 1, 0 known")
    }

    @Test func noMoreIsKeptThanThereIsMemoryForAndAllOfItIsGivenBack() throws {
        for _ in 0..<2 {
            let feed = feed()
            for number in 0..<40 { try keep(1, count: 10, at: number * 10, feed) }
            #expect(next(feed, after: 310, to: 1_000) == "10 of 1, 0 known")
            #expect(next(feed, after: 320, to: 1_000) == "file to 1000")
        }
    }

    /// Bytes from memory, from the file, and both of them for the same place.
    @Test(arguments: [1, 3, 1_000])
    func digestIsThatOfTheFile(_ everyOther: Int) async throws {
        let folder = TemporaryFolder()
        let part = try PartFile("a.part", in: try DownloadFolder(path: folder.path).folder([]))
        let bytes = patterned(3_000_000)
        let feed = feed()
        var follower = HashFollower(part, feed, hasher: ContentHasher(withSHA256: true))
        var (position, number) = (0, 0)
        while position < bytes.count {
            let piece = Array(bytes[position..<min(position + 70_001, bytes.count)])
            try piece.withUnsafeBytes { try part.write($0, at: position) }
            if number % everyOther == 0 { feed.keep(try #require(buffers.lend()) + piece, at: position) }
            (position, number) = (position + piece.count, number + 1)
            let prefix = position / 65_536 * 65_536
            feed.advance(to: prefix)
            if number % 4 == 0 { try await follower.follow(to: prefix) }
        }
        #expect(try await follower.finish(at: bytes.count).hash == Hashes.both(bytes))
    }
}
