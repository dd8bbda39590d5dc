import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Finds the item of a page URL as production does; the provider is loaded for it when first asked.
actor PageMatching {
    private let file: ProviderFile
    private let pool: WorkerPool
    private var provider: ScriptProvider?

    init(provider: ProviderFile, pool: WorkerPool) {
        file = provider
        self.pool = pool
    }

    /// The item that a text stands for; nil when no pattern matches.
    func item(matching text: String, on instance: WebURL?) async throws -> Item? {
        if let provider { return provider.item(matching: text) }
        var environment = ScriptProvider.Environment(pool: pool, transport: NoTransport(), credentials: .none)
        environment.instance = instance
        let loaded = try await ScriptProvider(file, in: environment)
        provider = loaded
        return loaded.item(matching: text)
    }
}

/// Sends nothing: matching needs no request.
private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
}
