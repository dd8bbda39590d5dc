import ProviderModel

/// The errors that the source itself was recorded to give become clear errors.
struct RecordedErrorsCheck: ConformanceCheck {
    let name = "the source's own errors are understood"
    let reason = "Every source has its own way to fail, often inside a 200; users should read its reason."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.failingCalls.isEmpty else {
            return .skipped("no recorded errors (cassettes/\(subject.manifest.id)/errors.json)")
        }
        var findings = CheckFindings()
        for (call, status) in subject.failingCalls {
            guard case .failure(let error) = await subject.play(call).result else { continue }
            guard let error = error as? ProviderError else {
                findings.fail(TestReport.Problem(error, during: "\(call), recorded with status \(status)"))
                continue
            }
            let clear: [ProviderError.Code] = [.auth, .rate, .notFound, .blocked, .unsupported, .changed, .transport]
            guard !clear.contains(error.code) else { continue }
            findings.fail(
                TestReport.Problem(
                    "\(call), recorded with status \(status): found an error of kind \(error.code.rawValue) "
                        + "(\(error.message.quoted)), expected one of auth, rate, notFound, blocked, unsupported, changed",
                    hint: "call fail(kind, message) in check where the answer says what is wrong",
                    location: error.location,
                    path: error.path))
        }
        findings.note = "\(subject.failingCalls.count) recorded errors"
        return findings
    }
}
