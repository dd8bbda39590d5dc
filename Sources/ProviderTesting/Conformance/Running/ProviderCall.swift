import ProviderModel
import ProviderRuntime

/// One thing asked of a provider, in the form in which it crosses the wall.
package struct ProviderCall: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        case search(ProviderQuery)
        case feed(ProviderQuery)
        case collection(Item, ProviderQuery)
        case details(Item)
        case download(Media, of: Item)
    }

    /// What comes of a call.
    package struct Result: Hashable, Sendable {
        /// The items of a page, or the one item of details.
        package var items: [Item] = []
        /// The page, where it was a listing.
        package var page: Page?
        /// The file, where it was a download.
        package var media: Media?
    }

    package var action: Action

    package init(_ action: Action) { self.action = action }

    package var operation: Operation {
        switch action {
        case .search: .search
        case .feed: .feed
        case .collection: .collection
        case .details: .details
        case .download: .download
        }
    }

    /// The query, where the call has one.
    package var query: ProviderQuery? {
        switch action {
        case .search(let query), .feed(let query), .collection(_, let query): query
        case .details, .download: nil
        }
    }

    /// The same call with another query.
    func with(_ query: ProviderQuery) -> ProviderCall {
        switch action {
        case .search: ProviderCall(.search(query))
        case .feed: ProviderCall(.feed(query))
        case .collection(let item, _): ProviderCall(.collection(item, query))
        case .details, .download: self
        }
    }

    func run(on provider: ScriptProvider) async throws -> Result {
        switch action {
        case .search(let query): Self.result(of: try await provider.page(of: .search, for: query))
        case .feed(let query): Self.result(of: try await provider.page(of: .feed, for: query))
        case .collection(let item, let query):
            Self.result(of: try await provider.page(of: .collection(item), for: query))
        case .details(let item): Result(items: [try await provider.details(of: item)])
        case .download(let media, let item): Result(media: try await provider.resolved(media, of: item))
        }
    }

    private static func result(of page: Page) -> Result { Result(items: page.items, page: page) }

    /// `search “coffee”`, `details 99100000`.
    package var description: String {
        switch action {
        case .search(let query): "search \(query.text.quoted)"
        case .feed: "feed"
        case .collection(let item, _): "collection \(item.id)"
        case .details(let item): "details \(item.id)"
        case .download(let media, let item): "download \(media.role.rawValue) of \(item.id)"
        }
    }
}

extension ProviderManifest {
    /// The first query of a listing, with the page size and the parameters that hold when the user says nothing.
    package func standardQuery(for operation: Operation, text: String = "") -> ProviderQuery {
        var query = ProviderQuery(text: text)
        query.limit = limits.pageSize.standard
        query.parameters = (description(of: operation)?.parameters ?? []).compactMap { parameter in
            // A default that is none is the manifest's fault, told of by its own check.
            guard
                let value = try? parameter.standard.map({ text throws(InvalidParameter) in
                    try parameter.value(from: text)
                })
            else { return nil }
            return ProviderQuery.Parameter(parameter.name, value)
        }
        return query
    }
}
