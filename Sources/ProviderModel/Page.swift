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
    /// How the listing continues.
    public var next: Next

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: the items in the source's order.
    ///   - total: the total number of items that the source reports.
    ///   - next: how the listing continues.
    public init(items: [Item], total: Int? = nil, next: Next = .counted) {
        self.items = items
        self.total = total
        self.next = next
    }
}
