import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite struct DownloadCompanionTests {
    /// Counts what it is told.
    private final class Counting: DownloadPostprocessor {
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

    /// A run over files that are there, which a companion notes; none has to be fetched.
    private func runOverPresent(_ count: Int, _ companion: some DownloadPostprocessor) async throws -> Told {
        var run = DownloadRun()
        run.hasArchive = true
        run.companions = { _ in [companion] }
        let urls = (0..<count).map { "https://a.example/\($0).jpg" }
        let archive = try DownloadArchive(path: run.folder.path + "/.archive/a.sqlite")
        for url in urls {
            let hash = ContentHash(kept: [UInt8](repeating: 1, count: 16))
            try archive.add(
                ArchiveRecord(
                    key: MediaKey(try WebURL(url)), url: url, hash: hash, bytes: 1, time: 1, path: "1.jpg"))
        }
        try archive.flush()
        return try await run(urls)
    }

    @Test func whatIsNotedOfFilesThatAreThereIsWrittenWhileTheyArePlanned() async throws {
        let notes = PresentNotes()
        let told = try await runOverPresent(5_000, notes)
        #expect(told.summary.skipped == 5_000)
        #expect(notes.written == 5_000)
        #expect(notes.mostWaiting < 1_500)
    }

    @Test func whatCannotBeWrittenWhileFilesArePlannedEndsTheRun() async throws {
        let notes = PresentNotes(failure: DownloadError(.archive, "no"))
        let error = await #expect(throws: DownloadError.self) { _ = try await runOverPresent(5_000, notes) }
        #expect(error?.message == "no")
        #expect(notes.noted < 5_000)
    }
}

/// Counts what it is told of files that are there.
private final class PresentNotes: DownloadPostprocessor {
    private let state = Mutex((noted: 0, waiting: 0, mostWaiting: 0))
    private let failure: DownloadError?

    init(failure: DownloadError? = nil) { self.failure = failure }

    var noted: Int { state.withLock { $0.noted } }
    var written: Int { state.withLock { $0.noted - $0.waiting } }
    var mostWaiting: Int { state.withLock { $0.mostWaiting } }

    var isDue: Bool { state.withLock { $0.waiting >= 500 } }

    func note(_ wanted: WantedFile, presentAt path: String, _ record: () throws -> ArchiveRecord?) throws {
        state.withLock { $0 = ($0.noted + 1, $0.waiting + 1, max($0.mostWaiting, $0.waiting + 1)) }
    }

    func write() throws {
        if let failure { throw failure }
        state.withLock { $0.waiting = 0 }
    }

    func finish(isComplete: Bool) throws { if failure == nil { try write() } }
}
