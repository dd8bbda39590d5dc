import Dispatch
import HTTPCaching
import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Manifests and pages beside the stored answers they were made of.
struct DerivedValueCache: DerivedStore {
    private let values: DerivedValues
    private let isRead: Bool
    /// Written in the background: only a later run looks for it, and a transaction delays no thread that pages need.
    private let writing = DispatchQueue(label: "kept values")

    /// The values of a cache; none when everything is to be refreshed.
    init(in store: SQLiteCacheStorage, mode: CacheMode) {
        values = DerivedValues(in: store)
        isRead = mode != .refresh
    }

    func value(for key: [UInt8]) -> [UInt8]? { isRead ? values.value(for: key, now: WallClock.now) : nil }

    func keep(_ value: [UInt8], for key: [UInt8], from receipts: [CacheReceipt]) {
        writing.async { values.store(value, for: key, derivedFrom: receipts, now: WallClock.now) }
    }

    /// Waits until everything is kept.
    func finish() async { await withCheckedContinuation { done in writing.async { done.resume() } } }
}
