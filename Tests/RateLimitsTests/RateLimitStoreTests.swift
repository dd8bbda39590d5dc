import Foundation
import HTTPTransport
import HTTPTypes
import LocalDatabase
import ProviderModel
import TestSupport
import Testing

@testable import RateLimits

@Suite struct RateLimitStoreTests {
    private let folder = TemporaryFolder()
    private let clock = WallClock()
    private let warnings = RecordedTexts()
    private let key = BucketKey(.of())

    private var path: String { folder.path + "/limits.sqlite" }

    private func store(path: String? = nil, busyTimeout: Duration = .seconds(20)) -> SQLiteRateLimitStore {
        SQLiteRateLimitStore(
            path: path ?? self.path,
            busyTimeout: busyTimeout,
            now: { [clock] in clock.now },
            warning: { [warnings] in warnings.add($0) }
        )
    }

    /// Whatever happens to the file, a window is the one that was stored, or counted anew.
    @Test(arguments: [false, true])
    func damagedFileGivesNoWrongWindow(wasKilled: Bool) async throws {
        let buckets = (0..<12).map { BucketKey(text: "provider\($0) https://server.example") }
        var windows: [SlidingWindow] = []
        do {
            let store = store()
            for (number, bucket) in buckets.enumerated() {
                for _ in 0...number { _ = await store.reserve(in: bucket, under: .of("20/60s")) }
                windows.append(await store.update(bucket) { window, _ in window })
            }
            store.close()
        }
        let files = try wasKilled ? filesOfAKilledTransaction() : DatabaseFiles(path)
        #expect(files.endings == (wasKilled ? ["", "-journal"] : [""]))
        var generator = SeededGenerator(seed: 3)
        for round in 0..<Damage.rounds {
            try files.write(damagedBy: &generator)
            let warnings = RecordedTexts()
            let store = SQLiteRateLimitStore(path: path, now: { [clock] in clock.now }, warning: { warnings.add($0) })
            for (bucket, wanted) in zip(buckets, windows) {
                let found = await store.update(bucket) { window, _ in window }
                let isFresh = found.slots == SlidingWindow(startingAt: clock.now).slots
                try #require(found == wanted || isFresh && !warnings.all.isEmpty, "round \(round): \(found)")
            }
            #expect(warnings.all.count <= 1, "round \(round): \(warnings.all)")
            store.close()
        }
    }

