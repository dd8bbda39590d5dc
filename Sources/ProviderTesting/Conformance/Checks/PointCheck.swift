import HTTPTransport
import ProviderModel

/// A listing that takes a point sends it, and one that sends it says so.
struct PointCheck: ConformanceCheck {
    let name = "a point is sent where near says so"
    let reason = "Without near: true the host refuses --near; with it, people believe that they see what is near."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.sampleCalls.filter { $0.query != nil }
        guard !calls.isEmpty else { return .skipped("there is no listing that can be asked") }
        var findings = CheckFindings()
        var taking: [String] = []
        for call in calls {
            guard let description = subject.manifest.description(of: call.operation) else { continue }
            if description.takesPoint { taking.append(call.operation.rawValue) }
            guard let sends = await sendsPoint(call, on: subject), sends != description.takesPoint else { continue }
            let (found, expected, hint) =
                sends
                ? ("it in the request", "near: true", "say near: true beside params")
                : ("the same request", "another one", "use q.near, or leave out near: true")
            findings.fail(
                TestReport.Problem(
                    "\(call.operation) with a point: found \(found), expected \(expected)", hint: hint,
                    location: subject.requestLocation(of: call.operation)))
        }
        findings.note = taking.isEmpty ? "none takes one" : taking.joined(separator: ", ")
        return findings
    }

    /// Whether a point changes what is sent; nil where nothing is.
    private func sendsPoint(_ call: ProviderCall, on subject: ConformanceSubject) async -> Bool? {
        guard var query = call.query else { return nil }
        query.near = nil
        let plain = await subject.firstRequests(of: call.with(query))
        query.near = ProviderQuery.Point(latitude: 52.52, longitude: 13.405)
        let around = await subject.firstRequests(of: call.with(query))
        guard case .success(let before) = plain, case .success(let after) = around else { return nil }
        return before.map(\.wire) != after.map(\.wire)
    }
}
