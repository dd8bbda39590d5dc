import Dispatch
import Foundation
import Glibc
import HTTPTransport
import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct LargeBodyTests {
    private let large = String(repeating: "0123456789abcdef", count: 20_000)
    private let headers = [("Cache-Control", "max-age=900")]

    private func files(_ session: CacheSession) -> [String] {
        FolderListing.names(in: session.store.folder + "/bodies")
    }

    @Test func largeBodyLiesInAFile() async throws {
        let session = CacheSession([.init(headers: headers, body: large)])
        try await session.send()
        #expect(files(session).count == 1)
        #expect(try await session.send().text == large)
        #expect(try await session.send(.get, "/", [("Range", "bytes=16-17")]).text == "01")
        #expect(session.origin.requests.count == 1)
    }

    @Test(arguments: [0, 3])
    func bodyFlowsThroughASinkBothWays(refusals: Int) async throws {
        let session = CacheSession([.init(headers: headers, body: large)])
        let first = CollectedBody()
        let answer = try await session.send { $0.sink = first }
        #expect(answer.body.isEmpty && first.bytes == Array(large.utf8))
        let second = CollectedBody(refusing: refusals)
        let cached = try await session.send { $0.sink = second }
        #expect(cached.isCached && cached.body.isEmpty && second.bytes == Array(large.utf8))
        #expect(second.head?.status == 200 && second.head?.headers[.cacheControl] == "max-age=900")
        #expect(try await session.send().text == large)
    }

    @Test func smallBodyFlowsThroughASinkToo() async throws {
        let session = CacheSession([.init(headers: headers, body: "small")])
        try await session.send { $0.sink = CollectedBody() }
        #expect(files(session).isEmpty)
        let sink = CollectedBody()
        try await session.send { $0.sink = sink }
        #expect(sink.bytes == Array("small".utf8))
    }

    @Test func bodyThatWasCutOffIsNotStored() async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: headers + [("Content-Length", "9")], body: "half"), .init(headers: headers))
        try await session.send()
        #expect(try await session.send().isCached == false)
    }

    enum Damage: Sendable, CaseIterable {
        case truncated, overwritten, removed, longer
    }

    @Test(arguments: Damage.allCases)
    func damagedFileIsFetchedAnew(damage: Damage) async throws {
        let session = CacheSession([.init(headers: headers, body: large)])
        try await session.send()
        let path = session.store.folder + "/bodies/" + files(session)[0]
        switch damage {
        case .truncated: #expect(truncate(path, 1_000) == 0)
        case .overwritten: FolderListing.write(large.replacing("5", with: "6"), to: path)
        case .removed: #expect(unlink(path) == 0)
        case .longer: FolderListing.write(large + "x", to: path)
        }
        let second = try await session.send()
        #expect(!second.isCached && second.text == large)
        #expect(session.warnings.texts.count == 1)
        #expect(try await session.send().isCached)
    }

    @Test func limitOfTheRequestHoldsForStoredAnswers() async throws {
        let session = CacheSession([.init(headers: headers, body: "12345")])
        try await session.send()
        let error = await #expect(throws: TransportError.self) { try await session.send { $0.bodyLimit = 4 } }
        #expect(error?.code == .tooLarge)
    }

    @Test func bodyLargerThanTheCacheAllowsStillReachesTheCaller() async throws {
        let session = CacheSession([.init(headers: headers, body: large)], limit: 400_000)
        let sink = CollectedBody()
        try await session.send { $0.sink = sink }
        #expect(sink.bytes.count == large.utf8.count)
        #expect(try session.store.list().isEmpty && files(session).isEmpty)
        #expect(session.warnings.texts.count == 1)
    }
}

@Suite struct DamagedStoreTests {
    private let reply = Origin.Reply(headers: [("Cache-Control", "max-age=900")])

    @Test func databaseThatIsNoneIsMovedAside() async throws {
        let session = CacheSession([reply])
        try await session.send()
        session.store.close()
        FolderListing.write(String(repeating: "no database ", count: 1_000), to: session.store.folder + "/cache.sqlite")
        #expect(try await session.send().isCached == false)
        #expect(try await session.send().isCached)
        #expect(session.warnings.texts.count == 1)
        #expect(FolderListing.names(in: session.store.folder).contains("cache.sqlite.damaged-1"))
    }

    /// A caller that only needs a manifest looks for no answer.
    @Test func storeThatIsOfNoUseIsReportedWhenAnAnswerIsLookedFor() async throws {
        let clock = TestClock()
        let warnings = WarningLog()
        let store = SQLiteCacheStorage(folder: "/proc/self/nowhere/cache") { warnings.add($0) }
        let values = DerivedValues(in: store)
        #expect(values.value(for: [1], now: 1) == nil)
        #expect(!values.store([2], for: [1], derivedFrom: [], now: 1))
        #expect(warnings.texts == [])
        let cache = CachingTransport(over: Origin([reply], clock: clock), store: store) { clock.now }
        _ = try await cache.send(TransportRequest(url: try WebURL("http://origin.example/"), scope: .anywhere))
        #expect(warnings.texts.count == 1)
    }

