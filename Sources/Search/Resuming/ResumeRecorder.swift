import ProviderModel

/// Keeps the state of a crawl up with what the consumer has been given.
struct ResumeRecorder {
    private let crawl: ResumePoint
    private var state: CrawlState
    private var isWorthKeeping: Bool
    /// Providers whose script is not in the state yet: a digest is made where there is one to compare with, or to keep.
    private var opened: [String: any ImageSource] = [:]
    /// Whether the state is another than the one that was saved last.
    private(set) var hasChanged = false
    private var hasFailed = false

    init(_ crawl: ResumePoint) {
        self.crawl = crawl
        state = crawl.state ?? CrawlState()
        isWorthKeeping = crawl.isResuming
    }

    /// Notes which script a provider goes by now.
    mutating func opened(_ source: any ImageSource, of provider: String) {
        opened[provider] = source
        if state.providers[provider]?.revision != nil { noteRevision(of: provider) }
    }

    /// Counts an image as handed out.
    mutating func handOut(_ item: Item, of provider: String) {
        state.providers[provider, default: ResumeProgress()].handOut(item.id)
    }

    /// Counts an image as handed out by another provider.
    mutating func skip(_ item: Item, of provider: String) {
        state.providers[provider, default: ResumeProgress()].skip(item.id)
    }

    /// Moves a provider past a page.
    mutating func pass(_ passage: ResumeProgress.Passage, total: Int?, of provider: String) {
        state.providers[provider, default: ResumeProgress()].pass(passage)
        state.providers[provider]?.total = total
        hasChanged = true
    }

    /// Takes note that a provider gives nothing more in this run.
    mutating func stop() { hasChanged = true }

    /// Takes note that the listing has more than one page.
    mutating func goPastFirstPage() { isWorthKeeping = true }

    /// Saves what has changed.
    mutating func save() {
        guard hasChanged, isWorthKeeping else { return }
        hasChanged = false
        for provider in opened.keys { noteRevision(of: provider) }
        do throws(ResumeError) {
            try crawl.store.save(state, for: crawl.key)
        } catch  where !hasFailed {
            hasFailed = true
            crawl.onNote(.notKept(error))
        } catch {
            // Said once already; the disk may have room again at the next page.
        }
    }

    private mutating func noteRevision(of provider: String) {
        guard let source = opened.removeValue(forKey: provider), let revision = crawl.revision(source) else { return }
        if let earlier = state.providers[provider]?.revision, earlier != revision {
            crawl.onNote(.scriptChanged(provider: provider))
        }
        state.providers[provider, default: ResumeProgress()].revision = revision
    }
}
