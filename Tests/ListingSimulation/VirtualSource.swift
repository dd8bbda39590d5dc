import HTTPTransport
import ProviderModel
import ProviderRuntime
import WorkerProtocol

/// An entry of a virtual source's list.
final class Entry: Sendable {
    let id: String
    /// The order in the list: smaller ones come first, and keep their number when others are inserted or removed.
    let rank: Int
    /// The filters that admit it.
    let tags: [String]
    /// Whether the source, or the script, leaves it out of its pages.
    let isHidden: Bool
    /// The page that another source's image may share.
    let page: String
    /// The image as the source gives it.
    let item: Item

    init(_ id: String, of source: String, rank: Int, tags: [String], isHidden: Bool = false, page: String) {
        (self.id, self.rank, self.tags, self.isHidden, self.page) = (id, rank, tags, isHidden, page)
        var item = Item(provider: ProviderID(source)!, id: id)
        item.tags = tags
        item.page = try! WebURL("https://pages.example/\(page)")
        item.media = [Self.media]
        self.item = item
    }

    /// The same image once more, elsewhere in the list.
    func repeated(of source: String, rank: Int) -> Entry {
        Entry(id, of: source, rank: rank, tags: tags, isHidden: isHidden, page: page)
    }

    private static let media: Media = {
        var media = Media(role: .original, url: try! WebURL("https://img.example/a.jpg"))
        media.type = .image
        return media
    }()
}

/// A source whose list is read while it changes, and which does what sources do: gives fewer entries than were asked for,
/// repeats some, leaves pages empty, miscounts, refuses, and takes its time.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
final class VirtualSource: ImageSource, @unchecked Sendable {
    /// What the source says about the number of its entries.
    enum Total: CaseIterable { case none, right, tooLarge, tooSmall }

    /// The properties of a source.
    struct Behaviour {
        var paging = Paging.page
        /// The most entries that a page has, whatever is asked for.
        var cap = Int.max
        var total = Total.none
        /// Whether entries that are left out of a page are counted.
        var reportsReceived = true
        /// The pages that are empty.
        var emptyPages: Set<Int> = []
        /// One request in so many changes the list; 0 for never.
        var changes = 0
        /// One request in so many is refused; 0 for never.
        var refusals = 0
        var latency = 1...100
        /// Whether results are kept for a while.
        var isCached = false
        /// Whether requests need a session, which the source ends whenever it likes.
        var hasSessions = false
    }

    let manifest: ProviderManifest
    var behaviour: Behaviour
    /// The list now.
    private(set) var entries: [Entry]
    /// Every entry that was ever in it, by id.
    private(set) var known: [String: Entry] = [:]
    /// The entries that were inserted or removed while the list was read.
    private(set) var inserted: Set<String> = []
    private(set) var removed: Set<String> = []
    /// The queries of the requests, in the order in which they were sent.
    private(set) var requests: [ProviderQuery] = []
    /// The permits of the pages of one run, and its session.
    private var permits = PagePermits(1)
    private var sessions: SessionCache
    /// The number of the session that the source takes, and how many requests more.
    private var session = 0
    private var requestsLeft = 0
    /// The results of earlier calls; nil where none are kept.
    private let cache: ResultCache?
    /// The number of requests that were answered with an empty page that has others behind it.
    private(set) var holes = 0
    private let executor: VirtualExecutor
    private let random: SeededRandom
    private var firstRank = 0

    init(
        _ name: String, _ entries: [Entry], _ behaviour: Behaviour, on executor: VirtualExecutor, _ random: SeededRandom
    ) {
        var manifest = ProviderManifest(id: ProviderID(name)!, name: name, version: "1.0.0")
        manifest.paging = behaviour.paging
        manifest.limits.pageSize = Limits.PageSize(minimum: 1, maximum: 25, default: 10)
        manifest.operations = [
            OperationDescription(
                operation: .search, location: SourceLocation(file: "\(name).js", line: 1), isGenerator: false)
        ]
        if behaviour.hasSessions {
            let header = NamedValue("X-Guest", "{session.token}")
            manifest.authentication = [AuthenticationMethod(placement: .header([header]))]
        }
        sessions = SessionCache(manifest: manifest)
        self.manifest = manifest
        self.behaviour = behaviour
        self.entries = entries
        self.executor = executor
        self.random = random
        let store = VirtualDerivedStore(lifetime: random.within(500...20_000), executor)
        var source = ScriptSource(file: "\(name).js", text: "")
        cache = behaviour.isCached ? ResultCache(of: &source, in: store, worker: "") : nil
        cache?.keep(manifest)
        for entry in entries { known[entry.id] = entry }
    }

    var name: String { manifest.id.description }

    /// The source as a search takes it.
    var provider: (name: String, open: @Sendable () async throws -> any ImageSource) { (name, { self }) }

