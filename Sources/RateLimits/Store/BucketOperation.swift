/// What somebody wants done with one bucket, and waits for.
///
/// `@unchecked Sendable`: what came of it is touched by the store's queue only.
final class BucketOperation<Result: Sendable>: BucketErrand, @unchecked Sendable {
    typealias Body = @Sendable (inout any SlotLedger, Timestamp) throws -> Result
    typealias Mirror = @Sendable (inout MemoryLedger, Result, Timestamp) throws -> Void

    let key: BucketKey
    private let body: Body
    private let mirror: Mirror
    private let waiter: CheckedContinuation<Result, any Error>
    private var result: Swift.Result<Result, any Error>?

    /// Work for the one who waits: `body` on a bucket; `mirror` takes what was done in the database over into this
    /// process's own.
    init(
        _ key: BucketKey, _ body: @escaping Body, mirror: @escaping Mirror,
        waiter: CheckedContinuation<Result, any Error>
    ) {
        self.key = key
        self.body = body
        self.mirror = mirror
        self.waiter = waiter
    }

    func attempt(on ledger: inout any SlotLedger, at now: Timestamp) throws {
        result = .success(try body(&ledger, now))
    }

    func follow(in memory: inout MemoryLedger, at now: Timestamp) {
        result = Swift.Result {
            guard let done = try result?.get() else { throw CancellationError() }
            try mirror(&memory, done, now)
            return done
        }
    }

    func carryOut(in memory: inout MemoryLedger, at now: Timestamp) {
        var ledger: any SlotLedger = memory
        result = Swift.Result { try body(&ledger, now) }
        if let used = ledger as? MemoryLedger { memory = used }
    }

    func tell() { if let result { waiter.resume(with: result) } }
}

/// An errand whatever its result.
protocol BucketErrand: AnyObject, Sendable {
    /// The bucket.
    var key: BucketKey { get }
    /// Works in the database; may be asked again, and what came of it last counts.
    func attempt(on ledger: inout any SlotLedger, at now: Timestamp) throws
    /// Takes over into this process's own bucket what was done in the database.
    func follow(in memory: inout MemoryLedger, at now: Timestamp)
    /// Works on this process's own bucket alone.
    func carryOut(in memory: inout MemoryLedger, at now: Timestamp)
    /// Lets the one who waits go on.
    func tell()
}
