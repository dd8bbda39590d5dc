import ProviderModel

/// How much is wanted of a listing, and of what kind.
public struct SearchOptions: Sendable {
    /// The most images from each provider.
    public var limit = 20
    /// Images per request; nil for what fits the limit best.
    ///
    /// Brought within each provider's own bounds.
    public var pageSize: Int?
    /// Provider parameters as users type them.
    public var parameters: [String: String] = [:]
    /// Parameters for single providers, by their names, in place of those of the same name for all.
    public var parametersByProvider: [String: [String: String]] = [:]
    /// Whether ``parameters`` are only for those providers that have them; else one that lacks them fails.
    public var skipsUnknownParameters = false
    /// A point to search around.
    public var near: ProviderQuery.Point?
    /// Lets through what is wanted.
    public var filter = ItemFilter()
    /// The most pages looked through in one provider while a filter leaves items out, or that bring nothing in a row.
    public var maximumPages = 20
    /// The most pages of one provider that are fetched side by side, where its paging allows; with 1 a page is fetched when
    /// an item of it is asked for.
    public var pagesInFlight = 4
    /// The most providers that are at work at once; the others wait for their turn.
    public var providersInFlight = 6
    /// Whether answers are recordings: pages have the size they were recorded in, and a listing ends where the recordings do.
    public var answersAreRecorded = false

    /// Twenty images of any kind.
    public init() {}
}

/// Conditions that every item has to meet.
public struct ItemFilter: Hashable, Sendable {
    /// Tags, each of which has to be among the item's, whatever their case.
    public var tags: [String] = []
    /// The least width in pixels of the largest file.
    public var minimumWidth: Int?
    /// The least height in pixels of the largest file.
    public var minimumHeight: Int?
    /// Licences, one of which the item's has to be or begin with: `cc-by` lets `cc-by-4.0` through, not `cc-by-nc-4.0`.
    public var licenses: [String] = []

    /// No conditions.
    public init() {}

    /// Whether everything is let through.
    public var isEmpty: Bool { self == ItemFilter() }

    /// Whether an item meets all conditions; an unknown size or licence meets none.
    public func admits(_ item: Item) -> Bool {
        hasTags(item) && isLargeEnough(item) && hasLicense(item)
    }

    private func hasTags(_ item: Item) -> Bool {
        let present = Set(item.tags.map { $0.lowercased() })
        return tags.allSatisfy { present.contains($0.lowercased()) }
    }

    private func isLargeEnough(_ item: Item) -> Bool {
        guard minimumWidth != nil || minimumHeight != nil else { return true }
        return item.media.contains { media in
            guard let width = media.width, let height = media.height else { return false }
            return width >= minimumWidth ?? 0 && height >= minimumHeight ?? 0
        }
    }

    private func hasLicense(_ item: Item) -> Bool {
        guard !licenses.isEmpty else { return true }
        guard let id = item.license?.id.lowercased() else { return false }
        return licenses.contains { wanted in
            let wanted = wanted.lowercased()
            guard id.hasPrefix(wanted) else { return false }
            let rest = id.dropFirst(wanted.count)
            // A version may follow, another clause may not: by-nc is no kind of by.
            return rest.isEmpty || rest.first == "-" && rest.dropFirst().first?.isNumber == true
        }
    }
}
