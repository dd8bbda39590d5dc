import ProviderModel
import ProviderRuntime

/// Answers what one running test asks out of the real service, the way a user's search is answered.
actor LiveAnswers: TestAnswers {
    private let provider: ScriptProvider
    private(set) var reasonToSkip: String?

    /// Answers as the provider gets them: with its credentials, within its rate limits.
    init(of provider: ScriptProvider) { self.provider = provider }

    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer {
        switch question {
        case .match(let text): return .item(provider.item(matching: text))
        case .requests(let requests, let operation, let names):
            do {
                guard !names.contains("errors") else { throw recordedErrors(operation) }
                return .responses(try await provider.answers(to: requests, of: operation))
            } catch var error as ProviderError {
                if let hint = error.hint { error.message += "; \(hint)" }
                return .refused(error)
            }
        }
    }

    /// No service can be asked to fail.
    private func recordedErrors(_ operation: ProviderModel.Operation) -> ProviderError {
        reasonToSkip = "it reads recorded errors, which the real service cannot be asked for"
        return ProviderError(
            .unsupported, provider: provider.manifest.id.description, operation: operation,
            message: "recorded errors are not asked for with --live")
    }
}
