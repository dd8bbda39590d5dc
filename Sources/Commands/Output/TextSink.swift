/// A place where text goes, piece by piece.
protocol TextSink: AnyObject, Sendable {
    /// Takes UTF-8 text; it may wait in a buffer until the next flush.
    func write(_ bytes: [UInt8]) throws

    /// Passes on what waits in the buffer.
    func flush() throws
}

extension TextSink {
    /// Takes text; it may wait in a buffer until the next flush.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Takes one line and ends it.
    func writeLine(_ text: String) throws { try write(text + "\n") }
}

/// The reader of the output has gone, as `head` does when it has enough: a signal to stop quietly, not a failure.
struct OutputClosed: Error, Hashable {}

/// Why results cannot be shown as they were asked for.
struct OutputError: Error, Hashable, CustomStringConvertible {
    /// What a caller may handle differently.
    enum Code: String, Sendable {
        /// There is no such format, or its template cannot be read.
        case unknownFormat
        /// A template names a field that items do not have, or a filter that there is not.
        case unknownField
        /// The system did not take what was written.
        case writing
        /// The system does not tell of changes to files.
        case watching
    }

    /// What a caller may handle differently.
    let code: Code
    /// What was found and what was expected.
    let message: String

    /// An error of the output.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    var description: String { message }
}
