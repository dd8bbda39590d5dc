import HTTPTransport
import HTTPTypes
import TestSupport
import Testing

@testable import Downloads

@Suite struct FileSegmentTests {
    /// What lets an answer go on once grew with every piece, until letting go of it needed more than the thread's stack.
    @Test func answerInManyPiecesArrivesUnderARateLimit() throws {
        let folder = TemporaryFolder()
        let part = try PartFile("a.part", in: try DownloadFolder(path: folder.path).folder([]))
        let assembly = try FileAssembly(
            part, place: "https://a.example/a", counter: DownloadCounter(), buffers: FileBuffers(),
            judge: { _ in nil }, becomesLarge: { _ in })
        let limiter = RateLimiter(bytesPerSecond: 1 << 40)
        let segment = FileSegment(nil, of: assembly, limiter: limiter, mayRestart: true)
        let count = 100_000
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "\(count)"])) {}
        let piece: [UInt8] = [7]
        let areAllTaken = try piece.withUnsafeBytes { bytes in
            try (0..<count).allSatisfy { _ in try segment.write(bytes) == .more }
        }
        #expect(areAllTaken)
        try segment.finish()
        #expect(segment.isKnownToBeComplete)
    }
}
