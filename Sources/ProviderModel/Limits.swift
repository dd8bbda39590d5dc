/// How much a source gives at once, in all, and how often.
public struct Limits: Hashable, Sendable {
    /// Items per page.
    public struct PageSize: Hashable, Sendable {
        /// The fewest the source takes.
        public var minimum: Int
        /// The most.
        public var maximum: Int
        /// What is asked for when the user says nothing.
        public var `default`: Int

        /// Sizes from `minimum` to `maximum`.
        public init(minimum: Int, maximum: Int, default: Int) {
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
        }

        /// The size within the limits that is nearest to `wanted`.
        public func clamp(_ wanted: Int) -> Int { min(max(wanted, minimum), maximum) }
    }

    /// How a rate-limit header says when the window ends.
    public enum ResetUnit: String, Sendable, CaseIterable {
        /// Seconds left.
        case seconds
        /// A Unix time.
        case unix
        /// An ISO 8601 date and time.
        case iso
    }

    /// So many requests in so many seconds.
    public struct Rate: Hashable, Sendable, CustomStringConvertible {
        /// Requests in one window.
        public var requests: Int
        /// The window in seconds.
        public var seconds: Int
        /// The rate as the manifest has it: `50/1h`.
        public let description: String

        /// Parses `100/60s`, `50/1h`, `200/1d`; nil when it is none of these.
        public init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let requests = Int(parts[0]), requests > 0, let unit = parts[1].last,
                let factor = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][unit], let count = Int(parts[1].dropLast()),
                count > 0, count < 10_000
            else { return nil }
            self.requests = requests
            seconds = count * factor
            description = text
        }
    }

    /// Items per page.
    public var pageSize = PageSize(minimum: 1, maximum: 100, default: 20)
    /// The most items a listing lets anyone reach, whatever its total says.
    public var reachable: Int?
    /// The fewest characters a search text may have.
    public var textMinimum = 0
    /// The most characters a search text may have.
    public var textMaximum: Int?
    /// The rates allowed, all of which hold.
    public var rates: [Rate] = []
    /// The most requests that may be under way at once; nil where the source sets no bound.
    public var concurrent: Int?
    /// The header that says when the rate window ends.
    public var resetHeader: String?
    /// What that header counts in.
    public var resetUnit: ResetUnit?

    package init() {}
}
