import ProviderModel

/// Keeps the state of a crawl up with what the consumer has been given.
struct CrawlLedger {
    private let crawl: Crawl
    private var state: CrawlState
    private var isWorthKeeping: Bool
    /// Whether the state is another than the one that was saved last.
    private(set) var hasChanged = false
    private var hasFailed = false

    init(_ crawl: Crawl) {
        self.crawl = crawl
        state = crawl.state ?? CrawlState()
        isWorthKeeping = crawl.isResuming
    }

    /// Notes which script a provider goes by now.
    mutating func opened(_ source: any ImageSource, of provider: String) {
        guard let revision = crawl.revision(source) else { return }
        if let earlier = state.providers[provider]?.revision, earlier != revision {
            crawl.onNote(.scriptChanged(provider: provider))
        }
        state.providers[provider, default: CrawlProgress()].revision = revision
    }

    /// Counts an image as handed out.
    mutating func handOut(_ item: Item, of provider: String) {
        state.providers[provider, default: CrawlProgress()].handOut(item.id)
    }

    /// Counts an image as handed out by another provider.
    mutating func skip(_ item: Item, of provider: String) {
        state.providers[provider, default: CrawlProgress()].skip(item.id)
    }

    /// Moves a provider past a page.
    mutating func pass(_ passage: CrawlProgress.Passage, total: Int?, of provider: String) {
        state.providers[provider, default: CrawlProgress()].pass(passage)
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
        do throws(CrawlError) {
            try crawl.store.save(state, for: crawl.key)
        } catch  where !hasFailed {
            hasFailed = true
            crawl.onNote(.notKept(error))
        } catch {
            // Said once already; the disk may have room again at the next page.
        }
    }
}
