import Synchronization

@testable import HTTPTransport

/// Refuses every piece once, and asks for it again from another thread.
final class PausingSink: BodySink {
    private struct State {
        var count = 0
        var pauses = 0
        var isTaking = false
        var resume: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    var pauses: Int { state.withLock { $0.pauses } }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        let count = bytes.count
        let (demand, resume) = state.withLock { state in
            defer { state.isTaking.toggle() }
            guard state.isTaking else {
                state.pauses += 1
                return (BodyDemand.pause, state.resume)
            }
            state.count += count
            return (.more, nil)
        }
        if let resume { Task { resume() } }
        return demand
    }
}
