import FoundationEssentials
import ProviderModel
import Synchronization

/// The next images of a listing over several providers, at most ``SearchOptions/limit`` of each, for those who come back for
/// more later: nothing is kept between two parts but the cursor that the caller has.
///
/// The pages, their order and the choice among repeated images are those of ``MergedSearch``.
public struct ListingPart: Sendable {
    /// What comes of the part; to be read once.
    public let events: MergedSearch
    private let providers: [String]
    private let store: ProgressStore

    /// The part of a listing after `cursor`, the first one for nil.
    package init(
        of listing: Listing, from providers: [(name: String, open: @Sendable () async throws -> any ImageSource)],
        after cursor: ListingCursor?, _ options: SearchOptions
    ) {
        let providers = cursor.map { cursor in providers.filter { cursor.providers[$0.name] != nil } } ?? providers
        self.providers = providers.map(\.name)
        store = ProgressStore(ResumeState(providers: cursor?.providers ?? [:]))
        let key = ResumeKey(listing, providers: self.providers, options: options)
        // Loading from memory cannot fail.
        let resumePoint = try? ResumePoint(key, in: store, isResuming: true)
        events = MergedSearch(providers, listing: listing, options: options, resumePoint: resumePoint)
    }

    /// Returns where the next part begins, once the events have been read to their end; nil when no provider has more.
    ///
    /// - Parameter failed: providers that failed, which give nothing more.
    public func next(leavingOut failed: Set<String> = []) -> ListingCursor? {
        cursor(of: providers.filter { !failed.contains($0) })
    }

    /// Returns where a provider that failed can be asked again; nil when it has given all.
    public func retry(of provider: String) -> ListingCursor? { cursor(of: [provider]) }

    private func cursor(of names: [String]) -> ListingCursor? {
        let known = store.state.withLock(\.providers)
        var unfinished: [String: ResumeProgress] = [:]
        for name in names {
            let progress = known[name] ?? ResumeProgress()
            if !progress.isFinished { unfinished[name] = progress }
        }
        return unfinished.isEmpty ? nil : ListingCursor(providers: unfinished)
    }
}

/// How far a part has come, in memory.
private final class ProgressStore: ResumeStore {
    let state: Mutex<ResumeState>

    init(_ state: ResumeState) { self.state = Mutex(state) }

    func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState? { state.withLock(\.self) }

    func save(_ state: ResumeState, for key: ResumeKey, replacing: Bool) throws(ResumeError) {
        self.state.withLock { $0.providers.merge(state.providers) { $1 } }
    }
}

/// Where the next part of a listing over several providers begins.
///
/// It can be kept as text and given to another engine later; it says nothing of the listing, which has to be the same.
public struct ListingCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The providers that have more, each with its place.
    let providers: [String: ResumeProgress]

    init(providers: [String: ResumeProgress]) { self.providers = providers }

    /// A cursor from its text; nil for what no part gave.
    public init?(_ text: String) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard text.utf8.count <= 1 << 20, let data = Data(base64Encoded: padded),
            // Whoever sends a text that is no cursor is told so by nil.
            let providers = try? JSONDecoder().decode([String: ResumeProgress].self, from: data), !providers.isEmpty,
            providers.allSatisfy({ ProviderID($0.key) != nil && $0.value.isValid })
        else { return nil }
        self.providers = providers
    }

    /// The cursor as text of letters, digits, `-` and `_`, which needs no encoding in a URL.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers and strings can always be written.
        let text = (try? encoder.encode(providers))?.base64EncodedString() ?? ""
        return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
