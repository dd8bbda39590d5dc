import ProviderModel
import ProviderRuntime

/// What one running test gets its answers from.
protocol TestAnswers: Actor {
    /// The answer to a question.
    func answer(_ question: TestWorker.Question) async throws -> TestWorker.Answer

    /// Requests that had no answer: they fail a test even where it expects an error.
    var unmatched: [UnmatchedRequest] { get }

    /// Why what came of the test says nothing; nil when it does.
    var reasonToSkip: String? { get }
}

extension TestAnswers {
    var unmatched: [UnmatchedRequest] { [] }

    var reasonToSkip: String? { nil }
}
