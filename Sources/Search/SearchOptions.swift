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
    /// The places of the wanted images among the first ``limit`` of each provider; nil for all.
    public var range: ResultRange?
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
    /// How many pages may be fetched or wait beyond the one that is delivered; nil for ``pagesInFlight``.
    ///
    /// For sources that limit their requests themselves: some pages are read while others are requested.
    package var pagesAhead: Int?
    /// Whether the consumer decides where the listing ends: pages are fetched ahead only as far as earlier ones were wanted.
    package var isOpenEnded = false
    /// The maximum number of providers that are requested at the same time.
    public var providersInFlight = 6
    /// Whether responses are recordings: pages have the recorded size, and a listing ends with the recordings.
    public var answersAreRecorded = false

    /// Creates options.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of images per provider.
    ///   - parameters: provider parameters by name, as users type them.
    ///   - near: the point to search around.
    ///   - filter: the conditions that images have to meet.
    public init(
        limit: Int = 20, parameters: [String: String] = [:], near: ProviderQuery.Point? = nil,
        filter: ItemFilter = ItemFilter()
    ) {
        self.limit = limit
        self.parameters = parameters
        self.near = near
        self.filter = filter
    }
}
