import Downloads
import ProviderModel
import ProviderRuntime
import Search

/// Finds out what the inputs of a download stand for, by asking the providers.
struct InputResolver: RequestResolver {
    let sources: DownloadSources
    /// Which of an item's files are wanted.
    let selection: FileSelection
    /// The providers that references may be of; empty for all.
    let providers: [String]
    /// The listing of a collection with its options.
    let collection: @Sendable (Item) -> (search: MergedSearch, options: SearchOptions)
    /// The time of day in seconds since 1970.
    let now: @Sendable () -> Int
    let context: EngineContext

    func resolve(_ inputs: [DownloadInput]) async throws -> [ResolvedInput] {
        try await context.run {
            var resolved: [ResolvedInput] = []
            for input in inputs {
                do {
                    switch input.subject {
                    case .unreadable(let reason): throw DownloadError(.input, reason)
                    case .reference(let text): resolved.append(try await resolve(text))
                    case .item(let item): resolved.append(try await resolve(item))
                    }
                } catch {
                    try Task.checkCancellation()
                    let failure = DownloadError(any: error, subject: input.subject.reference, place: input.place)
                    resolved.append(.failure(failure, input.subject))
                }
            }
            return resolved
        }
    }

    private func resolve(_ item: Item) async throws -> ResolvedInput {
        if item.type == .collection, item.media.isEmpty { return .collection(item) }
        return .image(item, try await sources.source(of: item.provider))
    }

    private func resolve(_ reference: String) async throws -> ResolvedInput {
        if reference.isWebAddress { return try await resolve(address: reference) }
        if let scheme = reference.foreignScheme {
            throw DownloadError(
                .input, "unsupported URL scheme \(scheme.quoted) (expected https or http)", subject: reference)
        }
        let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw DownloadError(.input, "not a valid reference (expected PROVIDER:ID or a URL)", subject: reference)
        }
        let provider = try await sources.provider(named: parts[0])
        guard providers.isEmpty || providers.contains(parts[0]) else {
            throw DownloadError(
                .input, "an image of \(parts[0]) (expected one of \(providers.joined(separator: ", ")))",
                subject: reference)
        }
        return try await resolve(
            provider.item(matching: parts[1]) ?? Item(provider: provider.manifest.id, id: parts[1]))
    }

    private func resolve(address text: String) async throws -> ResolvedInput {
        let url: WebURL
        do { url = try WebURL(text) } catch {
            throw DownloadError(.input, "expected an absolute URL, found \(error)", subject: text)
        }
        if let (_, item) = await sources.item(at: url, in: providers.isEmpty ? nil : providers) {
            return try await resolve(item)
        }
        guard providers.isEmpty else { throw await unknownPage(url) }
        return .file(url, try await sources.source(of: url))
    }

    /// The error of a page that none of the named providers knows.
    private func unknownPage(_ url: WebURL) async -> ProviderError {
        var hints = [Hint.omitProvider]
        for name in providers {
            // One that cannot be loaded knows no page either.
            if let provider = try? await sources.provider(named: name), provider.manifest.instance != nil {
                hints.insert(.nameInstance, at: 0)
                break
            }
        }
        let names = providers.joined(separator: ", ")
        return ProviderError(
            .notFound, provider: providers.count == 1 ? names : "", message: "no page of \(names)",
            hint: .several(hints))
    }

    func details(of item: Item) async throws -> Item {
        let provider = try await sources.provider(named: item.provider.description)
        guard provider.manifest.description(of: .details) != nil else {
            throw DownloadError(.noMedia, "\(provider.manifest.name) has no details of single images")
        }
        return try await context.run { try await provider.details(of: item) }
    }

    func images(
        of collection: Item, excluded: @escaping @Sendable (Exclusion, Int) -> Void
    ) throws -> any AsyncSequence<Item, any Error> & Sendable {
        let (search, options) = self.collection(collection)
        return CollectionImages(search: search, options: options, excluded: excluded)
    }

    func media(for planned: PlannedFile) async throws -> Media? {
        try await context.run { try await currentMedia(for: planned) }
    }

    /// The file as the source gives it now; nil where it is still the listed one.
    private func currentMedia(for planned: PlannedFile) async throws -> Media? {
        guard var item = planned.item else { return nil }
        let provider = try await sources.provider(named: item.provider.description)
        let listed = planned.request.media
        var media = listed
        if isExpired(media), provider.manifest.description(of: .details) != nil {
            // A listing may be old: its URLs hold only for a while.
            item = try await provider.details(of: item)
            media = current(media, of: item) ?? media
        }
        media = try await provider.resolved(media, of: item)
        return media == listed ? nil : media
    }

    /// The same file of an item that was asked for anew, else what is in its place.
    private func current(_ media: Media, of item: Item) -> Media? {
        let number = media.file ?? 1
        let sizes = item.files(of: selection.kinds).first { $0.number == number }?.sizes ?? []
        var found = sizes.first { $0.role == media.role } ?? selection.size.media(among: sizes)
        found?.file = media.file
        return found
    }

    private func isExpired(_ media: Media) -> Bool {
        // A date that cannot be read says nothing.
        guard let text = media.expires, let end = DateTime(iso8601: text) else { return false }
        return end.secondsSince1970 <= now()
    }
}

/// The images of one collection; what its listing leaves out is reported at the end.
private struct CollectionImages: AsyncSequence, Sendable {
    let search: MergedSearch
    let options: SearchOptions
    let excluded: @Sendable (Exclusion, _ count: Int) -> Void

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: search.makeAsyncIterator(), options: options, excluded: excluded)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let events: SearchMerger
        let options: SearchOptions
        let excluded: @Sendable (Exclusion, _ count: Int) -> Void

        mutating func next() async throws -> Item? {
            while let event = await events.next() {
                if case .image(let item) = event { return item }
                if case .failure(_, let error) = event { throw error }
                if case .finished(let summary) = event { report(summary) }
            }
            return nil
        }

        private func report(_ summary: MergedSearch.Summary) {
            if summary.filtered > 0 { excluded(.filter, summary.filtered) }
            // With a filter, the total is of other images.
            guard summary.count >= options.limit, options.range == nil, options.filter.isEmpty,
                let total = summary.total,
                total > summary.count
            else { return }
            excluded(.limit, total - summary.count)
        }
    }
}
