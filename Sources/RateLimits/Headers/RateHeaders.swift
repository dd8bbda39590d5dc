import HTTPTransport
import HTTPTypes
import ProviderModel

/// Reads every kind of rate-limit header line that services send.
package enum RateHeaders {
    /// The limits an answer tells of, each once.
    package static func quotas(in headers: HTTPFields, limits: Limits, clock: ServerClock) -> [ServerQuota] {
        var quotas: [String: ServerQuota] = [:]
        var resets: [String: String] = [:]
        for field in headers {
            guard let name = RateHeaderName(field.name.canonicalName) else { continue }
            var quota = quotas[name.scope] ?? ServerQuota(scope: name.scope, window: name.window)
            switch name.part {
            case .limit: quota.read(limit: field.value)
            case .remaining:
                // Of two lines of one name the stricter holds.
                let said = RateNumber.leading(in: field.value)
                quota.remaining = [quota.remaining, said].compactMap(\.self).min()
            case .reset: resets[name.scope] = field.value
            case .resetAfter: quota.reset = clock.reset(field.value, unit: .seconds)
            }
            quotas[name.scope] = quota
        }
        for (scope, text) in resets where quotas[scope]?.reset == nil { quotas[scope]?.reset = clock.reset(text) }
        readDeclaredReset(in: headers, limits, clock, into: &quotas)
        for quota in RateFields.quotas(in: headers, clock: clock) { quotas[quota.scope] = quota }
        return quotas.values.filter { $0.remaining != nil || $0.reset != nil }
            .sorted { $0.scope < $1.scope }.prefix(RateLimitFeedback.scopeLimit).map(\.self)
    }

    /// The header the provider names is read as the provider says, and ends the window of every limit that says none.
    private static func readDeclaredReset(
        in headers: HTTPFields,
        _ limits: Limits,
        _ clock: ServerClock,
        into quotas: inout [String: ServerQuota]
    ) {
        guard let text = limits.resetHeader, let header = HTTPField.Name(text), let value = headers[header],
            let reset = clock.reset(value, unit: limits.resetUnit)
        else { return }
        let own = RateHeaderName(header.canonicalName)?.scope ?? ""
        quotas[own, default: ServerQuota(scope: own)].reset = reset
        for scope in quotas.keys where quotas[scope]?.reset == nil && quotas[scope]?.window == nil {
            quotas[scope]?.reset = reset
        }
    }
}

extension ServerQuota {
    /// `100`, `20/min`, or with the policies that drafts of the RateLimit fields appended: `100, 100;w=60`.
    fileprivate mutating func read(limit value: String) {
        limit = RateNumber.leading(in: value)
        if let unit = value.split(separator: "/").dropFirst().first { window = RateNumber.unit(unit) ?? window }
        let policy = StructuredItem.list(value).first { RateNumber.leading(in: $0.text) == limit && $0["w"] != nil }
        if let seconds = policy?["w"].flatMap(RateNumber.leading) { window = .seconds(seconds) }
    }
}
