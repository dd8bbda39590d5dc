import ProviderModel

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
            findings.fail(TestReport.Problem(error, during: "\(call)", at: subject.location(of: call.operation)))
        }
        let recorded = Set(subject.recorded.map(\.call.operation)).union(subject.unreadCalls.map(\.call.operation))
        let missing = subject.manifest.operations.map(\.operation).filter { $0 != .session && !recorded.contains($0) }
        if !missing.isEmpty {
            findings.warn(
                TestReport.Problem(
                    "found no recorded answers to \(missing.map(\.rawValue).joined(separator: ", ")), expected some to each operation",
                    advice:
                        "imgscript test --record --mode new, or write them by hand in the shape the source documents"))
        }
        findings.note = subject.recorded.map { "\($0.call)" }.prefix(8).joined(separator: ", ")
        return findings
    }
}
