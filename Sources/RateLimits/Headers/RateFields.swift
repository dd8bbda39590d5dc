import HTTPTransport
import HTTPTypes

/// The `RateLimit` and `RateLimit-Policy` fields of draft-ietf-httpapi-ratelimit-headers, in the forms of its versions.
enum RateFields {
    private static let limit = HTTPField.Name("RateLimit")!
    private static let policy = HTTPField.Name("RateLimit-Policy")!

    /// The limits they tell of.
    static func quotas(in headers: HTTPFields, clock: ServerClock) -> [ServerQuota] {
        guard let value = headers[limit] else { return [] }
        let policies = StructuredItem.list(headers[policy] ?? "")
        let items = StructuredItem.list(value)
        if let quota = dictionary(items, policies, clock) { return [quota] }
        return items.compactMap { item in
            guard let remaining = item["r"].flatMap(RateNumber.leading) else { return nil }
            let policy = policies.first { $0.text == item.text }
            return ServerQuota(
                scope: item.text,
                limit: policy?["q"].flatMap(RateNumber.leading),
                remaining: remaining,
                reset: item["t"].flatMap { clock.reset($0, unit: .seconds) },
                window: policy?["w"].flatMap(RateNumber.leading).map { .seconds($0) }
            )
        }
    }

    /// `limit=100, remaining=50, reset=30`, as version 7 had it.
    private static func dictionary(
        _ items: [StructuredItem],
        _ policies: [StructuredItem],
        _ clock: ServerClock
    ) -> ServerQuota? {
        let pairs = items.map { $0.text.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
        let values = Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
        guard let remaining = values["remaining"].flatMap({ RateNumber.leading(in: $0) }) else { return nil }
        let limit = values["limit"].flatMap { RateNumber.leading(in: $0) }
        let policy = policies.first { RateNumber.leading(in: $0.text) == limit }
        return ServerQuota(
            limit: limit,
            remaining: remaining,
            reset: values["reset"].flatMap { clock.reset(String($0), unit: .seconds) },
            window: policy?["w"].flatMap(RateNumber.leading).map { .seconds($0) }
        )
    }
}
