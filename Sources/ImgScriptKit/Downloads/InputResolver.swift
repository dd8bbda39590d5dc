import Downloads
import ProviderLoading
import ProviderModel

/// Finds out what an input stands for, and asks a source for details only where the archive does not know the image.
struct InputResolver: Sendable {
    /// What an input stands for.
    enum Found: Sendable {
        /// One file.
        case file(DownloadRequest.Subject, DownloadSource)
        /// A collection, whose images are wanted.
        case collection(Item)
        /// What belongs to another part of the inputs.
        case elsewhere
        /// Nothing that could be had.
        case failure(ImgScript.DownloadFailure, of: ImgScript.DownloadInput.Subject)
    }

    let sources: DownloadSources
    let archive: DownloadArchive?
    let wishes: Wishes
    /// The part of the inputs that is wanted; nil for all.
    let part: InputPart?

    /// What an input stands for; never throws but when the task is cancelled.
    func resolve(_ input: ImgScript.DownloadInput) async throws -> Found {
        do {
            switch input.subject {
            case .unreadable(let reason):
                return .failure(.init(.input, reason, place: input.place), of: input.subject)
            case .reference(let text): return try await resolve(text)
            case .item(let item): return try await resolve(item)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let failure = ImgScript.DownloadFailure(any: error, subject: input.subject.reference, place: input.place)
            return .failure(failure, of: input.subject)
        }
    }

    /// Whether an input tells by itself what is to be fetched.
    func isComplete(_ input: ImgScript.DownloadInput) async -> Bool {
        switch input.subject {
        case .unreadable: return true
        case .item(let item): return !item.media.isEmpty
        case .reference(let text):
            guard text.hasPrefix("http"), let url = try? WebURL(text) else { return false }
            return await !sources.mayBePage(url)
        }
    }

    private func resolve(_ item: Item) async throws -> Found {
        let isCollection = item.type == .collection && item.media.isEmpty
        guard isCollection || isWanted(item) else { return .elsewhere }
        let source = try await sources.source(of: item.provider)
        if !item.media.isEmpty { return .file(.item(item), source) }
        if isCollection { return .collection(item) }
        return try await complete(item, of: try await sources.provider(named: item.provider.description), source)
    }

    private func resolve(_ reference: String) async throws -> Found {
        if reference.hasPrefix("http://") || reference.hasPrefix("https://") {
            return try await resolve(address: reference)
        }
        let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ImgScript.DownloadFailure(.input, "expected PROVIDER:ID or an address", subject: reference)
        }
        let provider = try await sources.provider(named: parts[0])
        let item = provider.item(matching: parts[1]) ?? Item(provider: provider.manifest.id, id: parts[1])
        return try await resolve(item, of: provider)
    }

    private func resolve(address text: String) async throws -> Found {
        let url: WebURL
        do { url = try WebURL(text) } catch {
            throw ImgScript.DownloadFailure(.input, "expected an absolute URL, found \(error)", subject: text)
        }
        guard let (provider, item) = await sources.item(at: url) else {
            return part?.contains(url) ?? true ? .file(.file(url), .bareURLs) : .elsewhere
        }
        return try await resolve(item, of: provider)
    }

    private func resolve(_ item: Item, of provider: ScriptProvider) async throws -> Found {
        if item.type == .collection { return .collection(item) }
        guard isWanted(item) else { return .elsewhere }
        return try await complete(item, of: provider, try await sources.source(of: item.provider))
    }

    /// Whether an image belongs to the part that is wanted; of a collection, each image decides for itself.
    func isWanted(_ item: Item) -> Bool { part?.contains(provider: item.provider, id: item.id) ?? true }

    /// The item with its files, from the archive where it has what is wanted, else from the source.
    private func complete(_ item: Item, of provider: ScriptProvider, _ source: DownloadSource) async throws -> Found {
        if let known = try wishes.fulfilled(for: item, by: archive) { return .file(.item(known), source) }
        guard provider.manifest.description(of: .details) != nil else {
            throw ImgScript.DownloadFailure(
                .noMedia,
                "\(provider.manifest.name) gives no details of single images; name what a search printed with --format jsonl"
            )
        }
        let detailed = try await provider.details(of: item)
        if detailed.type == .collection, detailed.media.isEmpty { return .collection(detailed) }
        wishes.note(detailed)
        return .file(.item(detailed), source)
    }
}

extension ImgScript.DownloadInput.Subject {
    /// What messages call it.
    var reference: String? {
        switch self {
        case .item(let item): "\(item.provider):\(item.id)"
        case .reference(let text): text
        case .unreadable: nil
        }
    }
}
