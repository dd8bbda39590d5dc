import HTTPTransport
import ProviderModel

/// Requests go only to the hosts that the file declares; looked at last, over everything that was asked.
struct HostsCheck: ConformanceCheck {
    let name = "requests go only to declared hosts"
    let reason = "The hosts are what users allow, and the only places their key may go."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let asked = subject.stub.servers
        guard !asked.isEmpty else { return .skipped("no request was made") }
        var findings = CheckFindings()
        for request in asked where !request.scope.admits(request.url) {
            let hosts = subject.manifest.hosts.map(\.description).joined(separator: ", ")
            findings.fail(
                TestReport.Problem(
                    "found a request to \(request.url.origin), expected one of the hosts (\(hosts))",
                    hint: "list “\(request.url.authority)” in hosts, or mend the URL",
                    location: Self.place(of: request.url.host, in: subject), path: "hosts"))
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
