import HTTPCaching
import HTTPTransport
import ProviderLoading

/// Manifests and pages beside the stored answers they were made of.
struct KeptValues: DerivedStore {
    private let values: DerivedValues
    private let isRead: Bool

    /// The values of a cache; whoever wants everything anew gets none of them.
    init(in store: CacheStore, mode: CacheMode) {
        values = DerivedValues(in: store)
        isRead = mode != .refresh
    }

    func value(for key: [UInt8]) -> [UInt8]? { isRead ? values.value(for: key, now: SystemTime.now) : nil }

    func keep(_ value: [UInt8], for key: [UInt8], from receipts: [CacheReceipt]) {
        values.store(value, for: key, derivedFrom: receipts, now: SystemTime.now)
    }
}
