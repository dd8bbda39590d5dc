import HTTPTransport
import ProviderModel
import Synchronization

/// Answers requests from a provider's cassettes: with the response of the same request, or none.
///
/// Several entries of one request answer in order, and the last one repeatedly.
package final class ReplayTransport: Transport {
    private struct State {
        var used: Set<Int> = []
        var unmatched: [UnmatchedRequest] = []
    }

    private let library: CassetteLibrary
    private let cassettes: [String]
    private let onUse: (@Sendable (Cassette.Place) -> Void)?
    private let state = Mutex(State())

    /// Answers from the cassettes with these names, in their order, or from all where none is named.
    package init(
        _ library: CassetteLibrary, cassettes: [String] = [], onUse: (@Sendable (Cassette.Place) -> Void)? = nil
    ) {
        self.library = library
        self.cassettes = cassettes
        self.onUse = onUse
    }

    /// The recorded answer; throws `UnmatchedRequest` when there is none.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let matches = library.matches(for: request, in: cassettes)
        let found = state.withLock { state in
            let index = matches.first { !state.used.contains($0) } ?? matches.last
            if let index { state.used.insert(index) }
            return index
        }
        guard let found else {
            let unmatched = UnmatchedRequest(request, candidates: self.library.candidates(for: request))
            state.withLock { $0.unmatched.append(unmatched) }
            throw unmatched
        }
        let (place, entry) = library[found]
        onUse?(place)
        return entry.response(to: request)
    }

    /// Requests that had no answer, in the order they came.
    package var unmatched: [UnmatchedRequest] { state.withLock { $0.unmatched } }
}

/// Answers requests from the cassettes beside each provider: with the response of the same request, or of the most similar
/// one.
///
/// No request is sent.
package final class SampleTransport: Transport {
    /// Finds a provider's cassette folder; nil when it has none.
    package typealias Folder = @Sendable (ProviderID) -> String?

    private let folder: Folder
    private let loaded = Mutex<[ProviderID: CassetteLibrary]>([:])

    /// Creates a transport that reads a provider's cassettes with its first request.
    package init(folder: @escaping Folder) { self.folder = folder }

    /// The recorded answer to a request, or to the one most like it.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let provider = request.scope.provider
        let library = try library(of: provider)
        guard let entry = library.sample(for: request) else {
            let known = library.paths(like: request).prefix(3).joined(separator: ", ")
            throw ProviderError(
                .notFound, provider: provider.description,
                message: "no sample for \(request.method.rawValue) \(request.url.origin)\(request.url.path)",
                hint: known.isEmpty ? nil : "the samples are for \(known)")
        }
        return entry.response(to: request)
    }

    /// The server that a provider's answers were recorded from; nil where there are none.
    package func origin(of provider: ProviderID) -> WebURL? {
        // An unreadable cassette is reported when a response is needed.
        (try? library(of: provider))?.origin
    }

    private func library(of provider: ProviderID) throws -> CassetteLibrary {
        if let library = loaded.withLock({ $0[provider] }) { return library }
        let library: CassetteLibrary
        do { library = try folder(provider).map(CassetteLibrary.init(folder:)) ?? CassetteLibrary([]) } catch {
            throw ProviderError(
                .provider, provider: provider.description, message: "could not use a sample: \(error)",
                hint: .several(["fix the file", .omitSamples]))
        }
        guard !library.cassettes.isEmpty else {
            throw ProviderError(
                .notFound, provider: provider.description, message: "this provider has no samples",
                hint: .omitSamples)
        }
        loaded.withLock { $0[provider] = library }
        return library
    }
}

extension Cassette.Entry {
    /// The entry as the answer to a request.
    package func response(to request: TransportRequest) -> TransportResponse {
        TransportResponse(status: status, url: request.url, headers: headers, body: content)
    }
}
