import ProviderModel
import WorkerProtocol

/// What is to be known of a page as a whole, to tell whether it can be.
struct PageOutline {
    /// How many items it has.
    private(set) var count = 0
    var total: Int?
    var next = Page.Next.counted
    /// The first item's id as it is written, and whether all others have it too.
    private var firstID: ArraySlice<UInt8> = []
    private var isSameEverywhere = true

    /// Counts an item with its id.
    mutating func add(_ id: ArraySlice<UInt8>) {
        if count == 0 { firstID = ArraySlice(Array(id)) }
        // Nearly always over with the second item.
        isSameEverywhere = isSameEverywhere && id.elementsEqual(firstID)
        count += 1
    }

    /// What in a page cannot be true at once.
    func contradiction(for query: ProviderQuery) -> ContractViolation? {
        let isFirst = query.page == 1 && query.offset == 0 && query.cursor == nil
        if let total, total > 0, count == 0, isFirst, next == .counted || next == .end {
            return ContractViolation(path: "items", message: "expected items, since total is \(total), found none")
        }
        // A repeated id is dropped later, as sources do repeat items; the same id everywhere is a mapping gone wrong.
        if count > 1, isSameEverywhere {
            var reader = ByteReader(Array(firstID))
            let id = (try? reader.readString()) ?? ""  // it has just been written
            return ContractViolation(path: "items", message: "expected unique ids, found \(id.quoted) everywhere")
        }
        return nil
    }
}
