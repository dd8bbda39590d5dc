import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite struct DownloadCompanionTests {
    /// Counts what it is told.
    private final class Counting: DownloadCompanion {
        let isQuick: Bool
        /// After how many notes it wants to write.
        let batch: Int
        private let state = Mutex((waiting: 0, notes: 0, writes: 0, finishes: 0))

        init(isQuick: Bool, batch: Int) { (self.isQuick, self.batch) = (isQuick, batch) }

        var isDue: Bool { state.withLock { $0.waiting >= batch } }
        var notes: Int { state.withLock { $0.notes } }
        var writes: Int { state.withLock { $0.writes } }
        var finishes: Int { state.withLock { $0.finishes } }

        func note(_ file: DownloadedFile) throws {
            state.withLock { ($0.waiting, $0.notes) = ($0.waiting + 1, $0.notes + 1) }
        }

        func write() throws { state.withLock { ($0.waiting, $0.writes) = (0, $0.writes + 1) } }

        func finish(isComplete: Bool) throws { state.withLock { $0.finishes += 1 } }
    }

    /// Downloads so many files one after another, whose ending is not the one that was planned.
    private func download(_ count: Int, telling companion: Counting) async throws {
        let server = try FileServer(ImageBytes.png())
        var run = DownloadRun()
        run.settings.jobs = .fixed(1)
        run.hasArchive = true
        run.companions = { _ in [companion] }
        let told = try await run((0..<count).map { "\(server.origin)/\($0).jpg" })
        #expect(told.summary.finished == count)
        #expect(companion.notes == count)
        #expect(companion.finishes == 1)
    }

    @Test(arguments: [true, false])
    func whatWaitsIsWrittenOnceAllIsPlanned(isQuick: Bool) async throws {
        let companion = Counting(isQuick: isQuick, batch: 100)
        try await download(20, telling: companion)
        #expect(companion.writes == 1)
    }

    @Test(arguments: [true, false])
    func whatWaitsIsWrittenWhenTheCompanionWantsIt(isQuick: Bool) async throws {
        let companion = Counting(isQuick: isQuick, batch: 5)
        try await download(20, telling: companion)
        #expect((4...6).contains(companion.writes))
    }
}
