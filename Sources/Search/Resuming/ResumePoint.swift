import ProviderModel

/// A listing whose place is kept, so that a later run goes on where this one stops.
///
/// A state is saved when the consumer has come back for more after the last item of a page: at whatever moment a run
/// ends, nothing is lost, and of each provider at most the items of one unfinished page come again. A run that comes to
/// its limit says so in the state, and nothing comes again. A run that does not resume is stored once it goes past a
/// first page, in place of what was stored before; one that resumes is stored from the start.
public struct ResumePoint: Sendable {
    /// What is crawled.
    public let key: ResumeKey
    /// Whether this run goes on where the last one stopped.
    public let isResuming: Bool
    /// What was stored when the run began; nil also for a run that does not resume.
    public let state: CrawlState?
    let store: any ResumeStore
    let revision: @Sendable (any ImageSource) -> String?
    let onNote: @Sendable (ResumeNote) -> Void

    /// A crawl and, when it is to be resumed, its stored state; throws when there is one that cannot be used.
    ///
    /// `revision` gives a hash of a source's script; `onNote` hears what there is to say.
    public init(
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
        guard let state else { return onNote(.fromTheBeginning) }
        for provider in providers {
            let progress = state.providers[provider]
            switch progress {
            case let progress? where progress.isFinished:
                onNote(.nothingLeft(provider: provider, delivered: progress.delivered))
            case let progress? where progress.position != nil || progress.delivered > 0:
                onNote(.resuming(provider: provider, page: progress.page, delivered: progress.delivered))
            default: onNote(.providerFromTheBeginning(provider: provider))
            }
        }
    }
}
