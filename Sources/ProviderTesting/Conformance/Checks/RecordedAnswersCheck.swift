import ProviderModel
import ProviderRuntime

/// Every good answer that was recorded for an operation is read without an error.
struct RecordedAnswersCheck: ConformanceCheck {
    let name = "recorded answers are read"
    let reason = "What the source gave once it gives to everyone."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.cassettes.isEmpty else {
            return .skipped(
                "there are no cassettes; imgscript test --record makes them in cassettes/\(subject.manifest.id)")
        }
        var findings = CheckFindings()
        for (call, error) in subject.unreadCalls {
            let place = subject.location(of: call.operation)
            findings.fail(TestReport.Problem(error, during: "\(call)", at: place))
            for other in (error as? ProviderError)?.others ?? [] {
                findings.fail(TestReport.Problem(other, during: "\(call)", at: place))
            }
        }
        let recorded = Set(subject.recorded.map(\.call.operation)).union(subject.unreadCalls.map(\.call.operation))
        let missing = subject.manifest.operations.map(\.operation).filter { $0 != .session && !recorded.contains($0) }
        for operation in missing {
            let nearest = await nearest(to: operation, on: subject).map { ":\n\($0)" } ?? ""
            findings.warn(
                TestReport.Problem(
                    "found no recorded answer to \(operation), expected one to each operation\(nearest)",
                    hint:
                        "imgscript test --record --mode new, or write one by hand in the shape the source documents"))
        }
        findings.note = subject.recorded.map { "\($0.call)" }.prefix(8).joined(separator: ", ")
        return findings
    }

    /// What a request of an operation is, and how the recorded ones differ from it.
    private func nearest(to operation: Operation, on subject: ConformanceSubject) async -> UnmatchedRequest? {
        guard let call = subject.sampleCalls.first(where: { $0.operation == operation }),
            case .failure(let error) = await subject.play(call).result
        else { return nil }
        return error as? UnmatchedRequest
    }
}
