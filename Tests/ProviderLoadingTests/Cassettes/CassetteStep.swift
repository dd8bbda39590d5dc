import ProviderLoading
import ProviderModel
import Search
import Testing

/// Something a provider's cassettes were recorded for, and what comes of it.
struct CassetteStep: Sendable, CustomTestStringConvertible {
    /// What is asked for.
    enum Action: Sendable {
        case search(String)
        case feed
        case details(page: String? = nil)
        case collection
        case download(Media.Role)
    }

    /// What is expected.
    enum Outcome: Sendable {
        /// So many items on all pages together.
        case items(Int)
        /// One item or file of which this is the title or URL.
        case found(String)
        case failure(ProviderError.Code, says: String)
    }

    var provider: String
    var action: Action
    /// The item asked about.
    var id = ""
    var parameters: [String: String] = [:]
    /// The page asked for, whatever the host would have checked before; nil for all.
    var page: Int?
    var outcome: Outcome

    init(
        _ provider: String, _ action: Action, id: String = "", parameters: [String: String] = [:], page: Int? = nil,
        _ outcome: Outcome
    ) {
        self.provider = provider
        self.action = action
        self.id = id
        self.parameters = parameters
        self.page = page
        self.outcome = outcome
    }

    var testDescription: String { "\(provider) \(action) \(id) \(parameters)" }
}

extension CassetteStep {
    /// What comes of it: the number of items, or the title or URL found.
    func result(over transport: ExactReplay) async throws -> String {
        let source = try await TestProvider.shipped(provider, over: transport)
        var item = Item(provider: source.manifest.id, id: id)
        switch action {
        case .search(let text) where page != nil:
            var query = ProviderQuery(text: text)
            query.page = page ?? 1
            query.parameters = parameters.map { ProviderQuery.Parameter($0.key, .list([$0.value])) }
            return "\(try await source.page(of: .search, for: query).items.count)"
        case .search(let text): return "\(try await count(.search, text, of: source))"
        case .feed: return "\(try await count(.feed, "", of: source))"
        case .collection:
            item.type = .collection
            return "\(try await count(.collection(item), "", of: source))"
        case .details(let page):
            item.page = try page.map { text throws(InvalidURL) in try WebURL(text) }
            let found = try await source.details(of: item)
            return found.title ?? found.tags.joined(separator: ", ")
        case .download(let role):
            let found = try await source.details(of: item)
            let media = found.media.first { $0.role == role }!
            return try await source.resolved(media, of: found).url.description
        }
    }

    /// How many different items all pages have, each item held to the provider's own word.
    private func count(_ listing: Listing, _ text: String, of source: ScriptProvider) async throws -> Int {
        var options = SearchOptions()
        options.limit = 1_000
        options.pagesInFlight = 1  // what is fetched ahead past the end is not recorded
        options.usesStandardPageSize = true
        options.parameters = parameters
        let open: @Sendable () async throws -> any ImageSource = { source }
        let search = MergedSearch([(provider, open)], listing: listing, text: text, options: options)
        var count = 0
        for await event in search {
            switch event {
            case .image(let item):
                count += 1
                try check(item, of: source)
            case .failure(_, let error): throw error
            case .finished: break
            }
        }
        return count
    }

    private func check(_ item: Item, of source: ScriptProvider) throws {
        let hosts = source.manifest.mediaHosts
        for file in item.media where !hosts.contains(where: { $0.matches(file.url) }) {
            throw ProviderError(
                .result, provider: provider, message: "\(item.id): \(file.url.host) is not among the mediaHosts")
        }
    }
}
