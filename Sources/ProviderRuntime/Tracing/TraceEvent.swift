import HTTPTransport
import ProviderModel

/// One step of a provider's work, on either side of the wall.
package struct TraceEvent: Sendable {
    /// What happened.
    package enum Step: Sendable {
        /// The file was evaluated.
        case loaded(file: String, bytes: Int)
        /// An operation begins: `search “coffee”, page 1, 20 a page`.
        case called(String)
        /// The script asks for something; secrets are masked.
        case request(String, bodyBytes: Int, script: Duration)
        /// What it asked for has come, as the script sees it.
        case answer(ProviderResponse, from: ResponseOrigin, took: Duration)
        /// There is no answer.
        case failedRequest(String, took: Duration)
        /// The result, known from the last time: neither script nor source was asked.
        case known(OperationResultSummary)
        /// The result.
        case result(OperationResultSummary, script: Duration)
        /// The operation failed.
        case failed(String)
    }

    /// Whose work it is.
    package let provider: ProviderID
    /// Which call, counted from 1; 0 for the evaluation of the file.
    package let call: Int
    /// What is called; nil for the evaluation of the file.
    package let operation: Operation?
    /// Since the call began.
    package let elapsed: Duration
    /// What happened.
    package let step: Step
}

/// What came of an operation, for people.
package struct OperationResultSummary: Hashable, Sendable, CustomStringConvertible {
    /// `20 items of 500, then page 2`.
    package let description: String
}
