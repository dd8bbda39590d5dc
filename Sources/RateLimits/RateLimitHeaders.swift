import HTTPTransport
import HTTPTypes
import ProviderModel

/// Reads every kind of rate-limit header line that services send.
enum RateLimitHeaders {
    /// The limits a response names, each once.
    static func quotas(in headers: HTTPFields, limits: Limits, clock: ServerClock) -> [ServerQuota] {
        var quotas: [String: ServerQuota] = [:]
        var resets: [String: String] = [:]
        for field in headers {
            guard let name = RateLimitHeaderName(field.name.canonicalName) else { continue }
            var quota = quotas[name.scope] ?? ServerQuota(scope: name.scope, window: name.window)
            switch name.part {
            case .limit: quota.read(limit: field.value)
            case .remaining:
                // Of two lines with one name the stricter applies.
                let said = RateNumber.leading(in: field.value)
                quota.remaining = [quota.remaining, said].compactMap(\.self).min()
            case .reset: resets[name.scope] = field.value
            case .resetAfter: quota.reset = clock.reset(field.value, unit: .seconds)
            }
            quotas[name.scope] = quota
        }
        for (scope, text) in resets where quotas[scope]?.reset == nil { quotas[scope]?.reset = clock.reset(text) }
        readDeclaredReset(in: headers, limits, clock, into: &quotas)
        for quota in RateLimitFields.quotas(in: headers, clock: clock) { quotas[quota.scope] = quota }
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
        let own = RateLimitHeaderName(header.canonicalName)?.scope ?? ""
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

// MARK: - The IETF's fields

/// The `RateLimit` and `RateLimit-Policy` fields of draft-ietf-httpapi-ratelimit-headers, in the forms of its versions.
enum RateLimitFields {
    private static let limit = HTTPField.Name("RateLimit")!
    private static let policy = HTTPField.Name("RateLimit-Policy")!

    /// The limits they name.
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

// MARK: - Names and numbers

/// What a header line is called: `X-RateLimit-Remaining`, `x-ratelimit-available-anon_burst`, `X-RateLimit-UserReset`.
struct RateLimitHeaderName: Hashable {
    enum Part { case limit, remaining, reset, resetAfter }

    let part: Part
    /// Which of the server's limits; empty when there is but one.
    let scope: String

    private static let prefixes = ["x-ratelimit-", "x-rate-limit-", "ratelimit-"]
    private static let words: [(String, Part)] = [
        ("reset-after", .resetAfter), ("reset", .reset), ("remaining", .remaining), ("available", .remaining),
        ("limit", .limit),
    ]

    /// Parses a name in small letters; nil when it is about something else.
    init?(_ name: String) {
        guard name.utf8.count <= 100, let prefix = Self.prefixes.first(where: name.hasPrefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        for (word, part) in Self.words {
            if rest.hasPrefix(word) {
                let tail = rest.dropFirst(word.count)
                guard tail.first.map({ $0 == "-" || $0 == "_" }) ?? true else { continue }
                self.part = part
                scope = String(tail.dropFirst())
                return
            }
            if rest.hasSuffix(word) {
                self.part = part
                let head = rest.dropLast(word.count)
                scope = String(head.last == "-" ? head.dropLast() : head)
                return
            }
        }
        return nil
    }

    /// The window, where the scope is called after it: `X-RateLimit-Remaining-Minute`.
    var window: Duration? { RateNumber.unit(scope) }
}

/// The numbers in rate-limit header lines.
enum RateNumber {
    private static let units: [(names: [String], seconds: Int)] = [
        (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
        (["h", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400), (["month"], 30 * 86_400),
    ]

    /// The number a value begins with, decimals cut off, never below zero: `88.0`, `100, 100;w=60`, `20/min`.
    static func leading(in value: some StringProtocol) -> Int? {
        let digits = value.drop { $0 == " " }.prefix { "-.0123456789".contains($0) }
        return ServerClock.number(digits).map { Int(max(0, $0)) }
    }

    /// The length of a unit by its name.
    static func unit(_ name: some StringProtocol) -> Duration? {
        let name = name.lowercased()
        return units.first { $0.names.contains(name) }.map { .seconds($0.seconds) }
    }
}

// MARK: - Structured fields

/// A member of a structured list (RFC 9651), read leniently: `"default";r=50;t=30`.
struct StructuredItem: Hashable {
    /// The item itself, without quotes.
    let text: String
    private let parameters: [String: String]

    /// The members of a list.
    static func list(_ value: String) -> [StructuredItem] {
        split(value, at: ",").compactMap { member in
            var parts = split(member, at: ";")[...]
            guard let text = parts.popFirst(), !text.isEmpty else { return nil }
            let pairs = parts.map { $0.split(separator: "=", maxSplits: 1).map(unquoted) }.filter { $0.count == 2 }
            return StructuredItem(
                text: unquoted(text),
                parameters: Dictionary(pairs.map { ($0[0], $0[1]) }) { _, last in last }
            )
        }
    }

    /// The value of a parameter.
    subscript(name: String) -> String? { parameters[name] }

    private static func unquoted(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != "\"" && $0 != "\\" })
    }

    /// The parts between separators that are not inside quotes, without blanks at their ends.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text.prefix(8_192) {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted {
                parts.append("")
            } else if isQuoted || (character != " " && character != "\t") {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
