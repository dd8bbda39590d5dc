import HTTPTransport

/// Keeps what was worked out of stored answers, for as long as every one of them stands.
package protocol DerivedStore: Sendable {
    /// What was kept; nil when there is nothing, or an answer it was made of has changed or is no longer fresh.
    func value(for key: [UInt8]) -> [UInt8]?
    /// Keeps a value made of these answers; of none for one that only its key can make wrong.
    func keep(_ value: [UInt8], for key: [UInt8], from receipts: [CacheReceipt])
}
