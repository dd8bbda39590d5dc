import Search

/// How far one run of a watch reads the listings of its providers.
///
/// A listing is followed from its newest image on. A run reads each provider's until it comes to images that a complete run has
/// listed before, or has as many new ones as it may have. What an interrupted run has fetched is neither known nor new: the
/// next one reads past it, so that nothing between is missed.
package struct WatchReading: Sendable {
    /// The end of a provider's listing in a run.
    package enum End: Hashable, Sendable {
        /// The images that follow were listed by an earlier run.
        case known
        /// The run has as many new images as it may have.
        case limit
        /// The listing has no more images.
        case listing
        /// The search looked through as many pages as it may.
        case pages
    }

    private struct Progress {
        /// The first images that were listed.
        var newest: [String] = []
        var last: String?
        var isLastWanted = true
        var new = 0
        /// The number of images that were wanted, and of those that came when no more were.
        var wanted = 0
        var refused = 0
        var knownInARow = 0
        var hasMetKnown = false
        /// Why no more images are wanted.
        var end: End?
        /// How the listing ended by itself; images of it may still be on their way.
        var listingEnd: End?
    }

    /// The number of images in a row that an earlier run has listed, after which the others are known as well.
    package static let defaultKnownInARow = 20
    /// The number of images of each provider by which a later run recognises what is known.
    private static let newestLength = 60

    /// The maximum number of new images of each provider.
    package let limit: Int
    /// The maximum numbers of single providers.
    private let limits: [String: Int]
    /// The newest images of each provider when a run last read up to what was known; nil before the first complete run.
    private let known: [String: [String]]?
    private let knownSets: [String: Set<String>]
    private let knownInARow: Int
    /// Whether older images than the known ones are wanted as well.
    private let readsOlder: Bool
    private var providers: [String: Progress]

    /// A run that has read nothing.
    package init(
        of providers: [String], limit: Int, limits: [String: Int] = [:], known: [String: [String]]?,
        knownInARow: Int? = nil, readsOlder: Bool = false
    ) {
        self.limit = limit
        self.limits = limits
        self.known = known
        self.knownInARow = knownInARow ?? Self.defaultKnownInARow
        self.readsOlder = readsOlder
        knownSets = (known ?? [:]).mapValues { Set($0) }
        self.providers = Dictionary(providers.map { ($0, Progress()) }, uniquingKeysWith: { $1 })
    }

    /// Takes an image into account, once for each of its files; whether the file is wanted.
    package mutating func admits(_ id: String, of provider: String, isNew: Bool) -> Bool {
        var progress = providers[provider] ?? Progress()
        defer { providers[provider] = progress }
        // The files of an image stand together.
        if progress.last == id { return progress.isLastWanted }
        guard progress.end == nil else {
            (progress.last, progress.isLastWanted) = (id, false)
            progress.refused += 1
            return false
        }
        let isKnown = knownSets[provider]?.contains(id) == true
        let isCounted = isNew && !isKnown
        progress.last = id
        progress.isLastWanted = !isCounted || progress.new < limits[provider] ?? limit
        guard progress.isLastWanted else {
            progress.end = .limit
            progress.refused += 1
            return false
        }
        progress.wanted += 1
        if progress.newest.count < Self.newestLength { progress.newest.append(id) }
        progress.new += isCounted ? 1 : 0
        progress.knownInARow = isKnown ? progress.knownInARow + 1 : 0
        if isKnown, progress.knownInARow >= knownInARow(of: provider) {
            progress.hasMetKnown = true
            if !readsOlder { progress.end = .known }
        }
        return true
    }

    /// Notes that a provider's listing has ended by itself.
    package mutating func finish(_ provider: String, _ end: End = .listing) {
        var progress = providers[provider] ?? Progress()
        progress.listingEnd = end
        providers[provider] = progress
    }

    /// Whether no more images of a provider are wanted.
    package func isOver(_ provider: String) -> Bool { providers[provider]?.end != nil }

    /// Whether no more images are wanted.
    package var isOver: Bool { !providers.isEmpty && providers.values.allSatisfy { $0.end != nil } }

    /// Whether nothing between the newest images and the known ones is missing, as far as the listings did not fail.
    package var isComplete: Bool {
        providers.values.allSatisfy { progress in
            switch progress.end ?? progress.listingEnd {
            case .known, .listing, nil: true
            case .limit: progress.hasMetKnown || known == nil
            case .pages: progress.hasMetKnown || progress.knownInARow > 0 || known == nil
            }
        }
    }

    /// The providers whose listings ended this way.
    package func providers(endedBy end: End) -> [String] {
        providers.filter { ($0.value.end ?? $0.value.listingEnd) == end }.keys.sorted()
    }

    /// The number of images that the limit has left in the listings, at least.
    ///
    /// - Parameter sizes: the sizes of the providers' listings, as far as they are known.
    /// - Returns: the number, and whether there are no more than these.
    package func leftByLimit(of sizes: [String: ListingSize]) -> (count: Int, isExact: Bool) {
        var left = (count: 0, isExact: true)
        for (name, progress) in providers where progress.end == .limit {
            left.count += max((sizes[name]?.count ?? 0) - progress.wanted, progress.refused)
            if sizes[name]?.isTotal != true { left.isExact = false }
        }
        return left
    }

    /// The newest images of each provider, by which the next run recognises what is known.
    package var newest: [String: [String]] {
        var newest = known ?? [:]
        for (provider, progress) in providers {
            let former = (known?[provider] ?? []).filter { !progress.newest.contains($0) }
            newest[provider] = Array((progress.newest + former).prefix(Self.newestLength))
        }
        return newest
    }

    /// Of few known images some may have been removed since.
    private func knownInARow(of provider: String) -> Int {
        min(knownInARow, max(1, (known?[provider]?.count ?? 0) / 2))
    }
}
