import Synchronization
import TestSupport

@testable import HTTPTransport

/// Keeps what it gets and opens a gate at the first byte; may take nothing until it is released.
final class OpeningSink: BodySink {
    private struct State {
        var bytes: [UInt8] = []
        var isPausing: Bool
        var wasAsked = false
        var resume: (@Sendable () -> Void)?
    }

    private let gate: Gate
    private let state: Mutex<State>

    init(_ gate: Gate, pausing: Bool = false) {
        self.gate = gate
        state = Mutex(State(isPausing: pausing))
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Whether it was offered any bytes.
    var wasAsked: Bool { state.withLock { $0.wasAsked } }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func resume() {
        let resume = state.withLock { state in
            state.isPausing = false
            return state.resume
        }
        resume?()
    }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.bytes = []
            state.resume = resume
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        let chunk = Array(bytes)
        let isPausing = state.withLock { state in
            state.wasAsked = true
            if !state.isPausing { state.bytes += chunk }
            return state.isPausing
        }
        gate.open()
        return isPausing ? .pause : .more
    }
}
