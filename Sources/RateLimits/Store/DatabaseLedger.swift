import LocalDatabase

/// A bucket in the database, within one write transaction.
struct DatabaseLedger: SlotLedger {
    private let database: Database
    private let key: String
    /// The bucket's row; 0, which is nobody's, until it is saved first.
    private var bucket: Int64

    init(_ key: BucketKey, in database: Database) throws {
        self.database = database
        self.key = key.text
        bucket = 0
        bucket = try number("SELECT id FROM bucket WHERE key = ?", [self.key]) ?? 0
    }

    func state() throws -> BucketState? {
        guard bucket != 0 else { return nil }
        let sql = "SELECT seen, ticket, closed, refusals FROM bucket WHERE id = ?"
        guard let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [bucket]) else { return nil }
        return BucketState(
            seen: Timestamp(milliseconds: try row.decode(atIndex: 0)),
            lastTicket: ReservationID(number: try row.decode(atIndex: 1)),
            closedUntil: try row.decode(Int64?.self, atIndex: 2).map(Timestamp.init(milliseconds:)),
            refusals: try row.decode(atIndex: 3),
            quotas: try quotas()
        )
    }

    mutating func save(_ state: BucketState, keeping: Duration) throws {
        let known = bucket == 0 ? [] : try quotas()
        try saveBucket(state, expires: state.seen + keeping)
        guard known != state.quotas else { return }
        try run("DELETE FROM quota WHERE bucket = ?", [bucket])
        for quota in state.quotas {
            try run(
                "INSERT INTO quota (bucket, scope, since, remaining, reset) VALUES (?, ?, ?, ?, ?)",
                [bucket, quota.scope, quota.since.number, quota.remaining, quota.reset.milliseconds]
            )
        }
    }

    func latest(_ rank: Int) throws -> Timestamp? {
        try moment(
            "SELECT moment FROM slot WHERE bucket = ? ORDER BY moment DESC LIMIT 1 OFFSET ?",
            [bucket, rank - 1]
        )
    }

    func slot(_ rank: Int, after moment: Timestamp) throws -> Timestamp? {
        try self.moment(
            "SELECT moment FROM slot WHERE bucket = ? AND moment > ? ORDER BY moment LIMIT 1 OFFSET ?",
            [bucket, moment.milliseconds, rank - 1]
        )
    }

    func count(since ticket: ReservationID, before moment: Timestamp) throws -> Int {
        let count = try number(
            "SELECT count(*) FROM slot WHERE bucket = ? AND ticket > ? AND moment < ?",
            [bucket, ticket.number, moment.milliseconds]
        )
        return Int(count ?? 0)
    }

    func moment(of ticket: ReservationID) throws -> Timestamp? {
        try moment("SELECT moment FROM slot WHERE bucket = ? AND ticket = ?", [bucket, ticket.number])
    }

    mutating func insert(_ ticket: ReservationID, at moment: Timestamp) throws {
        if bucket == 0 { try saveBucket(BucketState(beginningAt: moment), expires: moment) }
        try run(
            "INSERT INTO slot (bucket, ticket, moment) VALUES (?, ?, ?)",
            [bucket, ticket.number, moment.milliseconds]
        )
    }

    mutating func remove(_ ticket: ReservationID) throws {
        try run("DELETE FROM slot WHERE bucket = ? AND ticket = ?", [bucket, ticket.number])
    }

    mutating func removeSlots(before moment: Timestamp) throws {
        try run("DELETE FROM slot WHERE bucket = ? AND moment < ?", [bucket, moment.milliseconds])
    }

    mutating func moveSlots(from moment: Timestamp?, by distance: Duration) throws {
        try run(
            "UPDATE slot SET moment = moment + ? WHERE bucket = ? AND moment >= ?",
            [distance.milliseconds, bucket, moment?.milliseconds ?? .min]
        )
    }

    private mutating func saveBucket(_ state: BucketState, expires: Timestamp) throws {
        let values: StatementArguments = [
            state.seen.milliseconds, state.lastTicket.number, state.closedUntil?.milliseconds, state.refusals,
            expires.milliseconds, key,
        ]
        guard bucket == 0 else {
            let columns = "seen = ?, ticket = ?, closed = ?, refusals = ?, expires = ?"
            return try run("UPDATE bucket SET \(columns) WHERE key = ?", values)
        }
        try removeBuckets(expiredAt: state.seen)
        try run("INSERT INTO bucket (seen, ticket, closed, refusals, expires, key) VALUES (?, ?, ?, ?, ?, ?)", values)
        bucket = database.lastInsertedRowID
    }

    /// Buckets that nobody uses any more go when there is a new one.
    private func removeBuckets(expiredAt now: Timestamp) throws {
        for table in ["slot", "quota"] {
            let expired = "SELECT id FROM bucket WHERE expires < ?"
            try run("DELETE FROM \(table) WHERE bucket IN (\(expired))", [now.milliseconds])
        }
        try run("DELETE FROM bucket WHERE expires < ?", [now.milliseconds])
    }

    private func quotas() throws -> [Quota] {
        let sql = "SELECT scope, since, remaining, reset FROM quota WHERE bucket = ? ORDER BY scope"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [bucket]).map { row in
            Quota(
                scope: try row.decode(atIndex: 0),
                since: ReservationID(number: try row.decode(atIndex: 1)),
                remaining: try row.decode(atIndex: 2),
                reset: Timestamp(milliseconds: try row.decode(atIndex: 3))
            )
        }
    }

    private func number(_ sql: String, _ arguments: StatementArguments) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    private func moment(_ sql: String, _ arguments: StatementArguments) throws -> Timestamp? {
        try number(sql, arguments).map(Timestamp.init(milliseconds:))
    }

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
