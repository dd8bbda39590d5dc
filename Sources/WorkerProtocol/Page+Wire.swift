import ProviderModel

/// A page as it crosses: its items, whose number is known only after the last of them, then the rest.
extension Page: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let count = try reader.readListCount()
        var items: [Item] = []
        items.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { items.append(try WireItem.item(from: &reader)) }
        self.init(items: items)
        total = try reader.readOptionalInt()
        next = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
        let list = writer.openList()
        for item in items { WireItem(item).write(to: &writer) }
        writer.closeList(list, count: items.count)
        writer.write(total)
        writer.write(next)
    }
}

extension Page.Next: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .counted
        case 1: self = .cursor(try reader.read())
        case 2: self = .end
        case let kind: throw .malformed("next of kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .counted: writer.write(UInt8(0))
        case .cursor(let cursor):
            writer.write(UInt8(1))
            writer.write(cursor)
        case .end: writer.write(UInt8(2))
        }
    }
}
