import HTTPTransport
import ProviderModel

/// The manifest says everything that users and the host need, without contradiction.
struct ManifestCheck: ConformanceCheck {
    let name = "the manifest is complete"
    let reason = "Users rely on it, and paging, rate limits and credits follow from it."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let manifest = subject.manifest
        var findings = CheckFindings()
        let listings = manifest.operations.filter { [.search, .feed, .collection, .similar].contains($0.operation) }
        if listings.isEmpty {
            findings.fail(
                problem("no listing", "found neither search, feed nor collection", "add at least one of them"))
        }
        checkLimits(manifest.limits, &findings)
        checkParameters(of: manifest, &findings)
        for match in manifest.matches { check(match, of: manifest, &findings) }
        if manifest.hosts.isEmpty {
            findings.fail(problem("hosts", "is empty", "list the hosts of the requests", path: "hosts"))
        }
        if manifest.mediaHosts.isEmpty {
            findings.fail(problem("mediaHosts", "is empty", "list the hosts of the files", path: "mediaHosts"))
        }
        // Of software that runs on many servers, each server has its own.
        if manifest.terms.url == nil, manifest.instance == nil {
            findings.warn(problem("terms.url", "is missing", "add the URL of the source's terms", path: "terms.url"))
        }
        let methods = manifest.authentication.filter { !$0.secretNames.isEmpty }
        if !methods.isEmpty, methods.allSatisfy({ $0.help == nil }) {
            findings.warn(problem("auth.help", "is missing", "add the URL where keys are issued", path: "auth.help"))
        }
        let needsSession = manifest.authentication.contains(where: \.needsSession)
        if needsSession, manifest.description(of: .session) == nil {
            findings.fail(
                problem("auth", "uses {session.…}, but there is no session operation", "write session", path: "auth"))
        }
        findings.note =
            "\(manifest.id) \(manifest.version): \(manifest.operations.map(\.operation.rawValue).joined(separator: ", "))"
        return findings
    }

    private func checkLimits(_ limits: Limits, _ findings: inout CheckFindings) {
        let size = limits.pageSize
        if size.minimum > size.default || size.default > size.maximum || size.minimum < 1 {
            findings.fail(
                problem(
                    "limits.pageSize",
                    "is min \(size.minimum), default \(size.default), max \(size.maximum); expected "
                        + "1 ≤ min ≤ default ≤ max", "fix the numbers", path: "limits.pageSize"))
        }
        if let reachable = limits.reachable, reachable < size.minimum {
            findings.fail(
                problem(
                    "limits.reachable", "is \(reachable), less than one page", "fix the number",
                    path: "limits.reachable"))
        }
        if let maximum = limits.textMaximum, maximum < max(1, limits.textMinimum) {
            findings.fail(
                problem(
                    "limits.text", "is min \(limits.textMinimum), max \(maximum)", "fix the numbers",
                    path: "limits.text"))
        }
    }

    private func checkParameters(of manifest: ProviderManifest, _ findings: inout CheckFindings) {
        for operation in manifest.operations {
            for parameter in operation.parameters {
                let path = "\(operation.operation).params.\(parameter.name)"
                // Why it is none is said in full here.
                if let standard = parameter.default, (try? parameter.value(from: standard)) == nil {
                    findings.fail(
                        problem(
                            "\(path).default", "is \(standard.quoted), expected \(parameter.expectation)",
                            "fix the default", path: "\(path).default"))
                }
                if parameter.kind == .choice, parameter.values.isEmpty {
                    findings.fail(
                        problem("\(path).values", "is empty", "list the choices", path: "\(path).values"))
                }
            }
        }
    }

    private func check(_ match: PageMatch, of manifest: ProviderManifest, _ findings: inout CheckFindings) {
        let known = Template(match.pattern).placeholders
        for name in Template(match.id).placeholders where !known.contains(name) {
            findings.fail(
                problem(
                    "match", "the id \(match.id.quoted) uses {\(name)}, which is not in \(match.pattern.quoted)",
                    "add it to the pattern", path: "match"))
        }
        let operation: ProviderOperation = match.type == .collection ? .collection : .details
        if manifest.description(of: operation) == nil {
            findings.warn(
                problem(
                    "match",
                    "\(match.pattern.quoted) leads to \(match.type.rawValue)s, but there is no \(operation) operation",
                    "add \(operation), or remove the pattern", path: "match"))
        }
    }

    private func problem(_ subject: String, _ found: String, _ hint: Hint, path: String? = nil)
        -> TestReport.Problem
    {
        TestReport.Problem(path == nil ? "\(subject): \(found)" : found, hint: hint, path: path)
    }
}

