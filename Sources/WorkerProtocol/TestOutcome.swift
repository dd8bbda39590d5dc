import ProviderModel

/// What came of one test.
package struct TestOutcome: Hashable, Sendable, WireValue {
    /// A value the test compared with its snapshot.
    package struct Snapshot: Hashable, Sendable, WireValue {
        /// How it compares with the kept one.
        package enum State: String, Sendable, CaseIterable {
            /// The same.
            case matched
            /// There was none.
            case added
            /// Another, and the new one is to be kept.
            case changed
            /// Another, which is the test's failure.
            case differs
        }

        /// The test's name and a number.
        package var name: String
        /// The value as JSON.
        package var json: String
        /// How it compares with the kept one.
        package var state: State

        package init(name: String, json: String, state: State) {
            self.name = name
            self.json = json
            self.state = state
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            name = try reader.readString()
            json = try reader.readString()
            state = try reader.readChoice()
        }

        package func write(to writer: inout ByteWriter) {
            writer.write(name)
            writer.write(json)
            writer.write(state)
        }
    }

    /// Why it failed; nil when it passed.
    package var failure: TestFailure?
    /// The values it compared with snapshots, in their order.
    package var snapshots: [Snapshot] = []
    /// How many expectations were looked at.
    package var expectations = 0

    package init(failure: TestFailure? = nil) { self.failure = failure }

    package init(from reader: inout ByteReader) throws(WireError) {
        failure = try reader.readOptional()
        snapshots = try reader.readArray()
        expectations = try reader.readInt()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(failure)
        writer.write(snapshots)
        writer.write(expectations)
    }
}

/// Why a test failed.
package struct TestFailure: Hashable, Sendable, WireValue {
    /// “toBe: expected 3, found 2”, or what was thrown.
    package var message: String
    /// The line of the test file, or of the provider where a limit was passed there.
    package var location: SourceLocation?
    /// The expected value, line by line, where the two are worth comparing.
    package var expected: String?
    /// The value that was found, line by line.
    package var received: String?
    /// The kind of error, when it was one of the provider or a limit.
    package var code: ProviderError.Code?
    /// What to do next.
    package var hint: String?

    package init(_ message: String, location: SourceLocation? = nil, code: ProviderError.Code? = nil) {
        self.message = message
        self.location = location
        self.code = code
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        message = try reader.readString()
        location = try reader.readOptional()
        expected = try reader.readOptionalString()
        received = try reader.readOptionalString()
        code = try reader.readOptionalChoice()
        hint = try reader.readOptionalString()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(message)
        writer.write(location)
        writer.write(expected)
        writer.write(received)
        writer.write(code)
        writer.write(hint)
    }
}
