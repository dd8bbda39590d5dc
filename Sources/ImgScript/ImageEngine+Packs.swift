import HTTPTransport
import ProviderRuntime

extension ImageEngine {
    /// The way to registries and tarballs: past stored answers and rates, which are those of sources.
    package func packTransport() throws -> any Transport {
        if case .dryRun = settings.answers { return DryRunTransport(onNotice: settings.onNotice) }
        return try TransportStack.plain(settings)
    }

    /// How the workers run that look into packs.
    package var packWorker: WorkerSettings { settings.workerSettings }
}
