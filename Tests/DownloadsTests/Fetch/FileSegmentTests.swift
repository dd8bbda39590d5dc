import Glibc
import HTTPTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite struct FileSegmentTests {
    private let folder = TemporaryFolder()

    private func assembly(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) throws -> FileAssembly {
        let part = try PartFile("a.part", in: try DownloadFolder(path: folder.path).folder([]))
        return try FileAssembly(
            part, url: "https://a.example/a", meter: DownloadMeter(), computesSHA256: true, now: now)
    }

    /// A program that is killed loses what came since the last save: a second of it, and the block that has not come whole.
    @Test(arguments: [20_000, 60_000, 1_000_000])
    func noMoreThanASecondOfASlowFileIsUnsaved(bytesPerTenth: Int) throws {
        let clock = Mutex(ContinuousClock.now)
        let assembly = try assembly { clock.withLock { $0 } }
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: nil, mayRestart: true)
        let total = 8_000_000
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "\(total)", .eTag: "\"v\""])) {}
        let bytes = [UInt8](repeating: 7, count: bytesPerTenth)
        var written = 0
        while written + bytes.count < total {
            clock.withLock { $0 += .milliseconds(100) }
            _ = try bytes.withUnsafeBytes { try segment.write($0) }
            written += bytes.count
            let saved = try PartState(atEndOf: assembly.part, length: assembly.part.count)?.blocks.presentBytes ?? 0
            // A save is at most 256 KiB late: so many bytes are added at once.
            let unsaved = min(10 * bytes.count, 1 << 20 + 256 << 10) + bytes.count + 64 << 10
            try #require(written - saved <= unsaved, "\(saved) of \(written) bytes are saved")
        }
    }

    /// Small files, and those that come within a second, are left alone until they are whole.
    @Test(arguments: [200_000, 1_000_000])
    func fastFileIsNotSavedOnItsWay(total: Int) throws {
        let start = ContinuousClock.now
        let assembly = try assembly { start }
        let segment = FileSegment(nil, of: assembly, DownloadMeter(), limiter: nil, mayRestart: true)
        try segment.begin(ResponseHead(status: 200, headers: [.contentLength: "\(total)", .eTag: "\"v\""])) {}
        let bytes = [UInt8](repeating: 7, count: total / 10)
        for part in 1...10 {
            _ = try bytes.withUnsafeBytes { try segment.write($0) }
            #expect(assembly.part.count == part * bytes.count)
        }
    }

    /// What lets an answer go on once grew with every piece, until letting go of it needed more than the thread's stack.
    @Test func answerInManyPiecesArrivesUnderARateLimit() throws {
        let assembly = try assembly()
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
    @Test func whatCouldNotBeWrittenIsNotNotedAsBeingThere() throws {
        let assembly = try assembly()
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