    @Test func folderThatCannotBeMadeMeansNoCache() async throws {
        let clock = TestClock()
        let warnings = WarningLog()
        let store = SQLiteCacheStorage(folder: "/proc/self/nowhere/cache") { warnings.add($0) }
        let cache = CachingTransport(over: Origin([reply], clock: clock), store: store) { clock.now }
        for _ in 0..<3 {
            let request = TransportRequest(url: try WebURL("http://origin.example/"), scope: .anywhere)
            #expect(try await cache.send(request).text == "body")
        }
        #expect(warnings.texts.count == 1)
        #expect(throws: CacheError.self) { try store.summary() }
    }

    @Test func databaseLockedByAnotherProcessMeansNoCacheForNow() async throws {
        let folder = TemporaryFolder()
        let session = CacheSession([reply], in: folder)
        try await session.send()
        let impatient = SQLiteCacheStorage(folder: session.store.folder, busyTimeout: .milliseconds(10)) {
            [warnings = session.warnings] in
            warnings.add($0)
        }
        let other = CachingTransport(over: session.origin, store: impatient) { [clock = session.clock] in clock.now }
        let request = TransportRequest(url: try WebURL("http://origin.example/other"), scope: .anywhere)
        let database = try session.store.connection().database
        let begun = Gate()
        let done = DispatchSemaphore(value: 0)
        async let holding: Void = database.write { _ in
            begun.open()
            done.wait()
        }
        await begun.opened()
        #expect(try await other.send(request).text == "body")
        done.signal()
        try await holding
        #expect(session.warnings.texts.count == 1)
        #expect(try await other.send(request).isCached == false)
        #expect(try await other.send(request).isCached)
    }

    @Test func fullDiskMeansNothingMoreIsStored() async throws {
        let session = CacheSession([reply])
        try await session.send()
        let database = try session.store.connection().database
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        session.origin.reply(.init(headers: reply.headers, body: String(repeating: "x", count: 60_000)))
        #expect(try await session.send(.get, "/large").body.count == 60_000)
        #expect(try await session.send().isCached)
        #expect(session.warnings.texts.count == 1)
    }

