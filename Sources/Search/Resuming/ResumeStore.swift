import ProviderModel

/// How far every provider of a listing has been handed out.
public struct CrawlState: Hashable, Sendable {
    /// By provider; one that nothing was handed out of may be missing.
    public var providers: [String: ResumeProgress]

    /// A state.
    public init(providers: [String: ResumeProgress] = [:]) { self.providers = providers }

    /// Images handed out, of all providers in all runs.
    public var delivered: Int { providers.values.reduce(0) { $0 + $1.delivered } }
}

/// Where the states of crawls are kept between runs.
public protocol ResumeStore: Sendable {
    /// The state of a crawl, nil when there is none.
    func load(_ key: ResumeKey) throws(ResumeError) -> CrawlState?

    /// Keeps the state of a crawl in place of the one before, wholly or not at all.
    func save(_ state: CrawlState, for key: ResumeKey) throws(ResumeError)
}

/// What went wrong with a stored crawl.
public struct ResumeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable {
        /// What is stored cannot be made sense of, and has been put aside.
        case damaged
        /// What is stored is another version's or another crawl's, and has been left alone.
        case foreign
        /// The disk failed.
        case storage
    }

    /// What a caller may handle differently.
    public let code: Code
    /// What was found, and what to do next.
    public let message: String

    /// An error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// What there is to say about a crawl beside its images.
public enum ResumeNote: Hashable, Sendable, CustomStringConvertible {
    /// Nothing is stored of this crawl.
    case fromTheBeginning
    /// A provider of which nothing is stored, beside others that go on.
    case providerFromTheBeginning(provider: String)
    /// A provider goes on at a page.
    case resuming(provider: String, page: Int, delivered: Int)
    /// A provider has been handed out to its end.
    case nothingLeft(provider: String, delivered: Int)
    /// A provider's script is another than the one that came to the stored page.
    case scriptChanged(provider: String)
    /// The state cannot be kept: the listing goes on, a later run may not.
    case notKept(ResumeError)

    /// A line for people.
    public var description: String {
        switch self {
        case .fromTheBeginning: "nothing is stored of this crawl; starting from the beginning"
        case .providerFromTheBeginning(let provider): "nothing is stored of \(provider); starting from the beginning"
        case .resuming(let provider, let page, let delivered):
            "resuming \(provider) at page \(page) (\(images(delivered)) already delivered)"
        case .nothingLeft(let provider, let delivered):
            "\(provider) has nothing left (\(images(delivered)) already delivered)"
        case .scriptChanged(let provider):
            "the script of \(provider) has changed since the crawl began; going on where it stopped"
        case .notKept(let error): "this crawl cannot be resumed later: \(error)"
        }
    }

    private func images(_ count: Int) -> String { count == 1 ? "1 image" : "\(count) images" }
}
