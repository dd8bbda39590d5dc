import ProviderModel
import Synchronization

@testable import HTTPCaching

/// Stored responses of one process, without a disk.
final class MemoryCacheStorage: CacheStorage {
    fileprivate struct Entry {
        let key: CacheKey
        let url: String
        var response: StoredResponse
        let bytes: [UInt8]
        var keepUntil: Double?
    }

    fileprivate struct State {
        var entries: [Int64: Entry] = [:]
        var lastID: Int64 = 0
        var total = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let key: KeyedHash

    /// An empty storage; `limit` is in bytes, and the least recently used goes first.
    init(limit: Int = 64 << 20) {
        self.limit = limit
        key = KeyedHash.random()
    }

    func hash() -> KeyedHash? { key }

    func responses(for key: CacheKey, url: String) -> [StoredResponse] {
        state.withLock { $0.entries.values.filter { $0.key == key && $0.url == url }.map(\.response) }.mostRecentFirst
    }

    func body(of stored: StoredResponse) -> BodyReader? {
        let bytes = state.withLock { $0.entries[stored.id]?.bytes }
        return bytes.flatMap { BodyReader(bytes: $0, length: stored.length, checksum: stored.checksum) }
    }

    func writer() -> BodyWriter { BodyWriter(files: nil, limit: limit / 2) }

    func insert(_ new: NewResponse, body writer: BodyWriter) -> StoredResponse? {
        guard let body = writer.finish().body, let bytes = body.bytes else { return nil }
        return state.withLock { state in
            for id in new.replaced { state.remove(id) }
            state.removeOverdue(at: new.draft.receivedAt)
            state.lastID += 1
            var stored = new.draft
            (stored.id, stored.generation) = (state.lastID, 1)
            (stored.length, stored.checksum) = (body.length, body.checksum)
            state.entries[stored.id] = Entry(
                key: new.key, url: CacheKey.text(new.url), response: stored, bytes: bytes, keepUntil: new.keepUntil)
            state.total += stored.cost
            state.evict(limit: limit)
            return stored
        }
    }

    func update(_ stored: StoredResponse, freshUntil: Double, keepUntil: Double?) -> StoredResponse? {
        state.withLock { state in
            guard let known = state.entries[stored.id]?.response, known.generation == stored.generation else {
                return nil
            }
            var updated = stored
            updated.generation += 1
            updated.usedAt = stored.receivedAt
            state.total += updated.cost - known.cost
            state.entries[stored.id]?.response = updated
            state.entries[stored.id]?.keepUntil = keepUntil
            return updated
        }
    }

    func remove(_ ids: [Int64]) { state.withLock { state in ids.forEach { state.remove($0) } } }

    func invalidate(_ urls: [WebURL]) {
        let targets = Set(urls.map { CacheKey.target($0, hash: key) })
        state.withLock { state in
            for (id, entry) in state.entries where targets.contains(entry.key.target) { state.remove(id) }
        }
    }

    func noteUse(of stored: StoredResponse, at now: Double) {
        state.withLock { $0.entries[stored.id]?.response.usedAt = now }
    }

    func flush() {}
}

extension MemoryCacheStorage.State {
    fileprivate mutating func remove(_ id: Int64) {
        if let entry = entries.removeValue(forKey: id) { total -= entry.response.cost }
    }

    fileprivate mutating func removeOverdue(at now: Double) {
        for (id, entry) in entries where entry.keepUntil.map({ $0 <= now }) ?? false { remove(id) }
    }

    fileprivate mutating func evict(limit: Int) {
        guard total > limit else { return }
        for (id, _) in entries.sorted(by: { $0.value.response.usedAt < $1.value.response.usedAt }) {
            guard total > limit / 10 * 9 else { return }
            remove(id)
        }
    }
}
