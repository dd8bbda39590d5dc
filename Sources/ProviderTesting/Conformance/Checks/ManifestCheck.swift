import ProviderModel

/// The manifest says everything that users and the host need, without contradiction.
struct ManifestCheck: ConformanceCheck {
    let name = "the manifest is whole"
    let reason = "Users read it before they ask, and the host pages, waits and credits by it."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let manifest = subject.manifest
        var findings = CheckFindings()
        let listings = manifest.operations.filter { [.search, .feed, .collection].contains($0.operation) }
        if listings.isEmpty {
            findings.fail(
                problem("no listing", "found neither search, feed nor collection", "give it at least one of them"))
        }
        checkLimits(manifest.limits, &findings)
        checkParameters(of: manifest, &findings)
        for match in manifest.matches { check(match, of: manifest, &findings) }
        if manifest.hosts.isEmpty {
            findings.fail(problem("hosts", "is empty", "list the hosts that requests go to", path: "hosts"))
        }
        if manifest.mediaHosts.isEmpty {
            findings.fail(problem("mediaHosts", "is empty", "list the hosts that files come from", path: "mediaHosts"))
        }
        // Of software that runs on many servers, each server has its own.
        if manifest.terms.url == nil, manifest.instance == nil {
            findings.warn(problem("terms.url", "is missing", "say where the source's terms stand", path: "terms.url"))
        }
        let ways = manifest.authentication.filter { !$0.secretNames.isEmpty }
        if !ways.isEmpty, ways.allSatisfy({ $0.help == nil }) {
            findings.warn(problem("auth.help", "is missing", "say where to get a key", path: "auth.help"))
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
        if size.minimum > size.standard || size.standard > size.maximum || size.minimum < 1 {
            findings.fail(
                problem(
                    "limits.pageSize",
                    "is min \(size.minimum), default \(size.standard), max \(size.maximum); expected "
                        + "1 ≤ min ≤ default ≤ max", "mend the numbers", path: "limits.pageSize"))
        }
        if let reachable = limits.reachable, reachable < size.minimum {
            findings.fail(
                problem(
                    "limits.reachable", "is \(reachable), less than one page", "mend the number",
                    path: "limits.reachable"))
        }
        if let maximum = limits.textMaximum, maximum < max(1, limits.textMinimum) {
            findings.fail(
                problem(
                    "limits.text", "is min \(limits.textMinimum), max \(maximum)", "mend the numbers",
                    path: "limits.text"))
        }
    }

    private func checkParameters(of manifest: ProviderManifest, _ findings: inout CheckFindings) {
        for operation in manifest.operations {
            for parameter in operation.parameters {
                let path = "\(operation.operation).params.\(parameter.name)"
                // Why it is none is said in full here.
                if let standard = parameter.standard, (try? parameter.value(from: standard)) == nil {
                    findings.fail(
                        problem(
                            "\(path).default", "is \(standard.quoted), expected \(parameter.expectation)",
                            "mend the default", path: "\(path).default"))
                }
                if parameter.kind == .choice, parameter.values.isEmpty {
                    findings.fail(
                        problem("\(path).values", "is empty", "list what may be chosen", path: "\(path).values"))
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
                    "name it in the pattern", path: "match"))
        }
        let operation: Operation = match.type == .collection ? .collection : .details
        if manifest.description(of: operation) == nil {
            findings.warn(
                problem(
                    "match",
                    "\(match.pattern.quoted) leads to \(match.type.rawValue)s, but there is no \(operation) operation",
                    "write \(operation), or leave the pattern out", path: "match"))
        }
    }

    private func problem(_ subject: String, _ found: String, _ hint: String, path: String? = nil)
        -> TestReport.Problem
    {
        TestReport.Problem(path == nil ? "\(subject): \(found)" : found, hint: hint, path: path)
    }
}
