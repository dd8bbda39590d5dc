import ProviderModel
import Synchronization

@testable import Search

/// A source whose pages wait until the test lets them go, in whatever order.
final class HeldSource: ImageSource {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var asked: [Int] = []
        var cancelled: Set<Int> = []
        var most = 0
        /// Pages are held no longer: the test has run out of time.
        var isOver = false
        var watchers: [(isMet: (borrowing State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeMetWatchers() -> [CheckedContinuation<Void, Never>] {
            var met: [CheckedContinuation<Void, Never>] = []
            var others = watchers
            others.removeAll { watcher in
                guard watcher.isMet(self) else { return false }
                met.append(watcher.continuation)
                return true
            }
            watchers = others
            return met
        }
    }

    let manifest: ProviderManifest
    private let answer: @Sendable (ProviderQuery) throws -> Page
    private let state = Mutex(State())

    init(
        _ name: String = "a", prepare: (inout ProviderManifest) -> Void = { _ in },
        answer: @escaping @Sendable (ProviderQuery) throws -> Page
    ) {
        manifest = .fake(name, prepare: prepare)
        self.answer = answer
    }

    /// A list of so many items, counted or not.
    convenience init(_ name: String = "a", items: Int, total: Int?) {
        self.init(name) { query in
            let ids = (query.offset..<max(query.offset, min(items, query.offset + query.limit))).map { "\($0)" }
            return .fake(name, ids, total: total)
        }
    }

    /// The source as a merged listing takes it.
    var entry: (name: String, open: @Sendable () async throws -> any ImageSource) {
        (manifest.id.description, { self })
    }

    /// The numbers of the pages asked for, in order.
    var asked: [Int] { state.withLock { $0.asked.sorted() } }

    /// The most pages that waited at once.
    var most: Int { state.withLock { $0.most } }

    /// Waits until exactly these pages wait.
    func waiting(for pages: [Int]) async { await met { $0.waiting.keys.sorted() == pages } }

    /// Waits until so many pages wait, and returns their numbers.
    @discardableResult
    func waiting(_ count: Int) async -> [Int] {
        await met { $0.waiting.count >= count }
        return state.withLock { $0.waiting.keys.sorted() }
    }

    /// Waits until exactly these pages have been cancelled while they waited.
    func cancelled(_ pages: Set<Int>) async { await met { $0.cancelled == pages } }

    /// Lets pages go, one after another.
    func release(_ pages: [Int]) {
        for page in pages { state.withLock { $0.waiting.removeValue(forKey: page) }?.resume() }
    }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state in
                    state.asked.append(query.page)
                    state.waiting[query.page] = continuation
                    state.most = max(state.most, state.waiting.count)
                }
                if Task.isCancelled { cancel(query.page) }
                if state.withLock({ $0.isOver }) { release([query.page]) }
            }
        } onCancel: {
            cancel(query.page)
        }
        try Task.checkCancellation()
        return try answer(query)
    }

    private func cancel(_ page: Int) {
        var continuation: CheckedContinuation<Void, Never>?
        update { state in
            continuation = state.waiting.removeValue(forKey: page)
            if continuation != nil { state.cancelled.insert(page) }
        }
        continuation?.resume()
    }

    private func met(_ isMet: @escaping @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { $0.watchers.append(({ $0.isOver || isMet($0) }, continuation)) }
            }
        } onCancel: {
            update { $0.isOver = true }
            release(state.withLock { Array($0.waiting.keys) })
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let met = state.withLock { state in
            change(&state)
            return state.takeMetWatchers()
        }
        for continuation in met { continuation.resume() }
    }
}
