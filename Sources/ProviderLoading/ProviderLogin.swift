import HTTPTransport
import ProviderModel
import WorkerProtocol

/// What a provider's `session` operation gave, kept for as long as it holds.
actor ProviderLogin {
    private let isNeeded: Bool
    private var current: (values: SessionValues, until: ContinuousClock.Instant?)?
    private var underWay: Task<SessionResult, any Error>?

    init(manifest: ProviderManifest) { isNeeded = manifest.authentication.contains(where: \.needsSession) }

    /// The values, fetched by `begin` when there are none or they are over; callers at the same time share one fetch.
    func values(_ begin: @escaping @Sendable () async throws -> SessionResult) async throws -> SessionValues {
        guard isNeeded else { return SessionValues([:]) }
        if let current, current.until.map({ $0 > .now }) ?? true { return current.values }
        let task = underWay ?? Task { try await begin() }
        underWay = task
        defer { underWay = nil }
        let result = try await withTaskCancellationHandler { try await task.value } onCancel: { task.cancel() }
        let values = SessionValues(
            Dictionary(result.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        current = (values, result.expiresIn.map { .now + .seconds($0) })
        return values
    }
}
