/// One page of a listing.
public struct Page: Hashable, Sendable {
    /// How a listing continues after a page.
    public enum Next: Hashable, Sendable {
        /// By counting: the next page number or offset.
        case counted
        /// By a value that is passed to the provider as `q.cursor`.
        case cursor(JSONText)
        /// The listing has ended.
        case end
    }

    /// The items in the source's order; may be empty before the end.
    public var items: [Item]
    /// The total number of items that the source reports, if it does.
    public var total: Int?
    /// The number of entries on the source's page, where some of them are left out of ``items``.
    public var received: Int?
    /// How the listing continues.
    public var next: Next

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: the items in the source's order.
    ///   - total: the total number of items that the source reports.
    ///   - received: the number of entries on the source's page, where some are left out of the items.
    ///   - next: how the listing continues.
    public init(items: [Item], total: Int? = nil, received: Int? = nil, next: Next = .counted) {
        self.items = items
        self.total = total
        self.received = received
        self.next = next
    }

    /// The number of entries that came, those included that are left out.
    package var entryCount: Int { max(received ?? 0, items.count) }
}
