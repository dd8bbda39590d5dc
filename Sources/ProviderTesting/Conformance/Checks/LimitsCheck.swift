import HTTPTransport
import ProviderModel

/// The page size that goes out is the one asked for, within what the manifest declares.
struct LimitsCheck: ConformanceCheck {
    let name = "page sizes keep to the limits"
    let reason = "Sources refuse, cut or ban what asks for more than they give at once."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let size = subject.manifest.limits.pageSize
        let calls = subject.sampleCalls.filter { $0.query != nil }
        guard !calls.isEmpty else { return .skipped("there is no listing that can be asked") }
        var findings = CheckFindings()
        var notes: [String] = []
        for call in calls {
            guard let small = await numbers(of: call, limit: size.minimum, on: subject),
                let large = await numbers(of: call, limit: size.maximum, on: subject)
            else { continue }
            let moving = large.filter { name, value in small[name].map { $0 != value } ?? false }
            for (name, value) in moving.sorted(by: { $0.key < $1.key }) where value > size.maximum {
                findings.fail(
                    TestReport.Problem(
                        "\(call.operation) with a limit of \(size.maximum): found \(name) = \(value), expected at most "
                            + "limits.pageSize.max (\(size.maximum))",
                        hint: "send q.limit as it is; the host has clamped it",
                        location: subject.requestLocation(of: call.operation)))
            }
            let fixed = large.filter { name, value in
                Self.isSizeName(name) && small[name] == value && value > size.maximum
            }
            for (name, value) in fixed.sorted(by: { $0.key < $1.key }) {
                findings.fail(
                    TestReport.Problem(
                        "\(call.operation): found \(name) = \(value) whatever the limit, expected at most \(size.maximum)",
                        hint: "send q.limit, or declare limits.pageSize as the source has it",
                        location: subject.requestLocation(of: call.operation)))
            }
            notes.append(
                moving.isEmpty
                    ? "\(call.operation) sends no size"
                    : "\(call.operation) \(moving.keys.sorted().joined(separator: ", "))")
        }
        findings.note = "\(size.minimum) to \(size.maximum): \(notes.joined(separator: "; "))"
        return findings
    }

    /// The whole numbers among a request's pairs and the members of its JSON body, by name.
    private func numbers(of call: ProviderCall, limit: Int, on subject: ConformanceSubject) async -> [String: Int]? {
        guard var query = call.query else { return nil }
        query.limit = limit
        query.offset = 0
        guard case .success(let requests) = await subject.firstRequests(of: call.with(query)),
            let request = requests.first
        else { return nil }
        var numbers: [String: Int] = [:]
        for pair in request.url.queryItems { numbers[pair.name] = Int(pair.value) }
        if let body = JSONValue.found(in: request.body) { collect(body, at: "", into: &numbers) }
        return numbers
    }

    private func collect(_ json: JSONValue, at path: String, into numbers: inout [String: Int]) {
        for member in json.members ?? [] {
            collect(member.value, at: path.isEmpty ? member.name : "\(path).\(member.name)", into: &numbers)
        }
        if let number = json.integerValue { numbers[path] = number }
    }

    private static func isSizeName(_ name: String) -> Bool {
        ["per_page", "perpage", "page_size", "pagesize", "limit", "rows", "count", "hitsperpage"].contains(
            name.lowercased())
    }
}
