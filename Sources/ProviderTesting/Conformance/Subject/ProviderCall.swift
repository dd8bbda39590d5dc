import ProviderModel
import ProviderRuntime

/// One thing asked of a provider, in the form in which it crosses to the worker.
package struct ProviderCall: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        case search(ProviderQuery)
        case feed(ProviderQuery)
        case collection(Item, ProviderQuery)
        case similar(ProviderQuery)
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

    /// Creates a call.
    package init(_ action: Action) { self.action = action }

    package var operation: ProviderOperation {
        switch action {
        case .search: .search
        case .feed: .feed
        case .collection: .collection
        case .similar: .similar
        case .details: .details
        case .download: .download
        }
    }

    /// The query, where the call has one.
    package var query: ProviderQuery? {
        switch action {
        case .search(let query), .feed(let query), .collection(_, let query), .similar(let query): query
        case .details, .download: nil
        }
    }

    /// The item, where the call is about one.
    var item: Item? {
        switch action {
        case .collection(let item, _), .details(let item), .download(_, let item): item
        case .search, .feed, .similar: nil
        }
    }

    /// The same call with another query.
    func with(_ query: ProviderQuery) -> ProviderCall {
        switch action {
        case .search: ProviderCall(.search(query))
        case .feed: ProviderCall(.feed(query))
        case .collection(let item, _): ProviderCall(.collection(item, query))
        case .similar: ProviderCall(.similar(query))
        case .details, .download: self
        }
    }

    /// Makes the call.
    func run(on provider: ScriptProvider) async throws -> Result {
        let page: Page
        switch action {
        case .search(let query): page = try await provider.page(of: .search(query.text), for: query)
        case .feed(let query): page = try await provider.page(of: .feed, for: query)
        case .collection(let item, let query): page = try await provider.page(of: .collection(item), for: query)
        case .similar(let query):
            page = try await provider.page(of: .similar(query.image ?? .sample), for: query)
        case .details(let item): return Result(items: [try await provider.details(of: item)])
        case .download(let media, let item): return Result(media: try await provider.resolved(media, of: item))
        }
        return Result(items: page.items, page: page)
    }

    /// `search "coffee"`, `details 99100000`.
    package var description: String {
        switch action {
        case .search(let query): "search \(query.text.quoted)"
        case .feed: "feed"
        case .collection(let item, _): "collection \(item.id)"
        case .similar(let query): "similar to \(query.image?.name ?? "an image")"
        case .details(let item): "details \(item.id)"
        case .download(let media, let item): "download \(media.role.rawValue) of \(item.id)"
        }
    }
}

// MARK: Recordings

extension ProviderCall {
    /// A call that a cassette names, of an item that a listing has shown, or of one that only its id is known of; nil
    /// where that is not enough for a download.
    ///
    /// Parameters that the provider does not take are left out.
    package init?(_ recorded: RecordedCall, listed: Item? = nil, of manifest: ProviderManifest) {
        var query = manifest.defaultQuery(for: recorded.operation, text: recorded.text)
        query.limit = recorded.limit ?? query.limit
        query.page = recorded.page ?? query.page
        query.offset = recorded.offset ?? (query.page - 1) * query.limit
        query.near = recorded.near
        let known = manifest.description(of: recorded.operation)?.parameters ?? []
        for parameter in recorded.parameters {
            // What is wrong with a value is what the check of the recordings says.
            guard let value = try? known.first(where: { $0.name == parameter.name })?.value(from: parameter.value)
            else { continue }
            query.parameters.removeAll { $0.name == parameter.name }
            query.parameters.append(ProviderQuery.Parameter(parameter.name, value))
        }
        let type = recorded.operation == .collection ? Item.Kind.collection : .image
        let item = listed ?? Item(provider: manifest.id, id: recorded.item ?? "", type: type)
        switch recorded.operation {
        case .search: self.init(.search(query))
        case .feed: self.init(.feed(query))
        case .collection: self.init(.collection(item, query))
        case .similar:
            query.image = recorded.image.map { SearchImage(url: $0) } ?? .sample
            self.init(.similar(query))
        case .details: self.init(.details(item))
        case .download:
            guard let index = recorded.media, item.media.indices.contains(index) else { return nil }
            self.init(.download(item.media[index], of: item))
        case .session: return nil
        }
    }

    /// The call as a cassette names it; parameters that have their default are left out.
    func recorded(of manifest: ProviderManifest) -> RecordedCall {
        var recorded = RecordedCall(operation)
        switch action {
        case .search, .feed: break
        case .similar(let query): recorded.image = query.image?.url
        case .collection(let item, _), .details(let item): recorded.item = item.id
        case .download(let media, let item):
            recorded.item = item.id
            recorded.media = item.media.firstIndex(of: media) ?? 0
        }
        guard let query else { return recorded }
        let usual = manifest.defaultQuery(for: operation, text: query.text)
        recorded.text = query.text
        recorded.limit = query.limit
        if query.page > 1 { recorded.page = query.page }
        if query.offset > 0, query.offset != (query.page - 1) * query.limit { recorded.offset = query.offset }
        recorded.near = query.near
        let known = manifest.description(of: operation)?.parameters ?? []
        for parameter in query.parameters where !usual.parameters.contains(parameter) {
            let separator = known.first { $0.name == parameter.name }?.separator
            recorded.parameters.append(NamedValue(parameter.name, parameter.value.typed(separator: separator)))
        }
        return recorded
    }
}

extension ParameterValue {
    /// The value as users type it.
    fileprivate func typed(separator: String?) -> String {
        switch self {
        case .text(let text): separator.map { text.replacing($0, with: ",") } ?? text
        case .number(let number): number.shortest
        case .boolean(let value): "\(value)"
        case .list(let parts): parts.joined(separator: ",")
        }
    }
}

extension ProviderManifest {
    /// The first query of a listing, with the page size and the parameters that hold when the user says nothing.
    package func defaultQuery(for operation: ProviderOperation, text: String = "") -> ProviderQuery {
        var query = ProviderQuery(text: text)
        query.limit = limits.pageSize.default
        query.parameters = (description(of: operation)?.parameters ?? []).compactMap { parameter in
            // A default that is none is the manifest's fault, which its own check reports.
            guard let value = try? parameter.default.map({ try parameter.value(from: $0) }) else { return nil }
            return ProviderQuery.Parameter(parameter.name, value)
        }
        return query
    }
}
