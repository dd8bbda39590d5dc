import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// The source of one running test's responses.
protocol TestAnswers: Actor {
    /// The answer to a question.
    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer

    /// Requests that had no answer: they fail a test even where it expects an error.
    var unmatched: [UnmatchedRequest] { get }

    /// Why the outcome of the test does not count; nil when it does.
    var reasonToSkip: String? { get }
}

/// Answers requests out of cassettes, strictly, and page URLs by the provider's patterns.
actor RecordedAnswers: TestAnswers {
    let reasonToSkip: String? = nil
    private let library: CassetteLibrary
    private let manifest: ProviderManifest
    private let instance: WebURL?
    private let uses: CassetteUses?
    private var transports: [[String]: ReplayTransport] = [:]

    /// Answers for one test; every test has all entries again.
    init(_ library: CassetteLibrary, of manifest: ProviderManifest, instance: WebURL?, noting uses: CassetteUses?) {
        self.library = library
        self.manifest = manifest
        self.instance = instance
        self.uses = uses
    }

    var unmatched: [UnmatchedRequest] { transports.values.flatMap(\.unmatched) }

    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer {
        switch question {
        case .match(let text): return .item(PageMatcher(manifest, instance: instance).item(matching: text))
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

    private func answer(_ request: ProviderRequest, over transport: ReplayTransport) async throws -> ProviderResponse {
        let response = try await transport.send(
            TransportRequest(request, of: manifest, instance: instance, image: .sample))
        // Cookies stay with the host, as with a live response.
        let headers = response.headers.filter { $0.name.canonicalName != "set-cookie" }
        return ProviderResponse(
            status: response.status, url: response.url, headers: headers.map { NamedValue($0.name.rawName, $0.value) },
            body: response.body)
    }

    private func transport(for names: [String]) throws(ProviderError) -> ReplayTransport {
        if let transport = transports[names] { return transport }
        let known = library.cassettes.map(\.name)
        if let missing = names.first(where: { !known.contains($0) }) {
            throw ProviderError(
                .provider, provider: manifest.id.description,
                message: "unknown cassette \(missing.quoted)"
                    + missing.suggestion(
                        among: known, expected: known.isEmpty ? nil : known.joined(separator: ", ")),
                hint: known.isEmpty ? .record(.first, file: nil) : nil)
        }
        let transport = ReplayTransport(library, cassettes: names, onUse: uses?.note)
        transports[names] = transport
        return transport
    }

    private func refusal(_ error: any Error, of operation: ProviderModel.ProviderOperation) -> ProviderError {
        guard var error = error as? ProviderError else {
            let message = (error as? TransportError)?.message ?? "\(error)"
            return ProviderError(.transport, provider: manifest.id.description, operation: operation, message: message)
        }
        error.operation = error.operation ?? operation
        return error.withHintInMessage
    }
}

/// Answers what one running test asks out of the real service, the way a user's search is answered.
actor LiveAnswers: TestAnswers {
    let unmatched: [UnmatchedRequest] = []
    private(set) var reasonToSkip: String?
    private let provider: ScriptProvider

    /// Answers as the provider gets them: with its credentials, within its rate limits.
    init(of provider: ScriptProvider) { self.provider = provider }

    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer {
        switch question {
        case .match(let text): return .item(provider.item(matching: text))
        case .requests(let requests, let operation, let names):
            do {
                guard !names.contains("errors") else { throw recordedErrors(operation) }
                return .responses(try await provider.answers(to: requests, of: operation))
            } catch let error as ProviderError {
                return .refused(error.withHintInMessage)
            }
        }
    }

    /// No service can be asked to fail.
    private func recordedErrors(_ operation: ProviderModel.ProviderOperation) -> ProviderError {
        reasonToSkip = "it uses recorded errors, which the live service does not send on request"
        return ProviderError(
            .unsupported, provider: provider.manifest.id.description, operation: operation,
            message: "recorded errors are not available from the live service")
    }
}

extension ProviderError {
    /// The same error in a test, which shows nothing but the message.
    fileprivate var withHintInMessage: ProviderError {
        var error = self
        if let hint { error.message += "; \(hint)" }
        return error
    }
}
