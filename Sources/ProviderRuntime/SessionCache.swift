import HTTPTransport
import ProviderModel
import WorkerProtocol

/// The values of a provider's `session` operation, until they expire.
actor SessionCache {
    private let isNeeded: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private var current: (values: SessionValues, until: ContinuousClock.Instant?)?
    private var underWay: Task<SessionResult, any Error>?

    init(manifest: ProviderManifest, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        isNeeded = manifest.authentication.contains(where: \.needsSession)
        self.now = now
    }

    /// The values, fetched by `begin` when there are none or they are over; callers at the same time share one fetch.
    func values(_ begin: @escaping @Sendable () async throws -> SessionResult) async throws -> SessionValues {
        guard isNeeded else { return SessionValues([:]) }
        while true {
            if let current, current.until.map({ $0 > now() }) ?? true { return current.values }
            // A caller that gives up ends the fetch for all who share it; the others begin another.
            do { return try await fetch(begin) } catch is CancellationError where !Task.isCancelled {}
        }
    }

    private func fetch(_ begin: @escaping @Sendable () async throws -> SessionResult) async throws -> SessionValues {
        let task = underWay ?? Task { try await begin() }
        underWay = task
        defer { if underWay == task { underWay = nil } }
        let result = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        let values = SessionValues(
            Dictionary(result.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        current = (values, result.expiresIn.map { now() + .seconds($0) })
        return values
    }
}
