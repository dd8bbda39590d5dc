import ProviderModel

extension ReviewedProvider {
    /// What keeps operations from asking at all.
    var requestRemarks: [ProviderRemark] {
        [Operation.search, .feed].compactMap { operation in
            guard let fault = observation.faults[operation] else { return nil }
            let subject = "\(operation)\(fault.phase.map { ".\($0)" } ?? "")"
            let path = fault.path.map { "\($0): " } ?? ""
            return ProviderRemark(
                "request", .error, at: fault.location ?? place(of: operation), "\(subject): \(path)\(fault.message)",
                fix: fault.hint ?? Self.fix(of: fault))
        }
    }

    private static func fix(of fault: ProviderError) -> String {
        if fault.message.hasSuffix("found a promise") {
            return
                "nothing in a provider waits: write { request, parse }, or a generator that yields requests, *search(q)"
        }
        if fault.message.hasPrefix("expected a field of a request") {
            return "a request has url, method, query, headers, json, form, body, accept, auth and allowStatus"
        }
        if fault.message.hasPrefix("expected a request") { return "write { url: 'https://…', query: { q: q.text } }" }
        if fault.path == "url", fault.message.hasSuffix("found undefined") {
            return "give every request a url"
        }
        if fault.code == .script { return "q has text, page, offset, limit, cursor, params, near and instance" }
        return "see what the contract has in this place"
    }
}
