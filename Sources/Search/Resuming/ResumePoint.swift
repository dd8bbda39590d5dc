import ProviderModel

/// A listing whose place is kept, so that a later run goes on where this one stops.
///
/// A state is saved when the consumer has come back for more after the last item of a page: at whatever moment a run
/// ends, nothing is lost, and of each provider at most the items of one unfinished page come again. A run that comes to
/// its limit says so in the state, and nothing comes again. A run that does not resume is stored once it goes past a
/// first page, in place of what was stored before; one that resumes is stored from the start.
public struct ResumePoint: Sendable {
    /// What is listed.
    public let key: ResumeKey
    /// Whether this run goes on where the last one stopped.
    public let isResuming: Bool
    /// What was stored when the run began; nil also for a run that does not resume.
    public let state: ResumeState?
    let store: any ResumeStore
    let revision: @Sendable (any ImageSource) -> String?
    let onNote: @Sendable (ResumeNote) -> Void

    /// A listing's place and, when it is to be resumed, its stored state; throws when there is one that cannot be used.
    ///
    /// `revision` gives a hash of a source's script; `onNote` is called for what the user should know.
    package init(
        _ key: ResumeKey, in store: any ResumeStore, isResuming: Bool,
        revision: @escaping @Sendable (any ImageSource) -> String? = { _ in nil },
        onNote: @escaping @Sendable (ResumeNote) -> Void = { _ in }
    ) throws(ResumeError) {
        self.key = key
        self.store = store
        self.isResuming = isResuming
        self.revision = revision
        self.onNote = onNote
        state = isResuming ? try store.load(key) : nil
    }

    /// Says where the providers go on.
    func announce(_ providers: [String]) {
        guard isResuming else { return }
        guard let state else { return onNote(.noResumePoint(provider: nil)) }
        for provider in providers {
            let progress = state.providers[provider]
            switch progress {
            case let progress? where progress.isFinished:
                onNote(.finished(provider: provider, delivered: progress.delivered))
            case let progress? where progress.position != nil || progress.delivered > 0:
                onNote(.resuming(provider: provider, page: progress.page, delivered: progress.delivered))
            default: onNote(.noResumePoint(provider: provider))
            }
        }
    }
}

/// What there is to say about a resumed listing beside its images.
public enum ResumeNote: Hashable, Sendable {
    /// Nothing is stored, of the whole listing or of one provider beside others that go on.
    case noResumePoint(provider: String?)
    /// A provider goes on at a page.
    case resuming(provider: String, page: Int, delivered: Int)
    /// A provider has been delivered to its end.
    case finished(provider: String, delivered: Int)
    /// A provider's script is another than the one that came to the stored page.
    case scriptChanged(provider: String)
    /// The state cannot be kept: the listing goes on, a later run may not.
    case notKept(ResumeError)
}

/// What makes two runs the same listing: what is listed, from whom, and everything that changes what a source answers.
///
/// How many images are wanted, in which page size, and which a filter lets through is not part of it.
public struct ResumeKey: Codable, Hashable, Sendable {
    /// `search`, `feed`, or `collection` with the collection's provider and id.
    public let listing: String
    /// The words searched for.
    public let text: String
    /// The providers, in alphabetical order.
    public let providers: [String]
    /// The providers' parameters.
    public let parameters: [String: String]
    /// The point searched around: `52.52,13.4`.
    public let near: String?
    /// The server chosen, for software that runs on many.
    public let instance: String?
    /// Whether the answers are recorded ones.
    public let isSample: Bool

    /// The key of a listing.
    public init(_ listing: Listing, providers: [String], options: SearchOptions, instance: String? = nil) {
        self.listing =
            switch listing {
            case .search, .feed: listing.operation.rawValue
            case .collection(let item): "collection \(item.provider):\(item.id)"
            }
        self.text = listing.text.trimmingSpaces
        self.providers = Set(providers).sorted()
        parameters = options.parameters
        near = options.near.map { "\($0.latitude),\($0.longitude)" }
        self.instance = instance
        isSample = options.answersAreRecorded
    }
}
