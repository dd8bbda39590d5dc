/// What went wrong with one provider, with everything needed to find and fix it.
public struct ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable, CaseIterable {
        /// A key is missing or was refused.
        case auth
        /// Too many requests.
        case rate
        /// There is no such item, album or page.
        case notFound
        /// The source refuses this client or place.
        case blocked
        /// The source cannot do what was asked.
        case unsupported
        /// The source answers in another shape than the provider knows.
        case changed
        /// The script threw something.
        case script
        /// The script returned something against the contract.
        case result
        /// The script ran longer than it may.
        case timeout
        /// The script needed more memory than it may have.
        case memory
        /// The worker ended, or broke the protocol.
        case worker
        /// The request was refused by the host, or the network failed.
        case transport
        /// The provider file cannot be found, read or used.
        case provider
        /// A file beside providers, such as a cassette or a lockfile, cannot be read, written or used.
        case file
    }

    /// What a caller may handle differently.
    public var code: Code
    /// Whose error it is.
    public var provider: String
    /// What was being done.
    public var operation: Operation?
    /// The part of a pair: `request` or `parse`.
    public var phase: String?
    /// Where in the provider's files.
    public var location: SourceLocation?
    /// Where in the result: `items[3].media[0].url`.
    public var path: String?
    /// What was found and what was expected.
    public var message: String
    /// What to do next.
    public var hint: Hint?
    /// What else was found wrong with a file in the same reading; each stands for itself and has no others.
    public var others: [ProviderError] = []

    /// An error of a provider.
    public init(
        _ code: Code, provider: String, operation: Operation? = nil, phase: String? = nil,
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

    /// `pixabay.js:41:9 search.parse: items[3].media[0].url: expected an absolute URL, found undefined`.
    public var description: String {
        // What no provider is to blame for has no name.
        let place = location?.description ?? (provider.isEmpty ? "" : "\(provider):")
        let action = [operation?.rawValue, phase].compactMap(\.self).joined(separator: ".")
        let head = [place, action].filter { !$0.isEmpty }.joined(separator: " ")
        let parts = [head.isEmpty || head.hasSuffix(":") ? head : "\(head):", path.map { "\($0):" } ?? "", message]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// A place in a provider file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file's name relative to its pack: `pixabay.js`.
    public var file: String
    /// 1-based; 0 when unknown.
    public var line: Int
    /// 1-based; 0 when unknown.
    public var column: Int

    /// A place in `file`.
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
