import Dispatch
import Synchronization

/// A latch a test opens once and others wait at.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    /// A closed gate.
    package init() {}

    /// Opens the gate for all waiting and later callers.
    package func open() {
        semaphore.signal()
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Suspends the task until the gate is open.
    package func opened() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Blocks a server's thread until the gate is open.
    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Blocks a server's thread until the gate is open, at most for so long; whether it is open.
    package func wait(for time: DispatchTimeInterval) -> Bool {
        guard semaphore.wait(timeout: .now() + time) == .success else { return false }
        semaphore.signal()
        return true
    }
}
