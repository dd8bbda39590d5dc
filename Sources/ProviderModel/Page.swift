/// One answer of a listing: items, and how it goes on.
public struct Page: Hashable, Sendable {
    /// How the listing goes on after a page.
    public enum Next: Hashable, Sendable {
        /// The provider left it to the host to count.
        case counted
        /// Passed back to the provider as `q.cursor`.
        case cursor(JSONText)
        /// There is nothing more.
        case end
    }

    /// In the source's order; may be empty although there is more.
    public var items: [Item]
    /// How many items the source says there are.
    public var total: Int?
    /// How to go on.
    public var next: Next

    /// A page.
    public init(items: [Item], total: Int? = nil, next: Next = .counted) {
        self.items = items
        self.total = total
        self.next = next
    }
}
