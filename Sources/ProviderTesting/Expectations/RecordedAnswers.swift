import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// Answers what one running test asks: requests out of cassettes, strictly, and page URLs by the provider's patterns.
actor RecordedAnswers: TestAnswers {
    private let library: CassetteLibrary
    private let manifest: ProviderManifest
    private let instance: WebURL?
    private let uses: CassetteUses?
    private let match: @Sendable (String) async throws -> Item?
    private var transports: [[String]: CassetteTransport] = [:]

    /// Answers for one test; every test has all entries again.
    init(
        _ library: CassetteLibrary, of manifest: ProviderManifest, instance: WebURL?, noting uses: CassetteUses?,
        match: @escaping @Sendable (String) async throws -> Item?
    ) {
        self.library = library
        self.manifest = manifest
        self.instance = instance
        self.uses = uses
        self.match = match
    }

    /// Requests that had no answer: they fail a test even where it expects an error.
    var unmatched: [UnmatchedRequest] { transports.values.flatMap(\.unmatched) }

    /// The answer to a question.
    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer {
        switch question {
        case .match(let text): return .item(try await match(text))
        case .requests(let requests, let operation, let names):
            do {
                let transport = try transport(for: names)
                var responses: [ProviderResponse] = []
                for request in requests { responses.append(try await answer(request, over: transport)) }
                return .responses(responses)
            } catch {
                return .refused(refusal(error, of: operation))
            }
        }
    }

    private func answer(_ request: ProviderRequest, over transport: CassetteTransport) async throws -> ProviderResponse
    {
        let response = try await transport.send(TransportRequest(request, of: manifest, instance: instance))
        // Cookies are the host's business, here as on the real way.
        let headers = response.headers.filter { $0.name.canonicalName != "set-cookie" }
        return ProviderResponse(
            status: response.status, url: response.url, headers: headers.map { NamedValue($0.name.rawName, $0.value) },
            body: response.body)
    }

    private func transport(for names: [String]) throws(ProviderError) -> CassetteTransport {
        if let transport = transports[names] { return transport }
        if let missing = names.first(where: { !library.names.contains($0) }) {
            let known = library.names.joined(separator: ", ")
            throw ProviderError(
                .provider, provider: manifest.id.description, message: "there is no cassette \(missing.quoted)",
                hint: known.isEmpty ? "record one with imgscript test --record" : "there are \(known)")
        }
        let transport = CassetteTransport(library.entries(named: names), playback: .repeated, onUse: uses?.note)
        transports[names] = transport
        return transport
    }

    private func refusal(_ error: any Error, of operation: ProviderModel.Operation) -> ProviderError {
        if var error = error as? ProviderError {
            error.operation = error.operation ?? operation
            if let hint = error.hint { error.message += "; \(hint)" }
            return error
        }
        let message = (error as? TransportError)?.message ?? "\(error)"
        return ProviderError(.transport, provider: manifest.id.description, operation: operation, message: message)
    }
}
