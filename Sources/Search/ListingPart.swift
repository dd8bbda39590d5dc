import FoundationEssentials
import ProviderModel
import Synchronization

/// The next images of a listing over several providers, at most ``SearchOptions/limit`` of each; the caller holds the cursor,
/// and nothing else is stored between two parts.
///
/// Pages, their order and the choice among duplicates are those of ``MergedSearch``.
public struct ListingPart: Sendable {
    /// The events of the part; they can be iterated once.
    public let events: MergedSearch
    /// The names of the providers that are asked, in their order.
    package let providers: [String]
    private let store: ProgressStore
    private let listing: UInt64
    /// The servers of the providers that have one, by their names.
    private let servers: [String: String]

    /// The part of a listing after `cursor`, the first one for nil; throws for a cursor of another listing.
    package init(
        of listing: Listing, from providers: [(name: String, open: @Sendable () async throws -> any ImageSource)],
        after cursor: ListingCursor?, _ options: SearchOptions, for providerOptions: (String) -> SearchOptions,
        on servers: [String: String] = [:]
    ) throws(ProviderError) {
        // The cursor names the providers.
        let digest = ResumeKey.digest(of: listing, in: [], options)
        guard cursor?.listing ?? digest == digest else { throw .otherListing }
        self.listing = digest
        let providers = cursor.map { cursor in providers.filter { cursor.providers[$0.name] != nil } } ?? providers
        self.providers = providers.map(\.name)
        self.servers = servers
        if let cursor, self.providers.contains(where: { cursor.servers[$0] != servers[$0] }) { throw .otherListing }
        // The limit is of each part.
        let progress = cursor?.providers.mapValues(\.withoutCounts) ?? [:]
        store = ProgressStore(ResumeState(providers: progress))
        let key = ResumeKey(listing, providers: self.providers, options: options)
        // Loading from memory cannot fail.
        let resumePoint = try? ResumePoint(key, in: store, isResuming: true)
        events = MergedSearch(
            providers, listing: listing, options: options, for: providerOptions, resumePoint: resumePoint)
    }

    /// Makes the cursor of the next part, after the events have been read to their end.
    ///
    /// - Parameter failed: the names of providers that failed, which the next part leaves out.
    /// - Returns: the cursor; nil when no provider has more images.
    public func next(leavingOut failed: Set<String> = []) -> ListingCursor? {
        cursor(of: providers.filter { !failed.contains($0) })
    }

    /// Makes a cursor with which a provider that failed continues where it stopped.
    ///
    /// - Parameter provider: the provider's name.
    /// - Returns: the cursor; nil when the provider has no more images.
    public func retry(of provider: String) -> ListingCursor? { cursor(of: [provider]) }

    private func cursor(of names: [String]) -> ListingCursor? {
        let known = store.state.withLock(\.providers)
        var unfinished: [String: ResumeProgress] = [:]
        for name in names {
            let progress = known[name] ?? ResumeProgress()
            if !progress.isFinished { unfinished[name] = progress }
        }
        return unfinished.isEmpty ? nil : ListingCursor(providers: unfinished, of: listing, on: servers)
    }
}

/// How far a part has come, in memory.
private final class ProgressStore: ResumeStore {
    let state: Mutex<ResumeState>

    init(_ state: ResumeState) { self.state = Mutex(state) }

    func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState? { state.withLock(\.self) }

    func save(
        _ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool
    ) throws(ResumeError) {
        self.state.withLock { $0.providers.merge(state.providers) { $1 } }
    }
}

/// The position of the next part in a listing over several providers.
///
/// It may be stored as text and used with another engine. It is bound to its listing: with another query, parameter or filter it
/// is refused.
public struct ListingCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The cursor as it is written.
    private struct Contents: Codable {
        let listing: UInt64
        let servers: [String: String]
        let providers: [String: ResumeProgress]
    }

    /// The providers that have more, each with its place.
    let providers: [String: ResumeProgress]
    /// The digest of the listing that it is of.
    let listing: UInt64
    /// The servers of the providers that have one, by their names.
    let servers: [String: String]

    init(providers: [String: ResumeProgress], of listing: UInt64, on servers: [String: String]) {
        (self.providers, self.listing) = (providers, listing)
        self.servers = servers.filter { providers[$0.key] != nil }
    }

    /// The cursor that continues several parts of one listing; nil for none.
    ///
    /// - Throws: `ProviderError` with the code `unsupported` when they are of different listings.
    package static func joining(_ cursors: [ListingCursor]) throws(ProviderError) -> ListingCursor? {
        guard let first = cursors.first else { return nil }
        guard cursors.allSatisfy({ $0.listing == first.listing }) else { throw .otherListing }
        let providers = cursors.map(\.providers).reduce(into: [:]) { $0.merge($1) { $1 } }
        let servers = cursors.map(\.servers).reduce(into: [:]) { $0.merge($1) { $1 } }
        return ListingCursor(providers: providers, of: first.listing, on: servers)
    }

    /// Parses a cursor; nil when `text` is not one.
    ///
    /// - Parameter text: the ``description`` of a cursor, at most 1 MiB. A cursor from a client is validated.
    public init?(_ text: String) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard text.utf8.count <= 1 << 20, let data = Data(base64Encoded: padded),
            // Why a text is not a cursor does not matter to the caller.
            let contents = try? JSONDecoder().decode(Contents.self, from: data), !contents.providers.isEmpty,
            contents.providers.allSatisfy({ ProviderID($0.key) != nil && $0.value.isValid })
        else { return nil }
        self.init(providers: contents.providers, of: contents.listing, on: contents.servers)
    }

    /// The cursor as text of letters, digits, `-` and `_`, which needs no encoding in a URL.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers and strings can always be written.
        let contents = Contents(listing: listing, servers: servers, providers: providers)
        let text = (try? encoder.encode(contents))?.base64EncodedString() ?? ""
        return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
