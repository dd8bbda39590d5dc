/// An error of one provider, with its position in the provider's files or results.
public struct ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure; after `rate`, `timeout`, `worker` and `transport`, a retry may succeed.
    public enum Code: String, Sendable, CaseIterable {
        /// A key is missing or was refused.
        case auth
        /// The source refused the request because of a rate limit.
        case rate
        /// There is no such item, album or page.
        case notFound
        /// The source refuses this client or region.
        case blocked
        /// The provider or the source cannot do what was requested.
        case unsupported
        /// The source's responses have another structure than the provider expects.
        case changed
        /// The script threw an error.
        case script
        /// The script's result violates the contract.
        case result
        /// The script exceeded its time limit.
        case timeout
        /// The script exceeded its memory limit.
        case memory
        /// The worker process ended, or broke the protocol.
        case worker
        /// The request was refused by the host, or the network failed.
        case transport
        /// The provider file cannot be found, read or used.
        case provider
        /// A file beside providers, such as a cassette or a lockfile, cannot be read, written or used.
        case file
    }

    /// The kind of the failure.
    public var code: Code
    /// The provider's id; empty for an error that concerns no provider.
    public var provider: String
    /// The operation that failed, if one was running.
    public var operation: ProviderOperation?
    /// The function that failed: `request` or `parse`, for an operation that has both.
    public var phase: String?
    /// The position in the provider's files.
    public var location: SourceLocation?
    /// The path in the result: `items[3].media[0].url`.
    public var path: String?
    /// What was found and what was expected.
    public var message: String
    /// What helps.
    public var hint: Hint?
    /// Further errors that were found in the same file.
    public var others: [ProviderError] = []

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - provider: the provider's id; empty for an error that concerns no provider.
    ///   - operation: the operation that failed.
    ///   - phase: `request` or `parse`, for an operation that has both.
    ///   - location: the position in the provider's files.
    ///   - path: the path in the result, such as `items[3].media[0].url`.
    ///   - message: what was found and what was expected.
    ///   - hint: what helps.
    public init(
        _ code: Code, provider: String, operation: ProviderOperation? = nil, phase: String? = nil,
        location: SourceLocation? = nil, path: String? = nil, message: String, hint: Hint? = nil
    ) {
        self.code = code
        self.provider = provider
        self.operation = operation
        self.phase = phase
        self.location = location
        self.path = path
        self.message = message
        self.hint = hint
    }

    /// The provider before a position that does not name it: of two sources with one theme, the file is the same.
    private func nameBeside(_ location: SourceLocation) -> String {
        let name = location.file.split(separator: "/").last ?? ""
        return provider.isEmpty || name == "\(provider).js" ? "" : "\(provider): "
    }

    /// `pixabay.js:41:9 search.parse: items[3].media[0].url: expected an absolute URL, found undefined`.
    public var description: String {
        // An error that concerns no provider has no name.
        let place =
            location.map { [nameBeside($0), $0.description].joined() } ?? (provider.isEmpty ? "" : "\(provider):")
        let action = [operation?.rawValue, phase].compactMap(\.self).joined(separator: ".")
        let head = [place, action].filter { !$0.isEmpty }.joined(separator: " ")
        let parts = [head.isEmpty || head.hasSuffix(":") ? head : "\(head):", path.map { "\($0):" } ?? "", message]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// A position in a provider's file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file's name relative to its pack: `pixabay.js`.
    public var file: String
    /// The line, from 1; 0 when unknown.
    public var line: Int
    /// The column, from 1; 0 when unknown.
    public var column: Int

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - file: the file's name relative to its pack.
    ///   - line: the line, from 1; 0 when unknown.
    ///   - column: the column, from 1; 0 when unknown.
    public init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `pixabay.js:41:9`, shorter where line or column is unknown.
    public var description: String {
        line == 0 ? file : column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
    }
}