    /// Pages are overwritten, and what they were before is in the journal.
    private func filesOfAKilledTransaction() throws -> DatabaseFiles {
        let database = try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema, journal: .rollback)
        struct Stop: Error {}
        var files: DatabaseFiles?
        do {
            try database.write { database in
                try database.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1")
                try database.execute(
                    sql:
                        "UPDATE bucket SET refusals = 9, checksum = row_checksum(key, seen, last_id, closed_until, 9, quotas, slots, expires)"
                )
                try database.execute(
                    sql:
                        "INSERT INTO bucket SELECT key || hex(randomblob(9)), 1, 1, 1, 1, '', zeroblob(9000), 9, 9 FROM bucket"
                )
                files = DatabaseFiles(path)
                throw Stop()
            }
        } catch is Stop {}
        return try #require(files)
    }

    @Test(arguments: [("Retry-After", "30", 30), ("Server", "images", 2)])
    func answerThatAScriptCallsARefusalClosesTheBucket(header: String, value: String, pause: Int) async throws {
        let store = store()
        var request = TransportRequest.of()
        request.limits = Limits()
        var response = TransportResponse(status: 200, url: request.url, headers: [HTTPField.Name(header)!: value])
        response.origin = .cache(age: 1, isStale: false)
        await store.noteRefusal(of: request, answeredBy: response)
        #expect(await store.reserve(in: key, under: .of()).wait <= .zero, "a stored answer says nothing")
        response.origin = .network
        await store.noteRefusal(of: request, answeredBy: response)
        #expect(await store.reserve(in: key, under: .of()).wait == .seconds(pause))
    }

    @Test func requestWithoutARateIsWrittenDownOnlyWhereSomethingHoldsOthersBack() async throws {
        let store = store()
        let slots = {
            let database = try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema)
            return try database.read { try SQLiteRateLimitStore.window(of: key, in: $0)?.slots.count ?? 0 }
        }
        let id = try #require(await store.reserve(in: key, under: .of()).id)
        #expect(try slots() == 0)
        let quota = ServerQuota(remaining: 2, reset: clock.now + .seconds(60))
        await store.apply(RateLimitFeedback(quotas: [quota]), to: key, after: id, under: [])
        for _ in 0..<2 { #expect(await store.reserve(in: key, under: .of()).wait == .zero) }
        #expect(try slots() == 2)
        #expect(await store.reserve(in: key, under: .of()).wait == .seconds(60))
    }

    /// Every command opens the file, and few do more than look: what lies beside it would be read and made anew each time.
    @Test func nothingLiesBesideTheFile() async throws {
        // The last process to close it would clean up; most commands end without closing it.
        let stores = [store(), store()]
        for store in stores { _ = await store.reserve(in: key, under: .of("1000/60s")) }
        #expect(FolderListing.names(in: folder.path) == ["limits.sqlite", "limits.sqlite.lock"])
    }

    @Test func bucketWithoutARateIsLookedAtOnceInAWhile() async throws {
        let (store, other) = (store(), store())
        #expect(await store.reserve(in: key, under: .of()).wait <= .zero)
        #expect(await other.reserve(in: key, under: .of()).wait <= .zero)
        let feedback = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30))
        await other.apply(feedback, to: key, after: ReservationID(number: 1), under: [])
        #expect(await other.reserve(in: key, under: .of()).wait == .seconds(30), "who heard it knows")
        #expect(await store.reserve(in: key, under: .of()).wait <= .zero)
        clock.now = clock.now + SQLiteRateLimitStore.copyLifetime
        #expect(await store.reserve(in: key, under: .of()).wait > .seconds(29), "another looks again")
    }

    @Test func clockThatWasSetBackMakesNoBucketFreeForLong() async throws {
        let store = store()
        _ = await store.reserve(in: key, under: .of())
        clock.now = clock.now + .seconds(-3_600)
        let other = self.store()
        await other.apply(
            RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30)), to: key, after: ReservationID(number: 1),
            under: [])
        #expect(await store.reserve(in: key, under: .of()).wait == .seconds(30))
    }

    /// What comes while the file is busy is done together, each as if it came alone.
    @Test func requestsThatComeAtOnceGetASlotEach() async throws {
        let store = store()
        let rules = SlotRules.of("5/1s")
        let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<20 {
                group.addTask { [key] in
                    await store.reserve(in: key, under: rules).wait
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(Set(waits).count == 4)
        #expect(waits.filter { $0 <= .zero }.count == 5)
        #expect(warnings.all.isEmpty)
    }

    @Test(arguments: 0..<4)
    func tenStoresOnOneFileStayWithinTheRateTogether(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let stores = (0..<10).map { _ in store() }
        let rules = SlotRules.of("5/1s", "30/10s")
        var sent: [Timestamp] = []
        var waiting: [(store: Int, id: ReservationID, until: Timestamp)] = []
        for _ in 0..<150 {
            clock.now = clock.now + .milliseconds(Int64.random(in: 0...500, using: &generator))
            for index in waiting.indices.reversed() where waiting[index].until <= clock.now {
                let waiter = waiting.remove(at: index)
                let claimed = await stores[waiter.store].claim(waiter.id, in: key, under: rules)
                if claimed.wait <= .zero {
                    sent.append(clock.now)
                } else {
                    waiting.append((waiter.store, claimed.id!, claimed.next.time))
                }
            }
            let number = Int.random(in: 0..<10, using: &generator)
            let reservation = await stores[number].reserve(in: key, under: rules)
            let id = try #require(reservation.id)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: await stores[number].release(id, in: key)
            case 1:
                let feedback = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(1))
                await stores[number].apply(feedback, to: key, after: id, under: rules.rates)
            case _ where reservation.wait <= .zero: sent.append(clock.now)
            default: waiting.append((number, id, reservation.next.time))
            }
        }
        #expect(mostWithin(.seconds(1), of: sent) <= 5)
        #expect(mostWithin(.seconds(10), of: sent) <= 30)
        #expect(sent.count > 60)
        #expect(warnings.all.isEmpty)
    }

    /// The database stores what the rules make of a window, and nothing else.
    @Test(arguments: 0..<10)
    func databaseAndMemoryAgree(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (database, memory) = (store(), MemoryRateLimitStore(now: { [clock] in clock.now }))
        var ids: [ReservationID] = []
        let rules = SlotRules.of("3/2s", "40/60s")
        // Reservations are counted from the time of the first, which is when a database begins to store a bucket.
        ids = [await memory.reserve(in: key, under: rules).id].compactMap(\.self)
        #expect(await database.reserve(in: key, under: rules).id == ids.first)
        for _ in 0..<150 {
            clock.now = clock.now + .milliseconds(Int64.random(in: -50...900, using: &generator))
            let action = Int.random(in: 0..<8, using: &generator)
            let id = ids.randomElement(using: &generator) ?? ReservationID(number: 0)
            let scope = ["", "day"].randomElement(using: &generator)!
            let remaining = Int.random(in: 0..<6, using: &generator)
            let reset = clock.now + .milliseconds(Int64.random(in: -500...9_000, using: &generator))
            func step(_ store: some RateLimitStore) async -> Reservation? {
                switch action {
                case 0: await store.release(id, in: key)
                case 1, 2: return await store.claim(id, in: key, under: rules)
                case 3:
                    let quotas = [ServerQuota(scope: scope, remaining: remaining, reset: reset)]
                    let feedback = RateLimitFeedback(isRefusal: remaining == 5, quotas: quotas)
                    await store.apply(feedback, to: key, after: id, under: rules.rates)
                default: return await store.reserve(in: key, under: rules)
                }
                return nil
            }
            let expected = await step(memory)
            #expect(await step(database) == expected)
            if let id = expected?.id { ids.append(id) }
        }
        let file = try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema)
        let stored = try file.read { try SQLiteRateLimitStore.window(of: key, in: $0) }
        let kept = await memory.update(key) { window, _ in window }
        #expect(stored?.slots == kept.slots)
        #expect(stored?.quotas == kept.quotas)
        #expect(stored?.closedUntil == kept.closedUntil)
        #expect(warnings.all.isEmpty)
    }

    @Test func nextProcessGoesOnWhereTheLastEnded() async throws {
        #expect(await store().reserve(in: key, under: .of("1/60s")).wait == .zero)
        clock.now = clock.now + .seconds(20)
        #expect(await store().reserve(in: key, under: .of("1/60s")).wait == .seconds(41))
    }

    @Test func refusalHoldsForEveryProcess() async throws {
        let first = store()
        let id = try #require(await first.reserve(in: key, under: .of()).id)
        await first.apply(RateLimitFeedback(isRefusal: true, retryAfter: .seconds(90)), to: key, after: id, under: [])
        #expect(await store().reserve(in: key, under: .of()).wait == .seconds(90))
    }

    @Test func bucketsDoNotKnowOneAnother() async throws {
        let store = store()
        for provider in ["one", "two", "three"] {
            let key = BucketKey(.of(provider))
            #expect(await store.reserve(in: key, under: .of("1/60s")).wait == .zero)
        }
        let one = BucketKey(.of("one"))
        #expect(await store.reserve(in: one, under: .of("1/60s")).wait > .zero)
    }

    @Test func fileDoesNotGrowWithTime() async throws {
        let store = store()
        for hour in 0..<50 {
            clock.now = Timestamp.start + .seconds(hour * 7_300)
            _ = await store.reserve(in: BucketKey(.of("p\(hour)")), under: .of("9/60s"))
            for _ in 0..<5 { _ = await store.reserve(in: key, under: .of("9/60s")) }
        }
        let (buckets, slots) = try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema).read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM bucket"),
                try SQLiteRateLimitStore.window(of: key, in: database)?.slots.count
            )
        }
        #expect(buckets == 2)
        #expect(slots == 5)
    }

    @Test func lockedFileLeavesTheLimitsToThisProcessWithOneWarning() async throws {
        _ = await store().reserve(in: key, under: .of())
        let other = try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema)
        let store = store(busyTimeout: .milliseconds(20))
        let (locked, ended) = (Gate(), Gate())
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            // A failure here shows: then the store below is not locked out.
            try? other.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN IMMEDIATE")
                locked.open()
                done.wait()
                try database.execute(sql: "ROLLBACK")
            }
            ended.open()
        }
        await locked.opened()
        var waits: [Duration] = []
        for _ in 0..<3 { waits.append(await store.reserve(in: key, under: .of("2/60s")).wait) }
        done.signal()
        await ended.opened()
        #expect(waits == [.zero, .zero, .seconds(61)])
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("rate limits hold for this process only: the database") ?? false)
    }

    @Test func whatThisProcessSentBeforeTheFileFailedStillCounts() async throws {
        let store = store()
        for _ in 0..<2 { _ = await store.reserve(in: key, under: .of("2/60s")) }
        // A program that knows nothing of the rules.
        try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema).write {
            try $0.execute(sql: "DROP TABLE bucket")
        }
        #expect(await store.reserve(in: key, under: .of("2/60s")).wait == .seconds(61))
        #expect(warnings.all.count == 1)
    }

    @Test(arguments: ["not a database at all, and long enough to be taken for one".utf8.map(\.self), [0, 0, 0]])
    func damagedFileIsBegunAnew(content: [UInt8]) async throws {
        let noise = [UInt8](repeating: 0x5a, count: 5_000)
        try Data(content + noise).write(to: URL(fileURLWithPath: path))
        #expect(await store().reserve(in: key, under: .of("1/60s")).wait == .zero)
        #expect(await store().reserve(in: key, under: .of("1/60s")).wait == .seconds(61))
        #expect(warnings.all.count == 1)
    }

    @Test func valuesOfTheWrongKindDoNotTrap() async throws {
        _ = await store().reserve(in: key, under: .of("1/60s"))
        try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema).write { database in
            try database.execute(sql: "UPDATE bucket SET seen = 'soon', last_id = x'00', refusals = 1.5")
        }
        #expect(await store().reserve(in: key, under: .of("1/60s")).wait == .zero)
        #expect(warnings.all.count == 1)
    }

    @Test(arguments: [Int64.max, .min])
    func timesAtTheEndOfTimeDoNotTrap(value: Int64) async throws {
        _ = await store().reserve(in: key, under: .of("1/60s"))
        try LocalDatabase(path: path, schema: SQLiteRateLimitStore.schema).write { database in
            let values: StatementArguments = [value, value, value, value]
            try database.execute(
                sql: "UPDATE bucket SET seen = ?, last_id = ?, closed_until = ?, refusals = ?", arguments: values)
        }
        let store = store()
        let reservation = await store.reserve(in: key, under: .of("1/60s"))
        #expect(reservation.wait <= .seconds(86_400))
        if let id = reservation.id {
            await store.apply(
                RateLimitFeedback(isRefusal: true), to: key, after: id, under: SlotRules.of("1/60s").rates)
        }
    }

    @Test func folderThatCannotBeMadeLeavesTheLimitsToThisProcess() async throws {
        let store = store(path: "/dev/null/limits.sqlite")
        var waits: [Duration] = []
        for _ in 0..<2 { waits.append(await store.reserve(in: key, under: .of("1/60s")).wait) }
        #expect(waits == [.zero, .seconds(61)])
        #expect(warnings.all.count == 1)
    }

    @Test func fullDiskLeavesTheLimitsToThisProcess() async throws {
        // Every write to this device fails as on a full disk.
        try #require(symlink("/dev/full", path) == 0)
        let store = store()
        var waits: [Duration] = []
        for _ in 0..<2 { waits.append(await store.reserve(in: key, under: .of("1/60s")).wait) }
        #expect(waits == [.zero, .seconds(61)])
        #expect(warnings.all.count == 1)
    }

    @Test func storeWithoutAFileIsForThisProcessAlone() async throws {
        let store = MemoryRateLimitStore(now: { [clock] in clock.now })
        #expect(await store.reserve(in: key, under: .of("1/60s")).wait == .zero)
        #expect(await store.reserve(in: key, under: .of("1/60s")).wait == .seconds(61))
        #expect(warnings.all.isEmpty)
    }
}
