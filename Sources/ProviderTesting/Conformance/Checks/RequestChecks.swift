import HTTPTransport
import ProviderModel

/// The same question twice makes the same requests and reads the same items, whatever was asked between.
struct PurityCheck: ConformanceCheck {
    let name = "the same query gives the same requests"
    let reason = "Calls are repeated, cached and run concurrently; state between calls makes results unpredictable."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.sampleCalls
        guard !calls.isEmpty else {
            return .skipped("no operation can be called without knowing the source")
        }
        var findings = CheckFindings()
        for call in calls {
            let before = await subject.firstRequests(of: call)
            if let query = call.query {
                var other = query
                other.text = call.operation == .search ? "another query" : ""
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
            "\(call) called twice: found two different requests, expected the same",
            hint: "build the request from q alone: no variables outside the function, no clock, no random numbers",
            location: subject.requestLocation(of: call.operation), diff: LineDifference(from: old, to: new).text)
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
            "\(call) called twice with the same responses: found \(new.count) items that differ from the \(old.count) before",
            hint: "read the items from the response alone", location: subject.location(of: call.operation),
            diff: difference.map { LineDifference(from: Self.pretty($0.0), to: Self.pretty($0.1)).text })
    }

    private static func pretty(_ json: String) -> String { JSONValue.found(in: json.utf8)?.pretty ?? json }
}

/// The page size that goes out is the one asked for, within what the manifest declares.
struct LimitsCheck: ConformanceCheck {
    let name = "page sizes are within the limits"
    let reason = "Sources reject or truncate larger pages, or block the client."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let size = subject.manifest.limits.pageSize
        let calls = subject.sampleCalls.filter { $0.query != nil }
        guard !calls.isEmpty else { return .skipped("no listing can be called") }
        var findings = CheckFindings()
        var notes: [String] = []
        for call in calls {
            guard let small = await numbers(of: call, limit: size.minimum, on: subject),
                let large = await numbers(of: call, limit: size.maximum, on: subject)
            else { continue }
            let moving = large.filter { name, value in small[name].map { $0 != value } ?? false }
            for (name, value) in moving.sorted(by: { $0.key < $1.key }) where value > size.maximum {
                findings.fail(
                    "\(call.operation) with a limit of \(size.maximum): found \(name) = \(value), expected at most "
                        + "limits.pageSize.max (\(size.maximum))",
                    hint: "send q.limit as it is; it is within the limits already",
                    location: subject.requestLocation(of: call.operation))
            }
            let fixed = large.filter { name, value in
                Self.isSizeName(name) && small[name] == value && value > size.maximum
            }
            for (name, value) in fixed.sorted(by: { $0.key < $1.key }) {
                findings.fail(
                    "\(call.operation): found \(name) = \(value) whatever the limit, expected at most \(size.maximum)",
                    hint: "send q.limit, or declare the source's page size in limits.pageSize",
                    location: subject.requestLocation(of: call.operation))
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

    /// Whether a parameter is named like a page's size.
    static func isSizeName(_ name: String) -> Bool {
        ["per_page", "perpage", "page_size", "pagesize", "limit", "rows", "count", "hitsperpage"].contains(
            name.lowercased())
    }
}

/// A listing that takes a point sends it, and one that sends it declares it.
struct PointCheck: ConformanceCheck {
    let name = "a point is sent if near is declared"
    let reason = "Without near: true a point is an error; with it, users expect images near the point."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.sampleCalls.filter { $0.query != nil }
        guard !calls.isEmpty else { return .skipped("no listing can be called") }
        var findings = CheckFindings()
        var taking: [String] = []
        for call in calls {
            guard let description = subject.manifest.description(of: call.operation) else { continue }
            if description.takesPoint { taking.append(call.operation.rawValue) }
            guard let sends = await sendsPoint(call, on: subject), sends != description.takesPoint else { continue }
            let (found, expected, hint): (String, String, Hint) =
                sends
                ? ("it in the request", "near: true", "add near: true beside params")
                : ("the same request", "another one", "use q.near, or leave out near: true")
            findings.fail(
                "\(call.operation) with a point: found \(found), expected \(expected)", hint: hint,
                location: subject.requestLocation(of: call.operation))
        }
        findings.note = taking.isEmpty ? "no operation takes one" : taking.joined(separator: ", ")
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
