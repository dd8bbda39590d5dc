import ProviderModel
import Synchronization
import TestSupport

@testable import Search

/// A source in memory: pages by number, each asked for under the eyes of the test.
final class FakeSource: ImageSource {
    enum Answer: Sendable {
        case page(Page)
        case failure(ProviderError)
        /// The page, once the gate is open; never, when the task is cancelled before.
        case held(Gate, Page)
    }

    let manifest: ProviderManifest
    private let answers: [Answer]
    private let asked = Mutex<[ProviderQuery]>([])
    /// Opened when a fetch was cancelled.
    let cancelled = Gate()
    /// Opened when the first page was asked for.
    let started = Gate()

    init(_ name: String, _ answers: [Answer], prepare: (inout ProviderManifest) -> Void = { _ in }) {
        manifest = .fake(name, prepare: prepare)
        self.answers = answers
    }

    /// Pages of items with these ids, and the number of all.
    convenience init(_ name: String, pages: [[String]], total: Int? = nil) {
        self.init(name, pages.map { .page(.fake(name, $0, total: total ?? pages.joined().count)) })
    }

    var queries: [ProviderQuery] { asked.withLock { $0 } }

    /// The numbers of the pages asked for, in order: pages side by side are asked for in any.
    var pages: [Int] { queries.map(\.page).sorted() }

    /// The source as a merged listing takes it.
    var entry: (name: String, open: @Sendable () async throws -> any ImageSource) {
        (manifest.id.description, { self })
    }

    /// The source behind a pager of its own.
    var pager: ProviderPager {
        ProviderPager(name: entry.name, listing: .search("x"), options: SearchOptions(), open: entry.open)
    }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        asked.withLock { $0.append(query) }
        started.open()
        guard query.page <= answers.count else { return Page(items: [], next: .end) }
        switch answers[query.page - 1] {
        case .page(let page): return page
        case .failure(let error): throw error
        case .held(let gate, let page):
            await withTaskCancellationHandler {
                await gate.opened()
            } onCancel: {
                cancelled.open()
                gate.open()
            }
            try Task.checkCancellation()
            return page
        }
    }
}

extension ProviderManifest {
    static func fake(
        _ name: String = "fake", prepare: (inout ProviderManifest) -> Void = { _ in }
    ) -> ProviderManifest {
        var manifest = ProviderManifest(id: ProviderID(name)!, name: name, version: "1.0.0")
        manifest.limits.pageSize = Limits.PageSize(minimum: 1, maximum: 100, default: 20)
        manifest.operations = [ProviderOperation.search, .feed].map {
            OperationDescription(
                operation: $0, location: SourceLocation(file: "\(name).js", line: 3), isGenerator: false)
        }
        prepare(&manifest)
        return manifest
    }
}

extension Page {
    static func fake(_ name: String, _ ids: [String], total: Int? = nil, next: Next = .counted) -> Page {
        Page(items: ids.map { Item(provider: ProviderID(name)!, id: $0) }, total: total, next: next)
    }
}

extension SearchOptions {
    init(limit: Int = 20, pageSize: Int?) {
        self.init(limit: limit)
        self.pageSize = pageSize
    }
}

/// An event in a form that compares.
func text(_ event: MergedSearch.Event) -> String {
    switch event {
    case .image(let item): "\(item.provider) \(item.id)"
    case .failure(let provider, let error): "\(provider) failed: \((error as? ProviderError)?.message ?? "\(error)")"
    case .finished(let summary):
        "\(summary.provider) gave \(summary.count) of \(summary.total.map(String.init) ?? "?")"
            + (summary.filtered > 0 ? ", \(summary.filtered) left out" : "")
    }
}

extension MergedSearch {
    init(
        _ sources: [FakeSource], options: SearchOptions = SearchOptions(), text: String = "x",
        resumePoint: ResumePoint? = nil
    ) {
        self.init(sources.map(\.entry), listing: .search(text), options: options, resumePoint: resumePoint)
    }

    /// A listing with the same options for all.
    init(
        _ providers: [(name: String, open: @Sendable () async throws -> any ImageSource)], listing: Listing,
        options: SearchOptions, resumePoint: ResumePoint? = nil
    ) {
        self.init(providers, listing: listing, options: options, for: { _ in options }, resumePoint: resumePoint)
    }

    /// An iterator, with another time for the first items of others.
    func merger(fairStart: Duration) -> SearchMerger {
        var search = self
        search.fairStart = fairStart
        return search.makeAsyncIterator()
    }

    /// Every event, as text.
    func all() async -> [String] {
        var events: [String] = []
        for await event in self { events.append(SearchTests.text(event)) }
        return events
    }
}