    /// Begins a run of a program that asks for so many pages at a time.
    func beginRun(pagesInFlight: Int) {
        permits = PagePermits(pagesInFlight)
        let start = ContinuousClock.now
        sessions = SessionCache(manifest: manifest, on: executor) { [executor] in
            start + .milliseconds(executor.now)
        }
    }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        permits.enter(query.page)
        defer { permits.leave(query.page) }
        let call = EncodedCall(.search(query))
        if let known = cache?.result(of: call, identity: []), case .page(var page) = known.result {
            for index in page.items.indices { page.items[index].provider = manifest.id }
            return page
        }
        let received = try await sessions.call { try await answer(to: query, in: $0) }
        if let cache { cache.keep(EncodedResult(.page(received)), of: call, identity: [], from: []) }
        return received
    }

    private func answer(to query: ProviderQuery, in used: UsedSession) async throws -> Page {
        // The script takes its time to make the request.
        try await executor.sleep(random.within(0...30))
        try await permits.wait(for: query.page)
        defer { permits.signal() }
        requests.append(query)
        let values = try await sessions.values(for: used) { try await self.beginSession() }
        let latency = random.within(behaviour.latency)
        try await executor.sleep(latency / 2)
        change()
        let answer = page(for: query)
        let isRefused = behaviour.refusals > 0 && random.once(in: behaviour.refusals)
        let isKnown = !behaviour.hasSessions || values.values["token"] == "\(session)" && requestsLeft > 0
        requestsLeft -= 1
        try await executor.sleep(latency - latency / 2)
        guard isKnown else { throw ProviderError(.auth, provider: name, message: "unknown session") }
        if isRefused { throw ProviderError(.transport, provider: name, message: "refused") }
        return answer
    }

    /// A session for some requests more than a program has under way at a time: each call that begins one gets its answer.
    private func beginSession() async throws -> SessionResult {
        try await executor.sleep(random.within(behaviour.latency))
        session += 1
        requestsLeft = random.within(9...25)
        return SessionResult(values: [NamedValue("token", "\(session)")], expiresIn: nil)
    }

    /// Puts new entries in front.
    func insert(_ count: Int) {
        for _ in 0..<count {
            firstRank -= 1
            let id = "new\(-firstRank)"
            let entry = Entry(id, of: name, rank: firstRank, tags: Self.tags(random), page: "\(name)-\(id)")
            entries.insert(entry, at: 0)
            known[entry.id] = entry
            inserted.insert(entry.id)
        }
    }

    /// Removes an entry.
    func remove(at index: Int) { removed.insert(entries.remove(at: index).id) }

    static func tags(_ random: SeededRandom) -> [String] {
        ["red", "blue"].filter { _ in !random.once(in: 3) }
    }

    private func change() {
        guard behaviour.changes > 0, random.once(in: behaviour.changes) else { return }
        if random.once(in: 2) || entries.isEmpty {
            insert(random.within(1...3))
        } else {
            remove(at: random.below(entries.count))
        }
    }

    private func page(for query: ProviderQuery) -> Page {
        let size = min(query.limit, behaviour.cap)
        let start: Int
        switch manifest.paging {
        case .offset: start = query.offset
        case .cursor:
            let rank = query.cursor.flatMap { Int($0.description) } ?? .min
            start = entries.firstIndex { $0.rank > rank } ?? entries.count
        default: start = (query.page - 1) * size
        }
        let window = entries[min(start, entries.count)..<min(start + size, entries.count)]
        var page = Page(items: window.filter { !$0.isHidden }.map(\.item))
        if behaviour.reportsReceived { page.received = window.count }
        if manifest.paging == .cursor {
            let last = window.endIndex < entries.count ? window.last : nil
            page.next = last.map { .cursor(JSONText(validated: "\($0.rank)")) } ?? .end
        }
        if behaviour.emptyPages.contains(start / max(1, size)), !window.isEmpty {
            if window.endIndex < entries.count { holes += 1 }
            (page.items, page.received) = ([], 0)
        }
        page.total = total
        return page
    }

    /// The total that the source reports.
    private var total: Int? {
        switch behaviour.total {
        case .none: nil
        case .right: entries.count
        case .tooLarge: entries.count + 25
        case .tooSmall: entries.count / 2
        }
    }
}

/// Kept results that are fresh for a while of virtual time.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
private final class VirtualDerivedStore: DerivedStore, @unchecked Sendable {
    private let lifetime: Int
    private let executor: VirtualExecutor
    private var values: [[UInt8]: (bytes: [UInt8], until: Int)] = [:]

    init(lifetime: Int, _ executor: VirtualExecutor) { (self.lifetime, self.executor) = (lifetime, executor) }

    func value(for key: [UInt8]) -> [UInt8]? {
        values[key].flatMap { executor.now < $0.until ? $0.bytes : nil }
    }

    func keep(_ value: [UInt8], for key: [UInt8], derivedFrom receipts: [CacheReceipt]) {
        values[key] = (value, executor.now + lifetime)
    }
}
