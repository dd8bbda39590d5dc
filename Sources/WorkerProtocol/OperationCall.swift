import ProviderModel

/// An operation with its arguments.
package enum OperationCall: Hashable, Sendable, WireValue {
    case search(ProviderQuery)
    case feed(ProviderQuery)
    case details(Item, instance: WebURL? = nil)
    case collection(Item, ProviderQuery)
    case similar(ProviderQuery)
    case download(Media, Item, instance: WebURL? = nil)
    case session(instance: WebURL?)

    /// Which operation it is.
    package var operation: ProviderOperation {
        switch self {
        case .search: .search
        case .feed: .feed
        case .details: .details
        case .collection: .collection
        case .similar: .similar
        case .download: .download
        case .session: .session
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.read(ProviderOperation.self) {
        case .search: self = .search(try reader.read())
        case .feed: self = .feed(try reader.read())
        case .similar: self = .similar(try reader.read())
        case .details:
            let item: Item = try reader.read()
            self = .details(item, instance: try reader.read())
        case .collection:
            let item: Item = try reader.read()
            self = .collection(item, try reader.read())
        case .download:
            let (media, item) = (try reader.read(Media.self), try reader.read(Item.self))
            self = .download(media, item, instance: try reader.read())
        case .session: self = .session(instance: try reader.read())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(operation)
        switch self {
        case .search(let query), .feed(let query), .similar(let query): writer.write(query)
        case .details(let item, let instance):
            writer.write(item)
            writer.write(instance)
        case .collection(let item, let query):
            writer.write(item)
            writer.write(query)
        case .download(let media, let item, let instance):
            writer.write(media)
            writer.write(item)
            writer.write(instance)
        case .session(let instance): writer.write(instance)
        }
    }
}

/// An operation with its arguments and the bytes that cross, which also identify it.
package struct EncodedCall: Hashable, Sendable, WireValue {
    /// The operation.
    package let call: OperationCall
    /// The operation as it crosses.
    package let bytes: [UInt8]

    /// Encodes an operation.
    package init(_ call: OperationCall) {
        self.call = call
        var writer = ByteWriter(capacity: 1_024)
        writer.write(call)
        bytes = writer.bytes
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        bytes = try reader.readBytes()
        var content = ByteReader(bytes)
        call = try content.read()
        try content.end()
    }

    package func write(to writer: inout ByteWriter) { writer.write(bytes) }
}
