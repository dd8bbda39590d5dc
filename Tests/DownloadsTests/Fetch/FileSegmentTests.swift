import Glibc
import HTTPTransport
import HTTPTypes
import TestSupport
import Testing

@testable import Downloads

@Suite struct FileSegmentTests {
    private let folder = TemporaryFolder()

    private func assembly() async throws -> FileAssembly {
        let part = try PartFile("a.part", in: try DownloadFolder(path: folder.path).folder([]))
        return try await FileAssembly(part, url: "https://a.example/a", meter: DownloadMeter(), computesSHA256: true)
    }

    /// A program that is killed loses no more than what came just before, though nothing follows for a while.
    @Test(.timeLimit(.minutes(1)), arguments: [70_000, 1_000_000, 5_000_000])
    func blocksThatHaveComeAreSaved(count: Int) async throws {
        let assembly = try await assembly()
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: nil, mayRestart: true)
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "8000000", .eTag: "\"v\""])) {}
        let bytes = [UInt8](repeating: 7, count: count / 10)
        for _ in 0..<10 { _ = try bytes.withUnsafeBytes { try segment.write($0) } }
        while try saved(assembly) < count / 65_536 * 65_536 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private func saved(_ assembly: FileAssembly) throws -> Int {
        try PartState(atEndOf: assembly.part, length: assembly.part.count)?.blocks.presentBytes ?? 0
    }

    @Test func smallFileIsNotSavedOnItsWay() async throws {
        let assembly = try await assembly()
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: nil, mayRestart: true)
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "200000", .eTag: "\"v\""])) {}
        let bytes = [UInt8](repeating: 7, count: 20_000)
        for part in 1...10 {
            _ = try bytes.withUnsafeBytes { try segment.write($0) }
            #expect(assembly.part.count == part * bytes.count)
        }
        try assembly.save()
        #expect(assembly.part.count == 200_000)
    }

    /// What lets an answer go on once grew with every piece, until letting go of it needed more than the thread's stack.
    @Test func answerInManyPiecesArrivesUnderARateLimit() async throws {
        let assembly = try await assembly()
        let limiter = RateLimiter(bytesPerSecond: 1 << 40)
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: limiter, mayRestart: true)
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

    /// What is noted as being there is not fetched again.
    @Test func whatCouldNotBeWrittenIsNotNotedAsBeingThere() async throws {
        let assembly = try await assembly()
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: nil, mayRestart: true)
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "1000000", .eTag: "\"v\""])) {}
        let bytes = [UInt8](repeating: 7, count: 300_000)
        _ = try bytes.withUnsafeBytes { try segment.write($0) }
        #expect(assembly.part.count == 300_000)
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(dup2(full, assembly.part.descriptor) >= 0)
        close(full)
        #expect(throws: TransportError.self) { try bytes.withUnsafeBytes { try segment.write($0) } }
        try segment.finish()
        #expect(assembly.presentBytes == 262_144)
    }
}
