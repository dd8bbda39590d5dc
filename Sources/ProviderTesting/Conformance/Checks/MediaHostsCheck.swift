import ProviderModel

/// Every file lies on one of the declared media hosts.
struct MediaHostsCheck: ConformanceCheck {
    let name = "every file is on a media host"
    let reason = "The host fetches bytes from mediaHosts alone; a file elsewhere can never be downloaded."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        let downloads = subject.recorded.compactMap { known in known.result.media.map { (known.call, $0) } }
        guard !items.isEmpty || !downloads.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        var count = 0
        for (call, index, item) in items {
            for (place, file) in item.media.enumerated() {
                count += 1
                check(file, of: call, path: "items[\(index)].media[\(place)].url", on: subject, &findings)
            }
            if item.media.isEmpty, item.type == .image {
                findings.warn(
                    TestReport.Problem(
                        "\(call): found an image without media (\(item.id.quoted)), expected at least one file",
                        hint: "leave out what has no file", location: subject.location(of: call.operation),
                        path: "items[\(index)].media"))
            }
        }
        for (call, file) in downloads { check(file, of: call, path: "url", on: subject, &findings) }
        findings.note = "\(count) files"
        return findings
    }

    private func check(
        _ file: Media, of call: ProviderCall, path: String, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        let hosts = subject.manifest.mediaHosts
        guard !hosts.contains(where: { $0.matches(file.url, instance: subject.instance) }) else { return }
        let isKnown = findings.failures.contains { $0.message.contains(" \(file.url.origin),") }
        guard !isKnown else { return }
        findings.fail(
            TestReport.Problem(
                "\(call): found a file on \(file.url.origin), expected one of mediaHosts "
                    + "(\(hosts.map(\.description).joined(separator: ", ")))",
                hint: file.url.scheme == .http
                    ? "use https if the source has it, else list “http://\(file.url.authority)”"
                    : "list “\(file.url.authority)” in mediaHosts", location: subject.location(of: call.operation),
                path: path))
    }
}
