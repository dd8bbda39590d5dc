/// What a header line is called: `X-RateLimit-Remaining`, `x-ratelimit-available-anon_burst`, `X-RateLimit-UserReset`.
struct RateHeaderName: Hashable {
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
