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
        /// By the bucket's key.
        var ledgers: [String: MemoryLedger] = [:]
    }

    /// The time of day.
    package let now: @Sendable () -> Timestamp
    private let path: String?
    private let patience: Duration
    private let warning: @Sendable (String) -> Void
    /// SQLite blocks while another process writes, which no thread of Swift's pool should; one queue also keeps the order.
    private let queue = DispatchQueue(label: "rate limits")
    private let state: Mutex<State>
    private let free = FreeBuckets()
    /// Waiting to be carried out, in their order.
    private let errands = Mutex<[any BucketErrand]>([])

    /// The store in a database file; nil for this process alone.
    ///
    /// `lockPatience` is how long other processes may keep the file; `warning` is told once when it cannot be used.
    package init(
        path: String?,
        lockPatience: Duration = .seconds(2),
        now: @escaping @Sendable () -> Timestamp,
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.now = now
        self.warning = warning
        patience = lockPatience
        state = Mutex(State(database: nil, isAlone: path == nil))
    }

    /// Opens the database, for a thread that has nothing else to do: the first request finds it open.
    package func warmUp() {
        state.withLock { state in
            guard !state.isAlone, state.database == nil, let path else { return }
            do {
                let database = try open(path)
                state.database = database
                try rehearse(in: database)
            } catch { stayAlone(&state, error) }
        }
    }

    /// Gives a request its slot.
    package func reserve(_ key: BucketKey, rates: [Limits.Rate], until deadline: Timestamp) async throws -> Reservation {
        if rates.isEmpty, case let now = now(), let ticket = free.ticket(in: key, at: now) {
            return .slot(ticket, NextSlot(moment: now), wait: .zero)
        }
        let rules = SlotRules(rates: rates, deadline: deadline)
        return try await use(key) { [free] ledger, now in
            if rates.isEmpty, let ticket = try ledger.freePassage(at: now) {
                free.note(ticket, in: key, at: now)
                return .slot(ticket, NextSlot(moment: now), wait: .zero)
            }
            free.forget(key)
            return try ledger.reserve(at: now, under: rules)
        } alongside: { memory, reservation, now in
            memory.adopt(reservation, instead: nil, now: now, keeping: rules.keeping)
        }
    }

    /// Asks whether a request whose slot has come may go.
    package func claim(
        _ ticket: ReservationID,
        _ key: BucketKey,
        rates: [Limits.Rate],
        until deadline: Timestamp
    ) async throws -> Reservation {
        let rules = SlotRules(rates: rates, deadline: deadline)
        return try await use(key) { ledger, now in
            try ledger.claim(ticket, at: now, under: rules)
        } alongside: { memory, reservation, now in
            memory.adopt(reservation, instead: ticket, now: now, keeping: rules.keeping)
        }
    }

    /// Gives back a slot that will not be used.
    package func release(_ ticket: ReservationID, _ key: BucketKey) async throws {
        try await use(key) { ledger, _ in
            try ledger.release(ticket)
        } alongside: { memory, _, _ in
            memory.remove(ticket)
        }
    }

    /// Takes in what a server said; `sent` is when the request went, for one that has no slot.
    package func correct(
        _ key: BucketKey,
        by word: RateLimitFeedback,
        to ticket: ReservationID,
        sentAt sent: Timestamp? = nil,
        rates: [Limits.Rate]
    ) async throws {
        try await use(key) { [free] ledger, now in
            free.forget(key)
            try ledger.correct(by: word, to: ticket, sentAt: sent, at: now, under: rates)
        } alongside: { memory, _, now in
            try memory.correct(by: word, to: ticket, sentAt: sent, at: now, under: rates)
        }
    }

    /// Works on a bucket in the database and keeps this process's own up to date, or on that one alone.
    private func use<Result: Sendable>(
        _ key: BucketKey,
        _ body: @escaping BucketOperation<Result>.Body,
        alongside mirror: @escaping BucketOperation<Result>.Mirror
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            let errand = BucketOperation(key, body, mirror: mirror, waiter: waiter)
            let isFirst = errands.withLock { errands in
                errands.append(errand)
                return errands.count == 1
            }
            if isFirst { queue.async { self.carryOutErrands() } }
        }
    }

    /// Does all that has come together while the last was done, in one transaction: a round of pages asks at once.
    private func carryOutErrands() {
        let errands = errands.withLock { errands in
            defer { errands = [] }
            return errands
        }
        state.withLock { state in
            let isDone = attempt(errands, &state)
            for errand in errands {
                var memory = state.ledgers.removeValue(forKey: errand.key.text) ?? MemoryLedger()
                if isDone { errand.follow(in: &memory, at: now()) } else { errand.carryOut(in: &memory, at: now()) }
                state.ledgers[errand.key.text] = memory
            }
        }
        for errand in errands { errand.tell() }
    }

    /// Works in the database; false when there is none to use, or none any more.
    private func attempt(_ errands: [any BucketErrand], _ state: inout State) -> Bool {
        guard !state.isAlone, let path else { return false }
        do {
            let database = try state.database ?? open(path)
            state.database = database
            try database.write { database in
                for errand in errands {
                    var ledger: any SlotLedger = try DatabaseLedger(errand.key, in: database)
                    // The time is read under the lock: in the order in which processes get it, it never goes back.
                    try errand.attempt(on: &ledger, at: now())
                }
            }
            return true
        } catch {
            stayAlone(&state, error)
            return false
        }
    }

    /// Whatever it is: without the file, a rate still holds within this process.
    private func stayAlone(_ state: inout State, _ error: any Error) {
        state.isAlone = true
        state.database = nil
        warning("rate limits hold for this process only: \(error)")
    }

    /// Looks at nobody's bucket: the first request finds its statements compiled, and its code loaded.
    private func rehearse(in database: LocalDatabase) throws {
        let now = now()
        try database.write { database in _ = try DatabaseLedger(.nobody, in: database).freePassage(at: now) }
    }

    private func open(_ path: String) throws -> LocalDatabase {
        try LocalDatabase(
            path: path, schema: LimitDatabase.schema, journal: .rollback, busyTimeout: patience, warning: warning)
    }
}

extension MemoryLedger {
    /// Notes what was reserved in the database.
    fileprivate mutating func adopt(
        _ reservation: Reservation,
        instead old: ReservationID?,
        now: Timestamp,
        keeping: Duration
    ) {
        if let old { remove(old) }
        guard case .slot(let ticket, let opening, _) = reservation else { return }
        adopt(ticket, at: opening.moment, now: now, keeping: keeping)
    }
}
