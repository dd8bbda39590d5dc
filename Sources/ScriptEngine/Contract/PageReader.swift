import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads a page of at most `limit` items and writes it; returns what is to be known of it as a whole.
    mutating func page(
        atMost limit: Int, to writer: inout ByteWriter
    ) throws(ContractViolation) -> PageOutline {
        var outline = PageOutline()
        var hasItems = false
        try object("a page: an object with items") { reader, name throws(ContractViolation) in
            switch PageField(rawValue: name) {
            case .items:
                try reader.items(atMost: limit, to: &writer, &outline)
                hasItems = true
            case .total:
                outline.total = try reader.optionalInteger(in: 0...(1 << 52), "a whole number of at least 0")
            case .next: outline.next = try reader.next()
            case nil: throw reader.unknown(name, in: PageField.self, "items, total and next")
            }
        }
        guard hasItems else { throw missing("items", "an array of items") }
        writer.write(outline.total)
        writer.write(outline.next)
        return outline
    }

    private mutating func items(
        atMost limit: Int, to writer: inout ByteWriter, _ outline: inout PageOutline
    ) throws(ContractViolation) {
        var unknown = UnknownFields()
        let start = writer.openList()
        try list("an array of items", atMost: limit) { reader throws(ContractViolation) in
            let id = try reader.item(to: &writer, &unknown)
            outline.add(writer.bytes[id])
        }
        writer.closeList(start, count: outline.count)
    }

    private mutating func next() throws(ContractViolation) -> Page.Next {
        if try takeAbsent("a JSON value") { return .end }
        return .cursor(try json())
    }
}
