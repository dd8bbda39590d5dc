import ProviderModel

extension ContractReader {
    /// Reads a page of at most `limit` items.
    mutating func page(atMost limit: Int) throws(ContractViolation) -> Page {
        var page = Page(items: [])
        var hasItems = false
        try object("a page: an object with items") { reader, name throws(ContractViolation) in
            switch PageField(rawValue: name) {
            case .items:
                page.items = try reader.items(atMost: limit)
                hasItems = true
            case .total:
                page.total = try reader.optionalInteger(in: 0...(1 << 52), "a whole number of at least 0")
            case .next: page.next = try reader.next()
            case nil: throw reader.unknown(name, in: PageField.self, "items, total and next")
            }
        }
        guard hasItems else { throw missing("items", "an array of items") }
        return page
    }

    private mutating func items(atMost limit: Int) throws(ContractViolation) -> [Item] {
        var items: [Item] = []
        try array("an array of items", atMost: limit) { reader throws(ContractViolation) in
            items.append(try reader.item())
        }
        return items
    }

    private mutating func next() throws(ContractViolation) -> Page.Next {
        if try takeAbsent("a JSON value") { return .end }
        return .cursor(try json())
    }
}