    /// Who reads that there is no room has to be able to make some.
    @Test func fullDiskDoesNotKeepTheStoreFromBeingCleared() async throws {
        let session = CacheSession([reply])
        try await session.send()
        try session.store.connection().database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TABLE ballast (bytes BLOB);
                    CREATE TRIGGER filling BEFORE DELETE ON entry
                    BEGIN INSERT INTO ballast VALUES (zeroblob(1000000)); END;
                    PRAGMA max_page_count = 1;
                    """)
        }
        #expect(try session.store.clear() == 1)
        #expect(try session.store.summary().entries == 0)
        #expect(try await session.send().isCached == false)
        #expect(try await session.send().isCached)
        #expect(session.warnings.texts == [])
    }

    @Test func keyThatIsNoneIsMadeAnew() async throws {
        let session = CacheSession([reply])
        try await session.send()
        session.store.close()
        FolderListing.write("short", to: session.store.folder + "/cache.key")
        #expect(try await session.send().isCached == false)
        #expect(try await session.send().isCached)
        #expect(FolderListing.bytes(of: session.store.folder + "/cache.key").count == 16)
    }
}

@Suite struct CacheAdministrationTests {
    private let headers = [("Cache-Control", "max-age=900")]

    @Test func leastRecentlyUsedGoesFirst() async throws {
        let session = CacheSession([.init(headers: headers, body: String(repeating: "x", count: 1_000))], limit: 20_000)
        for number in 0..<8 {
            try await session.send(.get, "/\(number)")
            session.clock.advance(1)
        }
        // A use counts once it is an hour after the last.
        session.clock.advance(4_000)
        session.origin.reply(.init(headers: headers, body: String(repeating: "x", count: 1_000)))
        try await session.send(.get, "/0", [("Cache-Control", "max-stale")])
        for number in 8..<14 {
            try await session.send(.get, "/\(number)")
            session.clock.advance(1)
        }
        let urls = try session.store.list().map(\.url)
        #expect(urls.contains("http://origin.example/0") && !urls.contains("http://origin.example/1"))
        #expect(urls.contains("http://origin.example/13"))
        #expect(try session.store.summary().bytes <= 20_000)
    }

    /// A cancelled request may still be stored when the program ends.
    @Test func flushWaitsForAWriterThatNotesUses() async throws {
        let session = CacheSession([.init(headers: headers, body: "small")])
        try await session.send()
        let (flushing, isFlushed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let store = session.store
        TestThread {
            store.attempt { connection in
                try connection.database.write { database in
                    TestThread {
                        flushing.signal()
                        store.flush()
                        isFlushed.signal()
                    }.detach()
                    flushing.wait()
                    for _ in 0..<20_000 { try store.writeUses(database) }
                }
            }
        }.detach()
        let result = await Task.detached { isFlushed.wait(timeout: .now() + 20) }.value
        #expect(result == .success)
    }

    @Test func summaryAndListShowWhatIsStored() async throws {
        let session = CacheSession([.init(headers: headers)])
        try await session.send(.get, "/a")
        session.clock.advance(10)
        try await session.send(.get, "/b")
        let summary = try session.store.summary()
        #expect(summary.entries == 2 && summary.limit == SQLiteCacheStorage.defaultLimit && summary.bytes > 1_000)
        #expect(summary.hosts.map(\.name) == ["origin.example"] && summary.providers.map(\.name) == ["anyone"])
        #expect(summary.oldest == 1_800_000_000 && summary.newest == 1_800_000_010)
        let listed = try session.store.list(.url("http://origin.example/a"))
        #expect(listed.count == 1 && listed[0].bytes == 4 && listed[0].freshUntil == 1_800_000_900)
    }

    @Test(arguments: [
        (CacheFilter.all, 2), (.host("origin.example"), 2), (.host("other.example"), 0), (.provider("anyone"), 2),
        (.url("http://origin.example/a"), 1),
    ])
    func clearRemovesWhatIsMeant(filter: CacheFilter, count: Int) async throws {
        let session = CacheSession([.init(headers: headers, body: String(repeating: "x", count: 100_000))])
        try await session.send(.get, "/a")
        try await session.send(.get, "/b")
        #expect(try session.store.clear(filter) == count)
        #expect(try session.store.list().count == 2 - count)
        #expect(FolderListing.names(in: session.store.folder + "/bodies").count == 2 - count)
    }

    @Test func pruneRemovesWhatIsStaleAndWhatBelongsToNothing() async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: headers), .init(headers: [("Cache-Control", "max-age=9000")]))
        try await session.send(.get, "/a")
        try await session.send(.get, "/b")
        _ = mkdir(session.store.folder + "/bodies", 0o700)
        FolderListing.write("orphan", to: session.store.folder + "/bodies/00ff")
        FolderListing.write("abandoned", to: session.store.folder + "/bodies/00fe.part")
        session.clock.advance(1_000)
        let report = try session.store.prune(now: session.clock.now)
        #expect(report.expired == 1 && report.orphans == 2 && report.bytesFreed > 500)
        #expect(try session.store.list().map(\.url) == ["http://origin.example/b"])
        #expect(FolderListing.names(in: session.store.folder + "/bodies").isEmpty)
    }

    @Test func verifyFindsAndRepairs() async throws {
        let session = CacheSession()
        let large = String(repeating: "x", count: 100_000)
        session.origin.reply(.init(headers: headers), .init(headers: headers, body: large), .init(headers: headers))
        for path in ["/a", "/b", "/c"] { try await session.send(.get, path) }
        #expect(try session.store.verify() == VerificationReport(checked: 3))
        let file = FolderListing.names(in: session.store.folder + "/bodies")[0]
        FolderListing.write("y" + large.dropFirst(), to: session.store.folder + "/bodies/\(file)")
        let database = try session.store.connection().database
        try database.write { database in
            try database.execute(sql: "UPDATE body SET bytes = x'00' WHERE entry = (SELECT max(entry) FROM body)")
            try database.execute(sql: "UPDATE meta SET value = 5")
        }
        let report = try session.store.verify()
        #expect(report.checked == 3 && report.repairs.count == 3)
        #expect(try session.store.list().map(\.url) == ["http://origin.example/a"])
        #expect(try session.store.verify().isClean)
    }
}

@Suite struct DerivedValuesTests {
    private let headers = [("Cache-Control", "max-age=900"), ("ETag", "\"a\"")]
    private let key = Array("page".utf8)

    private func derived(_ session: CacheSession) async throws -> (DerivedValues, CacheReceipt) {
        let receipt = try #require(try await session.send().receipt)
        let values = DerivedValues(in: session.store)
        #expect(values.store([1, 2, 3], for: key, derivedFrom: [receipt], now: session.clock.now))
        return (values, receipt)
    }

    @Test func valueIsThereWhileItsAnswerIsFresh() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, _) = try await derived(session)
        #expect(values.value(for: key, now: session.clock.now) == [1, 2, 3])
        #expect(values.value(for: [9], now: session.clock.now) == nil)
        #expect(values.value(for: key, now: session.clock.now + 901) == nil)
    }

    @Test func damagedValueIsRemovedWithOneWarning() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, _) = try await derived(session)
        try session.store.connection().database.write { try $0.execute(sql: "UPDATE derived SET bytes = x'010204'") }
        for _ in 0..<2 { #expect(values.value(for: key, now: session.clock.now) == nil) }
        #expect(session.warnings.texts.count == 1)
        #expect(try session.store.verify().isClean)
    }

    @Test func valueOfAnotherKeyIsNotGiven() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, receipt) = try await derived(session)
        #expect(values.store([5], for: [9], derivedFrom: [receipt], now: session.clock.now))
        try session.store.connection().database.write {
            try $0.execute(
                sql: """
                    UPDATE OR REPLACE derived SET key = (SELECT key FROM derived WHERE bytes = x'05')
                    WHERE bytes <> x'05'
                    """)
        }
        #expect(values.value(for: [9], now: session.clock.now) == nil)
        #expect(session.warnings.texts.count == 1)
    }

    @Test func verifyFindsDamagedValues() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, _) = try await derived(session)
        try session.store.connection().database.write { try $0.execute(sql: "UPDATE derived SET bytes = x'010204'") }
        let report = try session.store.verify()
        #expect(report.checked == 1)
        #expect(report.repairs.count == 1)
        #expect(values.value(for: key, now: session.clock.now) == nil)
        #expect(session.warnings.texts.isEmpty)
    }

    @Test func valueOfAnAnswerThatIsNotFreshIsNotKept() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, receipt) = try await derived(session)
        #expect(!values.store([5], for: [9], derivedFrom: [receipt], now: session.clock.now + 901))
    }

    @Test func valueGoesWhenItsAnswerChanges() async throws {
        let session = CacheSession([.init(headers: headers, isConditional: true)])
        let (values, receipt) = try await derived(session)
        session.cache.mode = .refresh
        let renewed = try #require(try await session.send().receipt)
        #expect(values.value(for: key, now: session.clock.now) == nil)
        #expect(!values.store([4], for: key, derivedFrom: [receipt], now: session.clock.now))
        #expect(values.store([4], for: key, derivedFrom: [renewed], now: session.clock.now))
    }

    @Test func valueGoesWithItsAnswer() async throws {
        let session = CacheSession([.init(headers: headers)])
        let (values, _) = try await derived(session)
        try await session.send(.delete)
        #expect(values.value(for: key, now: session.clock.now) == nil)
        #expect(try session.store.summary().derivedValues == 0)
    }

    @Test func valueWithoutAnswersStays() async throws {
        let session = CacheSession()
        let values = DerivedValues(in: session.store)
        #expect(values.store([7], for: key, derivedFrom: [], now: session.clock.now))
        #expect(values.store([8], for: key, derivedFrom: [], now: session.clock.now))
        #expect(values.value(for: key, now: 1e12) == [8])
        #expect(try session.store.verify().isClean)
    }

    @Test func oldestOfSeveralAnswersDecides() async throws {
        let session = CacheSession()
        session.origin.reply(.init(headers: headers), .init(headers: [("Cache-Control", "max-age=10")]))
        let receipts = [try await session.send(.get, "/1").receipt, try await session.send(.get, "/2").receipt]
        let values = DerivedValues(in: session.store)
        values.store([1], for: key, derivedFrom: receipts.compactMap(\.self), now: session.clock.now)
        #expect(values.value(for: key, now: session.clock.now + 9) == [1])
        #expect(values.value(for: key, now: session.clock.now + 11) == nil)
    }

    @Test func keyItselfIsNotInTheStore() async throws {
        let session = CacheSession()
        let values = DerivedValues(in: session.store)
        let secret = Array("made of a s3cret".utf8)
        values.store([1], for: secret, derivedFrom: [], now: session.clock.now)
        #expect(values.value(for: secret, now: session.clock.now) == [1])
        session.store.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: session.store.folder) {
            let content = try Data(contentsOf: URL(filePath: "\(session.store.folder)/\(name)"))
            #expect(content.range(of: Data("s3cret".utf8)) == nil)
        }
    }
}

@Suite struct HashTests {
    @Test func hashDependsOnTheKeyAndOnEveryByte() throws {
        let key = (0..<16).map { UInt8($0) }
        let hash = try #require(KeyedHash(key: key))
        let other = try #require(KeyedHash(key: key.reversed()))
        #expect(hash.hash([1, 2]) == KeyedHash(key: key)?.hash([1, 2]))
        #expect(hash.hash([1, 2]).count == 16)
        #expect(hash.hash([1, 2]) != hash.hash([1, 3]))
        #expect(hash.hash([1, 2]) != other.hash([1, 2]))
        #expect(KeyedHash(key: [1]) == nil)
    }
}
