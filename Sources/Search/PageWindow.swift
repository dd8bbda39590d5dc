import ProviderModel

/// Pages that have been asked for, some ahead: they arrive in any order and leave in the order of the listing.
struct PageWindow {
    /// A page to be fetched.
    struct Fetch {
        let number: Int
        let query: ProviderQuery
    }

    private struct Slot {
        let fetch: Fetch
        var result: Result<Page, any Error>?

        /// Whether nothing after this page is of use, whatever comes before it.
        var isLast: Bool {
            switch result {
            case nil: false
            case .failure: true
            case .success(let page): page.next == .end || page.next == .counted && page.items.isEmpty
            }
        }
    }

    private(set) var sequence: PageSequence
    /// The most items on a page so far, or as many as are asked for.
    private(set) var pageSize: Int
    private var slots: [Slot] = []
    private var fetches = 0
    private var abandoned: [Int] = []

    init(_ sequence: PageSequence) {
        self.sequence = sequence
        pageSize = sequence.query.limit
    }

    /// Asks for more pages, as far as their queries are known, until there are `count`.
    mutating func extend(to count: Int) -> [Fetch] {
        var started: [Fetch] = []
        while slots.count < count, slots.last?.isLast != true, let query = sequence.query(ahead: slots.count) {
            let fetch = Fetch(number: fetches, query: query)
            fetches += 1
            slots.append(Slot(fetch: fetch))
            started.append(fetch)
        }
        return started
    }

    /// Whether `extend` would ask for more.
    func extends(to count: Int) -> Bool {
        slots.count < count && slots.last?.isLast != true && sequence.query(ahead: slots.count) != nil
    }

    /// Takes what came of a fetch; one that has been abandoned is nothing.
    mutating func receive(_ result: Result<Page, any Error>, of number: Int) {
        guard let index = slots.firstIndex(where: { $0.fetch.number == number }) else { return }
        slots[index].result = result
        if slots[index].isLast { abandon(from: index + 1) }
    }

    /// The new items of the next page in order, when it has arrived; throws what its fetch ended with.
    mutating func next() throws -> [Item]? {
        guard let result = slots.first?.result else { return nil }
        slots.removeFirst()
        do {
            let page = try result.get()
            let items = try sequence.advance(past: page)
            pageSize = max(pageSize, page.items.count)
            if let following = slots.first, sequence.isFinished || following.fetch.query != sequence.query {
                abandon(from: 0)
            }
            return items
        } catch {
            abandon(from: 0)
            throw error
        }
    }

    /// The fetches that are no longer awaited, each given once.
    mutating func takeAbandoned() -> [Int] {
        defer { abandoned = [] }
        return abandoned
    }

    /// Gives up all that has not arrived.
    mutating func close() { abandon(from: 0) }

    private mutating func abandon(from index: Int) {
        abandoned += slots[index...].filter { $0.result == nil }.map(\.fetch.number)
        slots.removeSubrange(index...)
    }
}
