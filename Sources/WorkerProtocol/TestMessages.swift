import ProviderModel

/// A provider's test file and its snapshots.
package struct TestFileSource: Hashable, Sendable, WireRecord {
    /// The file's name in its pack: `pixabay.test.js`.
    package var file: String
    /// The file's text.
    package var text: String
    /// The stored snapshots by name, as JSON.
    package var snapshots: [NamedValue] = []
    /// Whether a different value replaces its snapshot, and is no failure.
    package var updatesSnapshots = false
    /// The server that operations are run on, for software that runs on many.
    package var instance: WebURL?

    /// A test file without snapshots.
    package init(file: String, text: String) {
        self.file = file
        self.text = text
    }

    package static let blank = TestFileSource(file: "", text: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.file), .init(\.text), .init(\.snapshots), .init(\.updatesSnapshots), .init(\.instance),
    ]
}

/// One `test` of a test file.
package struct TestDescription: Hashable, Sendable, WireRecord {
    /// How the author marked it: `test.skip`, `test.only`, `test.todo`.
    package enum Mark: String, Sendable, CaseIterable, WireValue {
        case none
        case skip
        case only
        case todo
    }

    /// The names of the enclosing `describe` blocks, outermost first.
    package var groups: [String]
    /// Its own name.
    package var name: String
    /// The mark of the test or of an enclosing group.
    package var mark: Mark
    /// The position in the file.
    package var location: SourceLocation?

    /// Creates the description of a test.
    package init(groups: [String] = [], name: String, mark: Mark = .none, location: SourceLocation? = nil) {
        self.groups = groups
        self.name = name
        self.mark = mark
        self.location = location
    }

    package static let blank = TestDescription(name: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.groups), .init(\.name), .init(\.mark), .init(\.location),
    ]
}

/// A request of a running test to the host.
package enum TestQuestion: Hashable, Sendable, WireValue {
    /// The answers to an operation's requests, out of the cassettes of these names; of all when none is named.
    case requests([ProviderRequest], of: ProviderOperation, cassettes: [String])
    /// The item that a page URL or a short form stands for.
    case match(String)

    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0:
            let (requests, operation) = (
                try reader.read([ProviderRequest].self), try reader.read(ProviderOperation.self)
            )
            self = .requests(requests, of: operation, cassettes: try reader.read())
        case 1: self = .match(try reader.read())
        case let kind: throw .malformed("question kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .requests(let requests, let operation, let cassettes): writer.write(0, requests, operation, cassettes)
        case .match(let text): writer.write(1, text)
        }
    }
}

/// The host's reply to a running test.
package enum TestAnswer: Hashable, Sendable, WireValue {
    /// In the requests' order.
    case responses([ProviderResponse])
    /// Why the requests have no answer.
    case refused(ProviderError)
    /// The item that was looked for; nil when nothing matches.
    case item(Item?)

    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .responses(try reader.read())
        case 1: self = .refused(try reader.read())
        case 2: self = .item(try reader.read())
        case let kind: throw .malformed("answer kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .responses(let responses): writer.write(0, responses)
        case .refused(let error): writer.write(1, error)
        case .item(let item): writer.write(2, item)
        }
    }
}

/// The outcome of a test.
package struct TestOutcome: Hashable, Sendable, WireRecord {
    /// A value the test compared with its snapshot.
    package struct Snapshot: Hashable, Sendable, WireRecord {
        /// How a value compares with its snapshot.
        package enum State: String, Sendable, CaseIterable, WireValue {
            /// Equal.
            case matched
            /// There was no snapshot.
            case added
            /// Different; the new value is stored.
            case changed
            /// Different, which fails the test.
            case differs
        }

        /// The test's name and a number.
        package var name: String
        /// The value as JSON.
        package var json: String
        /// How it compares with the kept one.
        package var state: State

        /// Creates a snapshot.
        package init(name: String, json: String, state: State) {
            self.name = name
            self.json = json
            self.state = state
        }

        package static let blank = Snapshot(name: "", json: "", state: .matched)
        package static let wireFields: [WireField<Self>] = [.init(\.name), .init(\.json), .init(\.state)]
    }

    /// Why it failed; nil when it passed.
    package var failure: TestFailure?
    /// The values it compared with snapshots, in their order.
    package var snapshots: [Snapshot] = []
    /// How many expectations were looked at.
    package var expectations = 0

    /// Creates an outcome without snapshots.
    package init(failure: TestFailure? = nil) { self.failure = failure }

    package static let blank = TestOutcome()
    package static let wireFields: [WireField<Self>] = [.init(\.failure), .init(\.snapshots), .init(\.expectations)]
}

/// Why a test failed.
package struct TestFailure: Hashable, Sendable, WireRecord {
    /// "toBe: expected 3, found 2", or what was thrown.
    package var message: String
    /// The line of the test file, or of the provider where a limit was passed there.
    package var location: SourceLocation?
    /// The expected value, line by line, where the two are worth comparing.
    package var expected: String?
    /// The value that was found, line by line.
    package var received: String?
    /// The kind of error, when it was one of the provider or a limit.
    package var code: ProviderError.Code?

    /// Creates a failure.
    package init(_ message: String, location: SourceLocation? = nil, code: ProviderError.Code? = nil) {
        self.message = message
        self.location = location
        self.code = code
    }

    package static let blank = TestFailure("")
    package static let wireFields: [WireField<Self>] = [
        .init(\.message), .init(\.location), .init(\.expected), .init(\.received), .init(\.code),
    ]
}
