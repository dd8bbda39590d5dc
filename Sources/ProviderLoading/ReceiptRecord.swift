import HTTPTransport
import Synchronization

/// The receipts of the answers that went into one result.
final class ReceiptRecord: Sendable {
    private let receipts = Mutex<[CacheReceipt?]>([])

    /// Notes the receipt of one more answer; nil for one that is not stored.
    func add(_ receipt: CacheReceipt?) { receipts.withLock { $0.append(receipt) } }

    /// All of them; nil when there is none, or an answer is not stored.
    var complete: [CacheReceipt]? {
        let all = receipts.withLock(\.self)
        let stored = all.compactMap(\.self)
        return stored.isEmpty || stored.count < all.count ? nil : stored
    }
}
