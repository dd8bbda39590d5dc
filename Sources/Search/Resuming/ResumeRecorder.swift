import ProviderModel

/// Keeps the stored state of a listing up with what the consumer has been given.
struct ResumeRecorder {
    private let point: ResumePoint
    private var state: ResumeState
    private var isWorthKeeping: Bool
    /// Providers whose script is not in the state yet: a digest is made where there is one to compare with, or to keep.
    private var opened: [String: any ImageSource] = [:]
    /// Providers whose state is another than the one that was saved last.
    private var changed: Set<String> = []
    private var hasSaved = false
    private var hasFailed = false

    /// Begins to record, and says where the providers go on.
    init(_ point: ResumePoint, of providers: [String]) {
        self.point = point
        state = point.state ?? ResumeState()
        isWorthKeeping = point.isResuming
        point.announce(providers)
    }

    /// Whether there is something to save.
    var hasChanged: Bool { !changed.isEmpty }

    /// Notes which script a provider has now.
    mutating func open(_ source: any ImageSource, of provider: String) {
        opened[provider] = source
        if state.providers[provider]?.revision != nil { noteRevision(of: provider) }
    }

    /// Counts an image as delivered.
    mutating func handOut(_ item: Item, of provider: String) {
        state.providers[provider, default: ResumeProgress()].handOut(item.id)
    }

    /// Counts an image as delivered by another provider.
    mutating func skip(_ item: Item, of provider: String) {
        state.providers[provider, default: ResumeProgress()].skip(item.id)
    }

    /// Moves a provider past a page.
    mutating func complete(_ page: ResumeProgress.CompletedPage, total: Int?, of provider: String) {
        state.providers[provider, default: ResumeProgress()].complete(page)
        state.providers[provider]?.total = total
        changed.insert(provider)
    }

    /// Notes that a provider gives nothing more in this run.
    mutating func stop(_ provider: String) { changed.insert(provider) }

    /// Notes that the listing has more than one page.
    mutating func passFirstPage() { isWorthKeeping = true }

    /// Saves what has changed.
    mutating func save() {
        guard !changed.isEmpty, isWorthKeeping else { return }
        for provider in opened.keys { noteRevision(of: provider) }
        let isFirst = !hasSaved
        hasSaved = true
        let saved = isFirst ? state : ResumeState(providers: state.providers.filter { changed.contains($0.key) })
        changed = []
        do throws(ResumeError) {
            try point.store.save(saved, for: point.key, replacing: isFirst)
        } catch {
            // Said once; the disk may have room again at the next page.
            if !hasFailed { point.onNote(.notKept(error)) }
            hasFailed = true
        }
    }

    private mutating func noteRevision(of provider: String) {
        guard let source = opened.removeValue(forKey: provider), let revision = point.revision(source) else { return }
        if let earlier = state.providers[provider]?.revision, earlier != revision {
            point.onNote(.scriptChanged(provider: provider))
        }
        state.providers[provider, default: ResumeProgress()].revision = revision
        changed.insert(provider)
    }
}
