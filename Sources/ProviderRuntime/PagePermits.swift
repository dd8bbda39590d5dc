import Synchronization

/// The permits of a listing's pages to send requests, so many at a time: a page gets its first one after those before it.
///
/// Pages are asked for side by side, and come through the worker in any order. A source with a rate takes them one by one; the
/// one that is needed first has to be first.
package final class PagePermits: Sendable {
    private struct Waiter {
        let number: Int
        let page: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var free: Int
        var lastNumber = 0
        /// The pages that are being asked for and have not had a permit.
        var coming: [Int] = []
        var waiting: [Waiter] = []

        /// Whether a page may send a request now.
        func admits(_ page: Int) -> Bool { free > 0 && !coming.contains { $0 < page } }

        mutating func admit(_ page: Int) {
            free -= 1
            leave(page)
        }

        mutating func leave(_ page: Int) {
            if let index = coming.firstIndex(of: page) { coming.remove(at: index) }
        }

        /// Admits those that waited for what has changed.
        mutating func takeAdmitted() -> [Waiter] {
            var admitted: [Waiter] = []
            while let index = waiting.firstIndex(where: { admits($0.page) }) {
                let waiter = waiting.remove(at: index)
                admit(waiter.page)
                admitted.append(waiter)
            }
            return admitted
        }
    }

    private let state: Mutex<State>

    /// Creates permits for this many requests at a time.
    package init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

    /// Notes that a page is being asked for: those after it wait until it has sent its request, or needs none.
    package func enter(_ page: Int) { state.withLock { $0.coming.append(page) } }

    /// Notes that a page is there, or has failed.
    package func leave(_ page: Int) { change { $0.leave(page) } }

    /// Waits for a permit; throws when the task is cancelled first.
    package func wait(for page: Int) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { state in
                    state.waiting.append(Waiter(number: number, page: page, continuation: continuation))
                }
                // A caller that was cancelled before is found now.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Returns a permit.
    package func signal() { change { $0.free += 1 } }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func change(_ body: (inout State) -> Void) {
        let admitted = state.withLock { state in
            body(&state)
            return state.takeAdmitted()
        }
        for waiter in admitted { waiter.continuation.resume() }
    }
}
