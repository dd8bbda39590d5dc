import HTTPTransport
import ProviderModel

/// The same question twice makes the same requests and reads the same items, whatever was asked between.
struct PurityCheck: ConformanceCheck {
    let name = "the same question gives the same requests"
    let reason = "The host repeats, caches and pages side by side; state between calls makes results depend on chance."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.sampleCalls
        guard !calls.isEmpty else {
            return .skipped("there is no operation that can be asked without knowing the source")
        }
        var findings = CheckFindings()
        for call in calls {
            let before = await subject.firstRequests(of: call)
            if let query = call.query {
                var other = query
                other.text = call.operation == .search ? "another question" : ""
                other.page += 1
                other.offset += other.limit
                _ = await subject.firstRequests(of: call.with(other))
            }
            let after = await subject.firstRequests(of: call)
            guard case .success(let first) = before, case .success(let second) = after else { continue }
            compare(first, second, of: call, on: subject, &findings)
            await compareResults(of: call, on: subject, &findings)
        }
        return findings
    }

    private func compare(
        _ first: [TransportRequest], _ second: [TransportRequest], of call: ProviderCall,
        on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        guard first.map(\.wire) != second.map(\.wire) else { return }
        let old = first.map(\.wire).joined(separator: "\n"), new = second.map(\.wire).joined(separator: "\n")
        findings.fail(
            TestReport.Problem(
                "\(call) asked twice: found two different requests, expected the same",
                hint: "make the request from q alone: no variable outside the function, no clock, no chance",
                location: subject.requestLocation(of: call.operation), diff: LineDifference(from: old, to: new).text))
    }

    private func compareResults(
        of call: ProviderCall, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) async {
        guard let known = subject.recorded.first(where: { $0.call == call }),
            case .success(let again) = await subject.play(call).result, again != known.result
        else { return }
        let old = known.result.items.map(\.contractJSON.description), new = again.items.map(\.contractJSON.description)
        let difference = zip(old, new).first { $0 != $1 }
        findings.fail(
            TestReport.Problem(
                "\(call) asked twice over the same answers: found \(new.count) items that differ from the \(old.count) before",
                hint: "read the items from the answer alone", location: subject.location(of: call.operation),
                diff: difference.map { LineDifference(from: Self.pretty($0.0), to: Self.pretty($0.1)).text }))
    }

    private static func pretty(_ json: String) -> String { JSONValue.found(in: json.utf8)?.pretty ?? json }
}
