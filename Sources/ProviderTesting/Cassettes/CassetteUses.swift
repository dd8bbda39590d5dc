import ProviderRuntime
import Synchronization

/// Which of a provider's recorded answers are needed, over everything that is run for it.
package final class CassetteUses: Sendable {
    private struct State {
        var offered: [Cassette.Place] = []
        var used: Set<Cassette.Place> = []
    }

    private let state = Mutex(State())

    /// Nothing is offered yet.
    package init() {}

    /// Begins with everything that a provider's cassettes hold.
    package func offer(_ cassettes: [Cassette]) {
        let places = cassettes.flatMap(\.places)
        state.withLock { $0.offered = places }
    }

    /// Notes that an answer was needed.
    package func note(_ place: Cassette.Place) { state.withLock { _ = $0.used.insert(place) } }

    /// A warning about answers that nothing asks for; nil where all are needed.
    package var warning: TestReport.Case? {
        let unused = state.withLock { state in state.offered.filter { !state.used.contains($0) } }
        var findings = CheckFindings()
        for place in unused {
            findings.warn(
                TestReport.Problem(
                    "\(place): nothing asks for \(place.request)",
                    hint: "leave it out, or write a test that needs it"))
        }
        guard !unused.isEmpty else { return nil }
        return TestReport.Case("every recorded answer is used", .warning, problems: findings.problems)
    }
}
