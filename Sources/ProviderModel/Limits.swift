/// The limits of a source: page size, depth, request rates.
public struct Limits: Hashable, Sendable {
    /// Items per page.
    public struct PageSize: Hashable, Sendable {
        /// The smallest page size that the source accepts.
        public var minimum: Int
        /// The largest page size that the source accepts.
        public var maximum: Int
        /// The page size used when no other is requested.
        public var `default`: Int

        /// Creates bounds for the number of items per page.
        ///
        /// - Parameters:
        ///   - minimum: the smallest page size that the source accepts.
        ///   - maximum: the largest page size that the source accepts, at least `minimum`.
        ///   - default: the page size used when no other is requested.
        public init(minimum: Int, maximum: Int, default: Int) {
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
        }

        /// Brings a page size within the bounds.
        ///
        /// - Parameter wanted: the requested number of items per page.
        /// - Returns: the nearest number from ``minimum`` to ``maximum``.
        public func clamp(_ wanted: Int) -> Int { min(max(wanted, minimum), maximum) }
    }

    /// The unit of a rate-limit header that tells the end of the window.
    public enum ResetUnit: String, Sendable, CaseIterable {
        /// The seconds until the end.
        case seconds
        /// A Unix time.
        case unix
        /// An ISO 8601 date and time.
        case iso
    }

    /// A number of requests per window.
    public struct Rate: Hashable, Sendable, CustomStringConvertible {
        /// The number of requests in one window.
        public var requests: Int
        /// The length of the window in seconds.
        public var seconds: Int
        /// The rate as in the manifest: `50/1h`.
        public let description: String

        /// Parses a rate; nil when `text` is not one.
        ///
        /// - Parameter text: `REQUESTS/WINDOW` such as `100/60s`, `50/1h` or `200/1d`: at least 1 request, and a window of 1 to
        ///   9,999 seconds (s), minutes (m), hours (h) or days (d).
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
    /// The maximum number of items that paging can reach, whatever total the source reports; nil for no such limit.
    public var reachable: Int?
    /// The minimum length of a search text in characters.
    public var textMinimum = 0
    /// The maximum length of a search text in characters.
    public var textMaximum: Int?
    /// The maximum rates, all of which apply.
    public var rates: [Rate] = []
    /// The maximum number of requests at the same time; nil for no limit.
    public var concurrent: Int?
    /// The header that tells the end of the rate window.
    public var resetHeader: String?
    /// The unit of that header.
    public var resetUnit: ResetUnit?

    /// Creates the default limits.
    package init() {}
}
