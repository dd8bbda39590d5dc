import ProviderModel

/// Updates the stored state of a listing as its images are delivered.
struct ResumeRecorder {
    private let point: ResumePoint
    private var state: ResumeState
    private var isWorthKeeping: Bool
    /// Providers whose script is not in the state yet: a digest is made where there is one to compare with, or to keep.
    private var opened: [String: any ImageSource] = [:]
    /// Providers whose state is another than the one that was saved last.
    private var changed: Set<String> = []
    /// What the providers have come past since they were saved last.
    private var unsavedItems: [String: SeenItems] = [:]
    /// Whether the page URLs of images matter: other providers may have the same.
    private let recordsPages: Bool
    /// The providers' filters.
    private let filters: [String: String]
    private var hasSaved = false
    private var hasFailed = false
    /// When a store that failed is asked again: what it took to fail is a tenth of the time between.
    private var pausesUntil: ContinuousClock.Instant?

    /// Begins to record, and says where the providers go on.
    init(_ point: ResumePoint, of pagers: [ProviderPager]) {
        self.point = point
        state = point.state ?? ResumeState()
        isWorthKeeping = point.isResuming
        recordsPages = pagers.count > 1
        filters = Dictionary(pagers.map { ($0.name, $0.filter) }, uniquingKeysWith: { $1 })
        point.announce(pagers)
        // What this run delivers before it notes a page is known to the next one as possible.
        for pager in pagers where !pager.isFinished && state.providers[pager.name]?.mayRepeat == false {
            state.providers[pager.name]?.goOn()
            changed.insert(pager.name)
        }
    }

    /// Page URLs of images that earlier runs delivered.
    var passedPages: Set<String> { Set(state.providers.values.flatMap(\.passedPages)) }

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
        unsavedItems[provider, default: SeenItems()].ids.append(item.id)
        guard recordsPages, let page = item.page else { return }
        unsavedItems[provider]?.pages.append(page.description)
    }

    /// Counts an image as delivered by another provider.
    mutating func skip(_ item: Item, of provider: String) {
        state.providers[provider, default: ResumeProgress()].skip(item.id)
        unsavedItems[provider, default: SeenItems()].ids.append(item.id)
    }

    /// Moves a provider past a page.
    mutating func complete(_ page: ResumeProgress.CompletedPage, total: Int?, of provider: String) {
        var progress = state.providers[provider] ?? ResumeProgress()
        progress.complete(page)
        progress.total = total
        progress.filter = filters[provider]
        state.providers[provider] = progress
        changed.insert(provider)
    }

    /// Notes that a provider gives nothing more in this run; `isComplete` says that it gave all that was wanted.
    mutating func stop(_ provider: String, isComplete: Bool) {
        state.providers[provider, default: ResumeProgress()].stop(isComplete: isComplete)
        changed.insert(provider)
        pausesUntil = nil
    }

    /// Notes that the listing has more than one page.
    mutating func passFirstPage() { isWorthKeeping = true }

    /// Saves what has changed.
    mutating func save() {
        guard !changed.isEmpty, isWorthKeeping, pausesUntil.map({ $0 <= .now }) ?? true else { return }
        let start = ContinuousClock.now
        for provider in changed { noteRevision(of: provider) }
        let progress = state.providers.filter { changed.contains($0.key) }
        let items = unsavedItems.filter { changed.contains($0.key) }
        do throws(ResumeError) {
            let replaces = !hasSaved && !point.isResuming
            try point.store.save(ResumeState(providers: progress), passing: items, for: point.key, replacing: replaces)
            for provider in changed { unsavedItems[provider] = nil }
            (changed, hasSaved, pausesUntil) = ([], true, nil)
        } catch {
            pausesUntil = ContinuousClock.now.advanced(by: start.duration(to: .now) * 10)
            // Said once; the disk may have room again, and the process that holds the file may end.
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
