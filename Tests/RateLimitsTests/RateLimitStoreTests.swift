import Foundation
import HTTPTransport
import HTTPTypes
import LocalDatabase
import ProviderModel
import TestSupport
import Testing

@testable import RateLimits

@Suite struct LimitStoreTests {
    private let folder = TemporaryFolder()
    private let clock = WallClock()
    private let warnings = ToldTexts()
    private let key = BucketKey(.of())
    private let forever = Timestamp(milliseconds: .max)

    private var path: String { folder.path + "/limits.sqlite" }

    private func store(path: String? = nil, lockPatience: Duration = .seconds(20)) -> LimitStore {
        LimitStore(
            path: path ?? self.path,
            lockPatience: lockPatience,
            now: { [clock] in clock.now },
            warning: { [warnings] in warnings.add($0) }
        )
    }

    private func rates(_ texts: String...) -> [Limits.Rate] { texts.map { Limits.Rate($0)! } }

    @Test(arguments: [("Retry-After", "30", 30), ("Server", "images", 2)])
    func answerThatAScriptCallsARefusalClosesTheBucket(header: String, value: String, pause: Int) async throws {
        let store = store()
        var request = TransportRequest.of()
        request.limits = Limits()
        var response = TransportResponse(status: 200, url: request.url, headers: [HTTPField.Name(header)!: value])
        response.origin = .cache(age: 1, isStale: false)
        try await store.noteRefusal(of: request, answeredBy: response)
        #expect(try await store.reserve(key, rates: [], until: forever).wait <= .zero, "a stored answer says nothing")
        response.origin = .network
        try await store.noteRefusal(of: request, answeredBy: response)
        #expect(try await store.reserve(key, rates: [], until: forever).wait == .seconds(pause))
    }

    @Test func warmingUpLeavesNothingBehind() async throws {
        let store = store()
        store.warmUp()
        _ = try await store.reserve(key, rates: rates("9/60s"), until: forever)
        let database = try LocalDatabase(path: path, schema: LimitDatabase.schema)
        #expect(try database.read { try String.fetchAll($0, sql: "SELECT key FROM bucket") } == [key.text])
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM slot") } == 1)
    }

    @Test func requestWithoutARateIsWrittenDownOnlyWhereSomethingHoldsOthersBack() async throws {
        let store = store()
        let slots = { [path] in
            try LocalDatabase(path: path, schema: LimitDatabase.schema).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM slot")
            }
        }
        let ticket = try #require(try await store.reserve(key, rates: [], until: forever).ticket)
        #expect(try slots() == 0)
        let quota = ServerQuota(remaining: 2, reset: clock.now + .seconds(60))
        try await store.correct(key, by: RateLimitFeedback(quotas: [quota]), to: ticket, rates: [])
        for _ in 0..<2 { #expect(try await store.reserve(key, rates: [], until: forever).wait == .zero) }
        #expect(try slots() == 2)
        #expect(try await store.reserve(key, rates: [], until: forever).wait == .seconds(60))
    }

    /// Every command opens the file, and few do more than look: what lies beside it would be read and made anew each time.
    @Test func nothingLiesBesideTheFile() async throws {
        // Whoever closed it last would tidy up; most commands end without closing it.
        let stores = [store(), store()]
        for store in stores { _ = try await store.reserve(key, rates: rates("1000/60s"), until: forever) }
        #expect(FolderListing.names(in: folder.path) == ["limits.sqlite", "limits.sqlite.lock"])
    }

