import Hummingbird
import Synchronization

/// How many of one kind may be under way side by side; one more is refused for the moment.
final class ConcurrencyLimit: Sendable {
    private struct State {
        var count = 0
        var total = 0
        var refused = 0
    }

    let limit: Int
    private let state = Mutex(State())

    init(_ limit: Int) { self.limit = limit }

    /// How many are under way.
    var count: Int { state.withLock(\.count) }

    /// How many were begun so far.
    var total: Int { state.withLock(\.total) }

    /// How many were refused so far.
    var refused: Int { state.withLock(\.refused) }

    /// Takes a permit.
    ///
    /// - Parameter name: what is limited, in the plural, for the error.
    /// - Returns: the permit; releasing it frees its slot.
    /// - Throws: ``APIError`` with the status 429 when none is free.
    func acquire(_ name: String) throws(APIError) -> Permit {
        let isFree = state.withLock { state in
            guard state.count < limit else {
                state.refused += 1
                return false
            }
            state.count += 1
            state.total += 1
            return true
        }
        guard isFree else {
            throw APIError(
                .tooManyRequests, "busy", "\(limit) \(name) are under way (expected fewer)",
                hint: "try again in a second", headers: [.retryAfter: "1"])
        }
        return Permit(limit: self)
    }

    /// A place, until it is given back.
    final class Permit: Sendable {
        private let limit: ConcurrencyLimit
        private let isReleased = Atomic(false)

        fileprivate init(limit: ConcurrencyLimit) { self.limit = limit }

        /// Gives the place back; a second time does nothing.
        func release() {
            guard !isReleased.exchange(true, ordering: .relaxed) else { return }
            limit.state.withLock { $0.count -= 1 }
        }

        deinit { release() }
    }
}
