import ProviderModel

/// The order of dates in a listing whose source says that the newest items come first.
///
/// The word of the source is checked, as a query may ask for another order in its text: a listing has it once five dates have
/// come of which each is at most as late as the one before. One in ten may be later, as with a post that is pinned to the top.
struct DateOrder {
    /// The number of dates after the first, and how many are later than the one before.
    private var steps = 0
    private var rises = 0
    private var last: DateTime?
    /// Whether the dates of the last page are all before the earliest that is wanted.
    private(set) var hasPassed = false

    /// Whether the dates that have come show the order.
    var isNewestFirst: Bool { steps >= 4 && rises * 10 <= steps }

    /// Takes the items of the next page; `since` is the earliest date wanted.
    mutating func add(_ items: [Item], since: FilterDate) {
        let dates = items.compactMap { $0.created.flatMap { FilterDate(iso8601: $0) } }
        for date in dates {
            if let last {
                steps += 1
                if date.first > last { rises += 1 }
            }
            last = date.first
        }
        hasPassed = !dates.isEmpty && dates.allSatisfy { $0.last < since.first }
    }
}
