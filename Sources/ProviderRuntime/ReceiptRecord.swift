import HTTPTransport
import Synchronization

/// The answers that went into one result.
final class ReceiptRecord: Sendable {
    private let receipts = Mutex<[CacheReceipt?]>([])
    private let last = Mutex<(TransportRequest, TransportResponse)?>(nil)
    private let hasFailed = Atomic(false)

    /// Notes one more answer.
    func add(_ response: TransportResponse, to request: TransportRequest) {
        receipts.withLock { $0.append(response.receipt) }
        last.withLock { $0 = (request, response) }
    }

    /// Notes that a request had no answer.
    func addFailure() { hasFailed.store(true, ordering: .relaxed) }

    /// The request that was answered last; nil where one had no answer, which then is what went wrong.
    var lastExchange: (TransportRequest, TransportResponse)? {
        hasFailed.load(ordering: .relaxed) ? nil : last.withLock(\.self)
    }

    /// All of them; nil when there is none, or an answer is not stored.
    var complete: [CacheReceipt]? {
        let all = receipts.withLock(\.self)
        let stored = all.compactMap(\.self)
        return stored.isEmpty || stored.count < all.count ? nil : stored
    }
}