    @Test func bucketWithoutARateIsLookedAtOnceInAWhile() async throws {
        let (store, other) = (store(), store())
        #expect(try await store.reserve(key, rates: [], until: forever).wait <= .zero)
        #expect(try await other.reserve(key, rates: [], until: forever).wait <= .zero)
        let word = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30))
        try await other.correct(key, by: word, to: ReservationID(number: 1), rates: [])
        #expect(try await other.reserve(key, rates: [], until: forever).wait == .seconds(30), "who heard it knows")
        #expect(try await store.reserve(key, rates: [], until: forever).wait <= .zero)
        clock.now = clock.now + FreeBuckets.trust
        #expect(try await store.reserve(key, rates: [], until: forever).wait > .seconds(29), "another looks again")
    }

    @Test func clockThatWasSetBackMakesNoBucketFreeForLong() async throws {
        let store = store()
        _ = try await store.reserve(key, rates: [], until: forever)
        clock.now = clock.now + .seconds(-3_600)
        let other = self.store()
        try await other.correct(
            key, by: RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30)), to: ReservationID(number: 1), rates: [])
        #expect(try await store.reserve(key, rates: [], until: forever).wait == .seconds(30))
    }

    /// What comes while the file is busy is done together, each as if it came alone.
    @Test func requestsThatComeAtOnceGetASlotEach() async throws {
        let store = store()
        let rates = rates("5/1s")
        let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<20 {
                group.addTask { [key, forever] in
                    try await store.reserve(key, rates: rates, until: forever).wait
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
        let rates = rates("5/1s", "30/10s")
        var sent: [Timestamp] = []
        var waiting: [(store: Int, ticket: ReservationID, until: Timestamp)] = []
        for _ in 0..<150 {
            clock.now = clock.now + .milliseconds(Int64.random(in: 0...500, using: &generator))
            for index in waiting.indices.reversed() where waiting[index].until <= clock.now {
                let waiter = waiting.remove(at: index)
                let claimed = try await stores[waiter.store].claim(waiter.ticket, key, rates: rates, until: forever)
                if claimed.wait <= .zero {
                    sent.append(clock.now)
                } else {
                    waiting.append((waiter.store, claimed.ticket!, claimed.opening.moment))
                }
            }
            let number = Int.random(in: 0..<10, using: &generator)
            let reservation = try await stores[number].reserve(key, rates: rates, until: forever)
            let ticket = try #require(reservation.ticket)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: try await stores[number].release(ticket, key)
            case 1:
                let word = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(1))
                try await stores[number].correct(key, by: word, to: ticket, rates: rates)
            case _ where reservation.wait <= .zero: sent.append(clock.now)
            default: waiting.append((number, ticket, reservation.opening.moment))
            }
        }
        #expect(mostWithin(.seconds(1), of: sent) <= 5)
        #expect(mostWithin(.seconds(10), of: sent) <= 30)
        #expect(sent.count > 60)
        #expect(warnings.all.isEmpty)
    }

    /// The database's ledger and the one in memory are one set of rules over two stores: they must never differ.
    @Test(arguments: 0..<10)
    func databaseAndMemoryAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let database = try LocalDatabase(path: path, schema: LimitDatabase.schema)
        var memory = MemoryLedger()
        var tickets: [ReservationID] = []
        var time = Timestamp.start
        let rules = SlotRules.of("3/2s", "40/60s", until: forever)
        for _ in 0..<150 {
            time = time + .milliseconds(Int64.random(in: -50...900, using: &generator))
            let action = Int.random(in: 0..<8, using: &generator)
            let ticket = tickets.randomElement(using: &generator) ?? ReservationID(number: 0)
            let scope = ["", "day"].randomElement(using: &generator)!
            let remaining = Int.random(in: 0..<6, using: &generator)
            let reset = time + .milliseconds(Int64.random(in: -500...9_000, using: &generator))
            let step: (inout any SlotLedger) throws -> Reservation? = { [time] ledger in
                switch action {
                case 0: try ledger.release(ticket)
                case 1, 2: return try ledger.claim(ticket, at: time, under: rules)
                case 3:
                    let quotas = [ServerQuota(scope: scope, remaining: remaining, reset: reset)]
                    let word = RateLimitFeedback(isRefusal: remaining == 5, quotas: quotas)
                    try ledger.correct(by: word, to: ticket, at: time, under: rules.rates)
                default: return try ledger.reserve(at: time, under: rules)
                }
                return nil
            }
            var own: any SlotLedger = memory
            let expected = try step(&own)
            memory = own as! MemoryLedger
            let (found, state) = try database.write { database in
                var ledger: any SlotLedger = try DatabaseLedger(key, in: database)
                return (try step(&ledger), try ledger.state())
            }
            #expect(found == expected)
            let order = { (state: BucketState?) in state?.quotas.sorted { $0.scope < $1.scope } }
            #expect(order(state) == order(memory.state()))
            #expect(state?.closedUntil == memory.state()?.closedUntil)
            if let ticket = expected?.ticket { tickets.append(ticket) }
        }
    }

    @Test func nextProcessGoesOnWhereTheLastEnded() async throws {
        #expect(try await store().reserve(key, rates: rates("1/60s"), until: forever).wait == .zero)
        clock.now = clock.now + .seconds(20)
        #expect(try await store().reserve(key, rates: rates("1/60s"), until: forever).wait == .seconds(41))
    }

    @Test func refusalHoldsForEveryProcess() async throws {
        let first = store()
        let ticket = try #require(try await first.reserve(key, rates: [], until: forever).ticket)
        try await first.correct(key, by: RateLimitFeedback(isRefusal: true, retryAfter: .seconds(90)), to: ticket, rates: [])
        #expect(try await store().reserve(key, rates: [], until: forever).wait == .seconds(90))
    }

    @Test func bucketsDoNotKnowOneAnother() async throws {
        let store = store()
        for provider in ["one", "two", "three"] {
            let key = BucketKey(.of(provider))
            #expect(try await store.reserve(key, rates: rates("1/60s"), until: forever).wait == .zero)
        }
        let one = BucketKey(.of("one"))
        #expect(try await store.reserve(one, rates: rates("1/60s"), until: forever).wait > .zero)
    }

    @Test func fileDoesNotGrowWithTime() async throws {
        let store = store()
        for hour in 0..<50 {
            clock.now = Timestamp.start + .seconds(hour * 7_300)
            _ = try await store.reserve(BucketKey(.of("p\(hour)")), rates: rates("9/60s"), until: forever)
            for _ in 0..<5 { _ = try await store.reserve(key, rates: rates("9/60s"), until: forever) }
        }
        let counts = try LocalDatabase(path: path, schema: LimitDatabase.schema).read { database in
            try ["bucket", "slot"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0 }
        }
        #expect(counts == [2, 6])
    }

    @Test func lockedFileLeavesTheLimitsToThisProcessWithOneWarning() async throws {
        _ = try await store().reserve(key, rates: [], until: forever)
        let other = try LocalDatabase(path: path, schema: LimitDatabase.schema)
        let store = store(lockPatience: .milliseconds(20))
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
        for _ in 0..<3 { waits.append(try await store.reserve(key, rates: rates("2/60s"), until: forever).wait) }
        done.signal()
        await ended.opened()
        #expect(waits == [.zero, .zero, .seconds(61)])
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("rate limits hold for this process only: the database") ?? false)
    }

    @Test func whatThisProcessSentBeforeTheFileFailedStillCounts() async throws {
        let store = store()
        for _ in 0..<2 { _ = try await store.reserve(key, rates: rates("2/60s"), until: forever) }
        // A program that knows nothing of the rules.
        try LocalDatabase(path: path, schema: LimitDatabase.schema).write { try $0.execute(sql: "DROP TABLE slot") }
        #expect(try await store.reserve(key, rates: rates("2/60s"), until: forever).wait == .seconds(61))
        #expect(warnings.all.count == 1)
    }

    @Test(arguments: ["not a database at all, and long enough to be taken for one".utf8.map(\.self), [0, 0, 0]])
    func damagedFileIsBegunAnew(content: [UInt8]) async throws {
        let noise = [UInt8](repeating: 0x5a, count: 5_000)
        try Data(content + noise).write(to: URL(fileURLWithPath: path))
        #expect(try await store().reserve(key, rates: rates("1/60s"), until: forever).wait == .zero)
        #expect(try await store().reserve(key, rates: rates("1/60s"), until: forever).wait == .seconds(61))
        #expect(warnings.all.count == 1)
    }

    @Test func valuesOfTheWrongKindDoNotTrap() async throws {
        _ = try await store().reserve(key, rates: rates("1/60s"), until: forever)
        try LocalDatabase(path: path, schema: LimitDatabase.schema).write { database in
            try database.execute(sql: "UPDATE bucket SET seen = 'soon', ticket = x'00', refusals = 1.5")
        }
        #expect(try await store().reserve(key, rates: rates("1/60s"), until: forever).wait == .zero)
        #expect(warnings.all.count == 1)
    }

    @Test(arguments: [Int64.max, .min])
    func timesAtTheEndOfTimeDoNotTrap(value: Int64) async throws {
        _ = try await store().reserve(key, rates: rates("1/60s"), until: forever)
        try LocalDatabase(path: path, schema: LimitDatabase.schema).write { database in
            let values: StatementArguments = [value, value, value, value]
            try database.execute(
                sql: "UPDATE bucket SET seen = ?, ticket = ?, closed = ?, refusals = ?", arguments: values)
        }
        let store = store()
        let reservation = try await store.reserve(key, rates: rates("1/60s"), until: forever)
        #expect(reservation.wait <= .seconds(86_400))
        if let ticket = reservation.ticket {
            try await store.correct(key, by: RateLimitFeedback(isRefusal: true), to: ticket, rates: rates("1/60s"))
        }
    }

    @Test func folderThatCannotBeMadeLeavesTheLimitsToThisProcess() async throws {
        let store = store(path: "/dev/null/limits.sqlite")
        var waits: [Duration] = []
        for _ in 0..<2 { waits.append(try await store.reserve(key, rates: rates("1/60s"), until: forever).wait) }
        #expect(waits == [.zero, .seconds(61)])
        #expect(warnings.all.count == 1)
    }

    @Test func fullDiskLeavesTheLimitsToThisProcess() async throws {
        // Every write to this device fails as on a full disk.
        try #require(symlink("/dev/full", path) == 0)
        let store = store()
        var waits: [Duration] = []
        for _ in 0..<2 { waits.append(try await store.reserve(key, rates: rates("1/60s"), until: forever).wait) }
        #expect(waits == [.zero, .seconds(61)])
        #expect(warnings.all.count == 1)
    }

    @Test func storeWithoutAFileIsForThisProcessAlone() async throws {
        let store = LimitStore(path: nil, now: { [clock] in clock.now }, warning: { [warnings] in warnings.add($0) })
        #expect(try await store.reserve(key, rates: rates("1/60s"), until: forever).wait == .zero)
        #expect(try await store.reserve(key, rates: rates("1/60s"), until: forever).wait == .seconds(61))
        #expect(warnings.all.isEmpty)
    }
}