/// Requests go only to the hosts that the file declares; looked at last, over everything that was asked.
struct HostsCheck: ConformanceCheck {
    let name = "requests go only to declared hosts"
    let reason = "Users allow these hosts, and keys are only sent to them."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let asked = subject.stub.servers
        guard !asked.isEmpty else { return .skipped("no request was sent") }
        var findings = CheckFindings()
        for request in asked where !request.scope.admits(request.url) {
            let hosts = subject.manifest.hosts.map(\.description).joined(separator: ", ")
            findings.fail(
                "found a request to \(request.url.origin), expected one of the hosts (\(hosts))",
                hint: "list \"\(request.url.authority)\" in hosts, or fix the URL",
                location: Self.place(of: request.url.host, in: subject), path: "hosts")
        }
        findings.note = asked.map(\.url.authority).joined(separator: ", ")
        return findings
    }

    /// Where the host stands in the file; else where the first request is made.
    private static func place(of host: String, in subject: ConformanceSubject) -> SourceLocation? {
        // It has been read before.
        let source = try? subject.provider.file.source()
        return source.flatMap { SourceLocation(of: host, in: $0.text, file: $0.file) }
            ?? subject.manifest.operations.first.flatMap { subject.requestLocation(of: $0.operation) }
    }
}

/// How long a page takes, and how much memory the script needs.
struct CostCheck: ConformanceCheck {
    let name = "time and memory per page"
    let reason =
        "The limits are two seconds and some hundred megabytes per page; most providers need a thousandth of that."

    /// The part of what is allowed that is worth a word.
    private static let noteworthy = 0.25
    private static let megabytes = 256

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.recorded.isEmpty else { return .skipped("no recorded responses") }
        var findings = CheckFindings()
        var notes: [String] = []
        findings.memory = subject.worker.flatMap { WorkerMemory.peak(of: $0) }
        for operation in ProviderOperation.allCases {
            guard let known = subject.recorded.first(where: { $0.call.operation == operation }) else { continue }
            var best = known.duration
            var memory: Int?
            for _ in 0..<2 {
                let before = subject.worker.flatMap { worker in
                    WorkerMemory.forgetPeak(of: worker) ? WorkerMemory.held(by: worker) : nil
                }
                best = min(best, await subject.play(known.call).duration)
                let peak = subject.worker.flatMap { WorkerMemory.peak(of: $0) }
                if let before, let peak { memory = max(memory ?? 0, peak - before) }
                findings.memory = max(findings.memory ?? 0, peak ?? 0)
            }
            let items = known.result.page.map { " for \($0.items.count.counted("item"))" } ?? ""
            let bytes = memory.map { " and \($0.shownAsBytes)" } ?? ""
            notes.append("\(operation) \(best.shown)\(bytes)\(items)")
            if best.inSeconds > subject.settings.deadline.inSeconds * Self.noteworthy {
                findings.warn(
                    "\(known.call): found \(best.shown) over recorded responses, expected less than "
                        + "\((subject.settings.deadline * Self.noteworthy).shown)",
                    hint: "look for work that grows with the square of the number of items",
                    location: subject.location(of: operation))
            }
        }
        if let memory = findings.memory, Double(memory) > Double(Self.megabytes << 20) * Self.noteworthy * 2 {
            findings.warn(
                "found \(memory.shownAsBytes), half of the memory limit", hint: "keep less of the response")
        }
        findings.note = notes.joined(separator: ", ")
        return findings
    }
}
