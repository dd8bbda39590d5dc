import ProviderRuntime
import Synchronization

/// What happens during one run of a provider that is being written.
final class DevelopmentSteps: Sendable {
    private struct State {
        var events: [TraceEvent] = []
        var console: [String] = []
    }

    /// More lines than a screen shows help nobody.
    private static let limit = 200

    private let state = Mutex(State())

    /// Takes a step.
    func add(_ event: TraceEvent) {
        state.withLock { if $0.events.count < Self.limit { $0.events.append(event) } }
    }

    /// Takes a line that the script wrote.
    func add(console line: String) {
        state.withLock { if $0.console.count < Self.limit { $0.console.append(line) } }
    }

    /// What has come since this was asked last.
    func take() -> (events: [TraceEvent], console: [String]) {
        state.withLock { state in
            defer { state = State() }
            return (state.events, state.console)
        }
    }
}
