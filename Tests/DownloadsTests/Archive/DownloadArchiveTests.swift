import LocalDatabase
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct DownloadArchiveTests {
    private func record(_ number: Int, content: UInt8 = 1) -> ArchiveRecord {
        ArchiveRecord(
            key: MediaKey(stored: "example:\(number):original"), url: "https://a.example/\(number)",
            sha256: [UInt8](repeating: content, count: 32), bytes: number, time: 5,
            path: "\(number).jpg")
    }

    @Test func recordsAreFoundBeforeAndAfterTheyAreWritten() throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        archive.add(record(1))
        #expect(try archive.record(of: record(1).key) == record(1))
        try archive.flush()
        #expect(try archive.record(of: record(1).key) == record(1))
        #expect(try DownloadArchive(path: folder.path + "/a.sqlite").record(of: record(1).key) == record(1))
        #expect(try archive.record(of: record(2).key) == nil)
    }

    @Test func fullDiskEndsTheRunAlsoWhereTheDatabaseFindsIt() throws {
        let folder = TemporaryFolder()
        let database = try DownloadArchive.open(folder.path + "/a.sqlite")
        // What SQLite says when a file cannot grow.
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let archive = DownloadArchive(database)
        for number in 1...500 { archive.add(record(number)) }
        let error = #expect(throws: DownloadError.self) { try archive.flush() }
        #expect(error?.code == .diskFull)
        let credits = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json], in: database)
        let other = #expect(throws: DownloadError.self) {
            try credits.store(
                try (1...500).map { number in
                    let url = try WebURL("https://a.example/\(number).jpg")
                    let request = DownloadRequest(url, index: number)
                    return (request.key, "\(number).jpg", Credit(request, from: request.media))
                })
        }
        #expect(other?.code == .diskFull)
    }

    @Test func recordsThatCouldNotBeWrittenWait() throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        let schema = LocalDatabaseSchema(steps: [""])
        let other = try LocalDatabase(path: folder.path + "/a.sqlite", schema: schema)
        archive.add(record(1))
        try other.write { try $0.execute(sql: "ALTER TABLE media RENAME TO away") }
        #expect(throws: DownloadError.self) { try archive.flush() }
        archive.add(record(2))
        try other.write { try $0.execute(sql: "ALTER TABLE away RENAME TO media") }
        #expect(try archive.paths(of: [record(1).key, record(2).key]) == ["1.jpg", "2.jpg"])
        try archive.flush()
        let fresh = try DownloadArchive(path: folder.path + "/a.sqlite")
        #expect(try fresh.paths(of: [record(1).key, record(2).key]) == ["1.jpg", "2.jpg"])
    }

    @Test func whatIsKnownOfAnItemIsFoundByItsName() throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        let items = try ["1", "2", "1:7"].map { Item(provider: try #require(ProviderID("example")), id: $0) }
        var wish = record(1)
        wish.key = MediaKey(stored: "example:1:?original")
        for record in [record(1), record(11), wish] { archive.add(record) }
        for _ in 0..<2 {
            #expect(try archive.records(ofItems: [items[0]]) == [record(1).key: record(1), wish.key: wish])
            #expect(try archive.records(ofItems: items).count == 2)
            #expect(try archive.records(ofItems: [items[1], items[2]]).isEmpty)
            try archive.flush()
        }
    }

    /// Alone, one record waits for others or for half a second to pass.
    @Test(.timeLimit(.minutes(1))) func recordsAreWrittenWhileTheLastFilesStillCome() async throws {
        let isNoted = Gate()
        let server = try FileServer([]) { request, _ in
            let answer = LoopbackReply.answer(body: Array(request.path.utf8))
            return request.path == "/last.jpg" ? LoopbackReply([.wait(isNoted)] + answer.steps) : answer
        }
        var run = QueueRun()
        run.hasArchive = true
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        let first = DownloadRequest(try WebURL(server.origin + "/first.jpg"), index: 1)
        let last = DownloadRequest(try WebURL(server.origin + "/last.jpg"), index: 2)
        async let summary = queue.run { add in
            _ = try await add([first])
            while outcome.finished.isEmpty, !Task.isCancelled { await Task.yield() }
            _ = try await add([last])
        }
        while outcome.finished.isEmpty, !Task.isCancelled { await Task.yield() }
        // Another process, which sees only what is written.
        let other = try DownloadArchive(path: run.folder.path + "/.archive/a.sqlite")
        let key = try #require(outcome.finished.first).key
        while try other.record(of: key) == nil, !Task.isCancelled { await Task.yield() }
        #expect(outcome.finished.count == 1)
        isNoted.open()
        #expect(try await summary.finished == 2)
    }

    @Test(arguments: [1, 15, 16, 64, 65, 200]) func manyAreFoundAsOneIs(count: Int) throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        for number in 0..<count where number % 3 != 1 { archive.add(record(number)) }
        try archive.flush()
        let paths = (0..<count).map { $0 % 3 == 1 ? nil : "\($0).jpg" }
        #expect(try archive.paths(of: (0..<count).map { record($0).key }) == paths)
        // Some are written, and others wait.
        archive.add(record(1))
        #expect(try archive.paths(of: [record(0).key, record(1).key, record(0).key]) == ["0.jpg", "1.jpg", "0.jpg"])
    }

    @Test(arguments: [false, true]) func contentIsFoundWhoseverItIs(isWritten: Bool) throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        archive.add(record(1, content: 9))
        if isWritten { try archive.flush() }
        let (same, other) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 8, count: 32))
        #expect(try archive.records(withContent: same, bytes: 1).map(\.key) == [record(1).key])
        #expect(try archive.records(withContent: other, bytes: 1).isEmpty)
    }

    @Test(arguments: [false, true]) func fileThatWasNotHashedIsFoundByItsLength(isWritten: Bool) throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        var unhashed = record(1)
        (unhashed.sha256, unhashed.content) = (nil, nil)
        archive.add(unhashed)
        if isWritten { try archive.flush() }
        let content = [UInt8](repeating: 9, count: 32)
        #expect(try archive.records(withContent: content, bytes: 1) == [unhashed])
        #expect(try archive.records(withContent: content, bytes: 2).isEmpty)
        #expect(try archive.record(of: unhashed.key) == unhashed)
    }

    @Test func lookUpsInHundredThousandTakeSeconds() throws {
        let folder = TemporaryFolder()
        let archive = try DownloadArchive(path: folder.path + "/a.sqlite")
        for number in 0..<100_000 { archive.add(record(number)) }
        try archive.flush()
        let start = ProcessorTime.used
        let found = try stride(from: 0, to: 100_000, by: 10).count { number in
            try archive.record(of: MediaKey(stored: "example:\(number):original")) != nil
        }
        #expect(found == 10_000)
        #expect(ProcessorTime.used - start < .seconds(20))
    }
}
