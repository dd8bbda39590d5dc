import ProviderModel

/// How many images of a listing are wanted, and which.
///
/// ```swift
/// var options = SearchOptions()
/// options.limit = 100
/// options.filter.minimumWidth = 1_920
/// options.filter.licenses = ["cc0", "cc-by"]
/// for try await image in engine.search("red fox", in: ["openverse"], options) { print(image.id) }
/// ```
public struct SearchOptions: Sendable {
    /// The maximum number of images per provider.
    public var limit = 20
    /// The number of images per request, brought within each provider's bounds; nil for the number that fits the limit.
    public var pageSize: Int?
    /// Provider parameters by name, as users type them.
    public var parameters: [String: String] = [:]
    /// Parameters of single providers, by the provider's name; they override ``parameters`` of the same name.
    public var parametersByProvider: [String: [String: String]] = [:]
    /// Whether a provider without one of ``parameters`` ignores it; otherwise it fails.
    public var skipsUnknownParameters = false
    /// The point to search around.
    public var near: ProviderQuery.Point?
    /// The conditions that images have to meet.
    public var filter = ItemFilter()
    /// The maximum number of pages of one provider that are searched while a filter leaves items out, or that may bring nothing
    /// new in a row.
    public var maximumPages = 20
    /// The maximum number of pages of one provider that are fetched at the same time, where its paging allows; with 1 a page is
    /// fetched when one of its items is requested.
    public var pagesInFlight = 4
    /// The maximum number of providers that are requested at the same time.
    public var providersInFlight = 6
    /// Whether responses are recordings: pages have the recorded size, and a listing ends with the recordings.
    public var answersAreRecorded = false

    /// Creates options for 20 images of any kind.
    public init() {}
}

/// Conditions that every item has to meet.
public struct ItemFilter: Hashable, Sendable {
    /// Tags that the item has to have, all of them, in any case.
    public var tags: [String] = []
    /// The minimum width of the largest file in pixels.
    public var minimumWidth: Int?
    /// The minimum height of the largest file in pixels.
    public var minimumHeight: Int?
    /// The licences admitted, by id with or without a version; empty for all.
    ///
    /// `cc-by` admits `cc-by-4.0`, not `cc-by-nc-4.0`.
    public var licenses: [String] = []

    /// Creates a filter that admits everything.
    public init() {}

    /// Whether the filter has no conditions.
    public var isEmpty: Bool { self == ItemFilter() }

    /// Checks an item against the conditions.
    ///
    /// - Parameter item: an item with its media and licence.
    /// - Returns: whether it meets all conditions; an unknown size or licence meets none.
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
            // A version may follow, another clause may not: `by-nc` is not a version of `by`.
            return rest.isEmpty || rest.first == "-" && rest.dropFirst().first?.isNumber == true
        }
    }
}
