import Glibc
import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Answers requests from the cassettes that lie beside each provider; nothing leaves the machine.
package final class ReplayTransport: Transport {
    /// Finds a provider's cassette folder; nil when it has none.
    package typealias Folder = @Sendable (ProviderID) -> String?

    private let folder: Folder
    private let loaded = Mutex<[ProviderID: SampleIndex]>([:])

    package init(folder: @escaping Folder) { self.folder = folder }

    /// The recorded answer to a request, or to the one most like it.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let provider = request.scope.provider
        let shelf = try shelf(of: provider)
        guard let entry = shelf.entry(for: request) else {
            let known = shelf.paths(like: request).prefix(3).joined(separator: ", ")
            throw ProviderError(
                .notFound, provider: provider.description,
                message: "there is no sample for \(request.method.rawValue) \(request.url.origin)\(request.url.path)",
                hint: known.isEmpty ? nil : "there are samples for \(known)")
        }
        return TransportResponse(
            status: entry.status, url: request.url, headers: entry.headers, body: entry.content)
    }

    /// The server that a provider's answers were recorded from; nil where there are none.
    package func origin(of provider: ProviderID) -> WebURL? {
        // Answers that cannot be read are told of when one of them is wanted.
        (try? shelf(of: provider))?.origin
    }

    private func shelf(of provider: ProviderID) throws -> SampleIndex {
        if let shelf = loaded.withLock({ $0[provider] }) { return shelf }
        guard let folder = folder(provider), access(folder, F_OK) == 0 else {
            throw ProviderError(
                .notFound, provider: provider.description, message: "this provider ships no samples",
                hint: "leave --sample out")
        }
        let shelf: SampleIndex
        do { shelf = try SampleIndex(folder: folder) } catch {
            throw ProviderError(
                .provider, provider: provider.description, message: "a sample cannot be used: \(error)",
                hint: "mend the file, or leave --sample out")
        }
        loaded.withLock { $0[provider] = shelf }
        return shelf
    }
}
