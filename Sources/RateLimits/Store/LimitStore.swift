import Dispatch
import LocalDatabase
import ProviderModel
import Synchronization

/// The buckets of all providers: in a database that processes share, or in this process when that cannot be used.
///
/// The database is opened by `warmUp()` or when the first request needs a slot: an answer from a cache does not wait for it.
package final class LimitStore: Sendable {
    private struct State {
        var database: LocalDatabase?
        var isAlone: Bool
        var ledgers: [BucketKey: MemoryLedger] = [:]
    }

    /// The time of day.
    package let now: @Sendable () -> Moment
    private let path: String?
    private let patience: Duration
    private let warning: @Sendable (String) -> Void
    /// SQLite blocks while another process writes, which no thread of Swift's pool should; one queue also keeps the order.
    private let queue = DispatchQueue(label: "rate limits")
    private let state: Mutex<State>

    /// The store in a database file; nil for this process alone.
    ///
    /// `lockPatience` is how long other processes may keep the file; `warning` is told once when it cannot be used.
    package init(
        path: String?,
        lockPatience: Duration = .seconds(2),
        now: @escaping @Sendable () -> Moment,
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.now = now
        self.warning = warning
        patience = lockPatience
        state = Mutex(State(database: nil, isAlone: path == nil))
    }

    /// Begins to open the database beside whatever else is being started.
    package func warmUp() {
        queue.async { [self] in
            state.withLock { state in
                guard !state.isAlone, state.database == nil, let path else { return }
                do { state.database = try open(path) } catch { stayAlone(&state, error) }
            }
        }
    }

    /// Gives a request its slot.
    package func reserve(_ key: BucketKey, rates: [Limits.Rate], until deadline: Moment) async throws -> Reservation {
        let rules = SlotRules(rates: rates, deadline: deadline)
        return try await use(key) { ledger, now in
            try ledger.reserve(at: now, under: rules)
        } alongside: { memory, reservation, now in
            memory.adopt(reservation, instead: nil, now: now, keeping: rules.keeping)
        }
    }

    /// Asks whether a request whose slot has come may go.
    package func claim(
        _ ticket: Ticket,
        _ key: BucketKey,
        rates: [Limits.Rate],
        until deadline: Moment
    ) async throws -> Reservation {
        let rules = SlotRules(rates: rates, deadline: deadline)
        return try await use(key) { ledger, now in
            try ledger.claim(ticket, at: now, under: rules)
        } alongside: { memory, reservation, now in
            memory.adopt(reservation, instead: ticket, now: now, keeping: rules.keeping)
        }
    }

    /// Gives back a slot that will not be used.
    package func release(_ ticket: Ticket, _ key: BucketKey) async throws {
        try await use(key) { ledger, _ in
            try ledger.release(ticket)
        } alongside: { memory, _, _ in
            memory.remove(ticket)
        }
    }

    /// Takes in what a server said.
    package func correct(
        _ key: BucketKey,
        by word: ServerWord,
        to ticket: Ticket,
        rates: [Limits.Rate]
    ) async throws {
        try await use(key) { ledger, now in
            try ledger.correct(by: word, to: ticket, at: now, under: rates)
        } alongside: { memory, _, now in
            try memory.correct(by: word, to: ticket, at: now, under: rates)
        }
    }

    /// Works on a bucket in the database and keeps this process's own up to date, or on that one alone.
    private func use<Result: Sendable>(
        _ key: BucketKey,
        _ body: @escaping @Sendable (inout any SlotLedger, Moment) throws -> Result,
        alongside mirror: @escaping @Sendable (inout MemoryLedger, Result, Moment) throws -> Void
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Swift.Result { try state.withLock { try work(on: key, &$0, body, alongside: mirror) } }
                )
            }
        }
    }

    private func work<Result>(
        on key: BucketKey,
        _ state: inout State,
        _ body: (inout any SlotLedger, Moment) throws -> Result,
        alongside mirror: (inout MemoryLedger, Result, Moment) throws -> Void
    ) throws -> Result {
        var memory = state.ledgers.removeValue(forKey: key) ?? MemoryLedger()
        defer { state.ledgers[key] = memory }
        if let result = try inDatabase(key, &state, body) {
            try mirror(&memory, result, now())
            return result
        }
        var ledger: any SlotLedger = memory
        defer { if let used = ledger as? MemoryLedger { memory = used } }
        return try body(&ledger, now())
    }

    /// nil when there is no database to use, or none any more.
    private func inDatabase<Result>(
        _ key: BucketKey,
        _ state: inout State,
        _ body: (inout any SlotLedger, Moment) throws -> Result
    ) throws -> Result? {
        guard !state.isAlone, let path else { return nil }
        do {
            let database = try state.database ?? open(path)
            state.database = database
            return try database.write { database in
                var ledger: any SlotLedger = try DatabaseLedger(key, in: database)
                // The time is read under the lock: in the order in which processes get it, it never goes back.
                return try body(&ledger, now())
            }
        } catch {
            stayAlone(&state, error)
            return nil
        }
    }

    /// Whatever it is: without the file, a rate still holds within this process.
    private func stayAlone(_ state: inout State, _ error: any Error) {
        state.isAlone = true
        state.database = nil
        warning("rate limits hold for this process only: \(error)")
    }

    private func open(_ path: String) throws -> LocalDatabase {
        try LocalDatabase(path: path, schema: LimitDatabase.schema, lockPatience: patience, warning: warning)
    }
}

extension MemoryLedger {
    /// Notes what was reserved in the database.
    fileprivate mutating func adopt(
        _ reservation: Reservation,
        instead old: Ticket?,
        now: Moment,
        keeping: Duration
    ) {
        if let old { remove(old) }
        guard case .slot(let ticket, let opening, _) = reservation else { return }
        adopt(ticket, at: opening.moment, now: now, keeping: keeping)
    }
}
