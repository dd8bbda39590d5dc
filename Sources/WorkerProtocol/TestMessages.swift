import ProviderModel

/// A provider's test file, with what its snapshots have to be.
package struct TestFileSource: Hashable, Sendable, WireValue {
    /// The file's name in its pack: `pixabay.test.js`.
    package var file: String
    /// What stands in it.
    package var text: String
    /// The kept snapshots by name, as JSON.
    package var snapshots: [NamedValue] = []
    /// Whether a snapshot that differs is the new one, and no failure.
    package var updatesSnapshots = false
    /// The server that operations are run on, for software that runs on many.
    package var instance: WebURL?

    /// A test file without snapshots.
    package init(file: String, text: String) {
        self.file = file
        self.text = text
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        file = try reader.readString()
        text = try reader.readString()
        snapshots = try reader.readArray()
        updatesSnapshots = try reader.readBool()
        instance = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(file)
        writer.write(text)
        writer.write(snapshots)
        writer.write(updatesSnapshots)
        writer.write(instance)
    }
}

/// One `test` of a test file.
package struct TestDescription: Hashable, Sendable, WireValue {
    /// What the author marked it with.
    package enum Mark: String, Sendable, CaseIterable {
        case none
        case skip
        case only
        case todo
    }

    /// The names of `describe` around it, outermost first.
    package var groups: [String]
    /// Its own name.
    package var name: String
    /// What the author marked it with, here or on a group around it.
    package var mark: Mark
    /// Where it stands.
    package var location: SourceLocation?

    package init(groups: [String] = [], name: String, mark: Mark = .none, location: SourceLocation? = nil) {
        self.groups = groups
        self.name = name
        self.mark = mark
        self.location = location
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        groups = try reader.readStrings()
        name = try reader.readString()
        mark = try reader.readChoice()
        location = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(groups)
        writer.write(name)
        writer.write(mark)
        writer.write(location)
    }
}

/// What a running test asks the host.
package enum TestQuestion: Hashable, Sendable, WireValue {
    /// The answers to an operation's requests, out of the cassettes of these names; of all when none is named.
    case requests([ProviderRequest], of: Operation, cassettes: [String])
    /// The item that a page URL or a short form stands for.
    case match(String)

    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0:
            let requests = try reader.readArray(of: ProviderRequest.self)
            let operation = try reader.readChoice(Operation.self)
            self = .requests(requests, of: operation, cassettes: try reader.readStrings())
        case 1: self = .match(try reader.readString())
        case let kind: throw .malformed("question kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .requests(let requests, let operation, let cassettes):
            writer.write(UInt8(0))
            writer.write(requests)
            writer.write(operation)
            writer.write(cassettes)
        case .match(let text):
            writer.write(UInt8(1))
            writer.write(text)
        }
    }
}

/// What the host answers a running test.
package enum TestAnswer: Hashable, Sendable, WireValue {
    /// In the requests' order.
    case responses([ProviderResponse])
    /// Why the requests have no answer.
    case refused(ProviderError)
    /// The item that was looked for; nil when nothing matches.
    case item(Item?)

    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .responses(try reader.readArray())
        case 1: self = .refused(try reader.read())
        case 2: self = .item(try reader.readOptional(WireItem.self)?.item)
        case let kind: throw .malformed("answer kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .responses(let responses):
            writer.write(UInt8(0))
            writer.write(responses)
        case .refused(let error):
            writer.write(UInt8(1))
            writer.write(error)
        case .item(let item):
            writer.write(UInt8(2))
            writer.write(item.map(WireItem.init))
        }
    }
}
