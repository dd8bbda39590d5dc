import LocalDatabase
import ProviderModel

/// The stored position of a listing, with which a later run continues.
///
/// ```swift
/// let fox = Listing.search("red fox")
/// let point = try engine.resumePoint(of: fox, in: ["openverse"], isResuming: true)
/// for await event in engine.events(of: fox, in: ["openverse"], resumePoint: point) {
///     if case .image(let image) = event { print(image.id) }
/// }
/// ```
///
/// The position is saved when the consumer requests more after the last item of a page: whenever a run is killed, no item is
/// lost, and of each provider at most the items of one unfinished page repeat, which the next run reports. A run that ends
/// repeats none. The limit is that of all runs together: however often a listing is stopped and resumed, it gives what one
/// run gives. With another filter than before, a listing is read from its first page again: images that the former filter left
/// out are delivered, images that were delivered are not repeated. A run that does not resume is stored once it goes past a
/// first page, in place of the stored position; one that resumes from the start.
public struct ResumePoint: Sendable {
    /// What identifies the listing.
    public let key: ResumeKey
    /// Whether this run continues the last one.
    public let isResuming: Bool
    /// The stored state when the run began; nil without one, and for a run that does not resume.
    public private(set) var state: ResumeState?
    /// The providers whose filter differs from that of the stored state.
    private var restarted: Set<String> = []
    let store: any ResumeStore
    let revision: @Sendable (any ImageSource) -> String?
    let onNote: @Sendable (ResumeNote) -> Void

    /// A listing's position and, to resume, its stored state; throws when that is damaged or locked.
    ///
    /// `revision` returns a hash of a source's script; `onNote` is called with what the user should know.
    package init(
        _ key: ResumeKey, in store: any ResumeStore, isResuming: Bool,
        revision: @escaping @Sendable (any ImageSource) -> String? = { _ in nil },
        onNote: @escaping @Sendable (ResumeNote) -> Void = { _ in }
    ) throws(ResumeError) {
        self.key = key
        self.isResuming = isResuming
        self.revision = revision
        self.onNote = onNote
        do throws(ResumeError) {
            state = isResuming ? try store.load(key) : nil
            self.store = store
        } catch {
            // Nothing is stored there and nothing can be: the listing is read without it, and that is said once.
            guard error.code == .unavailable else { throw error }
            onNote(.notKept(error))
            state = nil
            self.store = MissingResumeStore()
        }
    }

    /// How many images were delivered before, of all providers.
    public var delivered: Int { state?.providers.values.reduce(0) { $0 + $1.delivered } ?? 0 }

    /// The same for the filters of this run, by the providers' names.
    func adapted(to filters: (String) -> String) -> ResumePoint {
        var point = self
        for (name, progress) in state?.providers ?? [:] where progress.filter != nil && progress.filter != filters(name)
        {
            point.state?.providers[name] = progress.restarted(for: filters(name))
            point.restarted.insert(name)
        }
        return point
    }

    /// Reports where the providers continue.
    func announce(_ pagers: [ProviderPager]) {
        guard isResuming else { return }
        guard let state else { return onNote(.noResumePoint(provider: nil)) }
        for pager in pagers { onNote(note(of: pager, state.providers[pager.name])) }
    }

    private func note(of pager: ProviderPager, _ progress: ResumeProgress?) -> ResumeNote {
        if restarted.contains(pager.name), !pager.isFinished {
            return .filterChanged(provider: pager.name, delivered: progress?.delivered ?? 0)
        }
        guard let progress, progress.isFinished || progress.position != nil || progress.delivered > 0 else {
            return .noResumePoint(provider: pager.name)
        }
        if progress.isFinished { return .finished(provider: pager.name, delivered: progress.delivered) }
        if pager.isFinished { return .limitReached(provider: pager.name, delivered: progress.delivered) }
        return .resuming(
            provider: pager.name, page: progress.page, delivered: progress.delivered, mayRepeat: progress.mayRepeat)
    }
}

/// What a resumed run reports beside its images.
public enum ResumeNote: Hashable, Sendable {
    /// Nothing is stored: of the listing, or of one provider while others continue.
    case noResumePoint(provider: String?)
    /// A provider continues at a page; images of that page may repeat when the last run was killed.
    case resuming(provider: String, page: Int, delivered: Int, mayRepeat: Bool)
    /// The filter differs from that of the last run: a provider is read from its first page, without what was delivered.
    case filterChanged(provider: String, delivered: Int)
    /// A provider has reached the limit in former runs.
    case limitReached(provider: String, delivered: Int)
    /// A provider has no more images: all were delivered in former runs.
    case finished(provider: String, delivered: Int)
    /// A provider's script differs from the one that stored the position.
    case scriptChanged(provider: String)
    /// The position cannot be saved: the run goes on, a later one may not continue it.
    case notKept(ResumeError)
}

/// The identity of a listing: two runs with the same key continue one another.
///
/// The number of images and the page size are not part of it, nor is the filter: a run with another filter delivers what the
/// former one left out, too.
public struct ResumeKey: Codable, Hashable, Sendable {
    /// `search`, `feed`, or `collection` with the collection's provider and id.
    public let listing: String
    /// The search text, trimmed.
    public let text: String
    /// The providers, in alphabetical order.
    public let providers: [String]
    /// The parameters of all providers.
    public let parameters: [String: String]
    /// The parameters of single providers, by their ids.
    public let parametersByProvider: [String: [String: String]]
    /// The point to search around: `52.52,13.4`.
    public let near: String?
    /// The chosen servers of providers for software that runs on many, by the providers' names.
    public let servers: [String: String]
    /// Whether responses are recordings.
    public let isSample: Bool

    /// Identifies a listing.
    ///
    /// - Parameters:
    ///   - listing: the search, feed or collection.
    ///   - providers: the providers' names, in any order.
    ///   - options: of which parameters, point and recorded answers count.
    ///   - servers: the servers chosen of providers for software that runs on many, by the providers' names.
    public init(
        _ listing: Listing, providers: [String], options: SearchOptions, servers: [String: String] = [:]
    ) {
        self.listing =
            switch listing {
            case .search, .feed: listing.operation.rawValue
            case .similar(let image): "similar \(image.digest)"
            case .collection(let item): "collection \(item.provider):\(item.id)"
            }
        self.text = listing.text.trimmingSpaces
        self.providers = Set(providers).sorted()
        parameters = options.parameters
        parametersByProvider = options.parametersByProvider
        near = options.near.map { "\($0.latitude),\($0.longitude)" }
        self.servers = servers.filter { providers.contains($0.key) }
        isSample = options.answersAreRecorded
    }
}

extension ResumeKey {
    /// A digest of a listing and its filter, by which a cursor of another listing is recognised.
    static func digest(
        of listing: Listing, in providers: [String], _ options: SearchOptions, on servers: [String: String] = [:]
    ) -> UInt64 {
        let key = ResumeKey(listing, providers: providers, options: options, servers: servers)
        return Checksum.of(Array("\(key.canonical)\n\(options.filter.identity)".utf8))
    }
}

extension ProviderError {
    /// The error for a cursor that is used with another listing than its own.
    static var otherListing: ProviderError {
        ProviderError(
            .unsupported, provider: "",
            message: "the cursor is of another listing (expected one of the same query, parameters and filter)")
    }
}
