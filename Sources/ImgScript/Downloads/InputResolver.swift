import Downloads
import ProviderRuntime
import ProviderModel

/// Finds out what an input stands for, and asks a source for details only where the archive does not know the image.
struct InputResolver: Sendable {
    /// What an input stands for.
    enum Found: Sendable {
        /// One file.
        case file(DownloadRequest.Subject, DownloadSource)
        /// A collection, whose images are wanted.
        indirect case collection(Item)
        /// What belongs to another part of the inputs.
        case elsewhere
        /// Nothing that could be had.
        indirect case failure(ImageEngine.DownloadFailure, of: ImageEngine.DownloadInput.Subject)
    }

    let sources: DownloadSources
    let archive: DownloadArchive?
    let wishes: MediaSubstitutions
    /// The part of the inputs that is wanted; nil for all.
    let part: InputPart?

    /// What an input turns out to be before anybody is asked.
    private enum Meaning {
        case found(Found)
        /// An image whose files only the archive or its source can tell.
        indirect case image(Item, ScriptProvider, DownloadSource)
    }

    /// What inputs stand for, as far as that can be told without asking their sources; nil for those to be resolved.
    ///
    /// The archive is asked once for all of them. Never throws but when the task is cancelled.
    func resolveUnasked(_ inputs: [ImageEngine.DownloadInput]) async throws -> [Found?] {
        var found: [Found?] = []
        var images: [(place: Int, item: Item, source: DownloadSource)] = []
        let addresses = addresses(in: inputs)
        let hasAddress = addresses.contains { $0 != nil }
        let mayBePages = hasAddress ? await sources.pageCandidates.mayHold(addresses) : inputs.map { _ in true }
        for (place, input) in inputs.enumerated() {
            if let address = addresses[place], !mayBePages[place] {
                found.append(file(at: address))
                continue
            }
            let meaning = try await meaning(of: input)
            switch meaning {
            case .found(let known): found.append(known)
            case .image(let item, _, let source):
                images.append((found.count, item, source))
                found.append(nil)
            }
        }
        // What is wrong with the archive is told of each image, when it is resolved by itself.
        let known = try? wishes.fulfilled(for: images.map(\.item), by: archive)
        for (image, item) in zip(images, known ?? []) {
            if let item { found[image.place] = .file(.item(item), image.source) }
        }
        return found
    }

    /// Those inputs that are addresses; an address that cannot be read is told of like everything else that cannot.
    private func addresses(in inputs: [ImageEngine.DownloadInput]) -> [WebURL?] {
        inputs.map { input in
            guard case .reference(let text) = input.subject, text.isWebAddress else { return nil }
            return try? WebURL(text)
        }
    }

    /// The file behind an address that is no provider's page.
    private func file(at address: WebURL) -> Found {
        part?.contains(address) ?? true ? .file(.file(address), .bareURLs) : .elsewhere
    }

    /// What an input stands for; never throws but when the task is cancelled.
    func resolve(_ input: ImageEngine.DownloadInput) async throws -> Found {
        switch try await meaning(of: input) {
        case .found(let found): return found
        case .image(let item, let provider, let source):
            do { return try await complete(item, of: provider, source) } catch { return try failure(error, of: input) }
        }
    }

    private func meaning(of input: ImageEngine.DownloadInput) async throws -> Meaning {
        do {
            switch input.subject {
            case .unreadable(let reason):
                return .found(.failure(.init(.input, reason, place: input.place), of: input.subject))
            case .reference(let text): return try await meaning(of: text)
            case .item(let item): return try await meaning(of: item)
            }
        } catch { return .found(try failure(error, of: input)) }
    }

    private func failure(_ error: any Error, of input: ImageEngine.DownloadInput) throws -> Found {
        if error is CancellationError { throw error }
        try Task.checkCancellation()
        let failure = ImageEngine.DownloadFailure(any: error, subject: input.subject.reference, place: input.place)
        return .failure(failure, of: input.subject)
    }

    private func meaning(of item: Item) async throws -> Meaning {
        let isCollection = item.type == .collection && item.media.isEmpty
        guard isCollection || isWanted(item) else { return .found(.elsewhere) }
        let source = try await sources.source(of: item.provider)
        if !item.media.isEmpty { return .found(.file(.item(item), source)) }
        if isCollection { return .found(.collection(item)) }
        return .image(item, try await sources.provider(named: item.provider.description), source)
    }

    private func meaning(of reference: String) async throws -> Meaning {
        if reference.isWebAddress { return try await meaning(ofAddress: reference) }
        if let scheme = reference.foreignScheme {
            throw ImageEngine.DownloadFailure(
                .input,
                "it is an address of \(scheme), expected https or http; "
                    + "name the file's address on the web, or fetch it with another program",
                subject: reference)
        }
        let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ImageEngine.DownloadFailure(.input, "expected PROVIDER:ID or an address", subject: reference)
        }
        let provider = try await sources.provider(named: parts[0])
        let item = provider.item(matching: parts[1]) ?? Item(provider: provider.manifest.id, id: parts[1])
        return try await meaning(of: item, of: provider)
    }

    private func meaning(ofAddress text: String) async throws -> Meaning {
        let url: WebURL
        do { url = try WebURL(text) } catch {
            throw ImageEngine.DownloadFailure(.input, "expected an absolute URL, found \(error)", subject: text)
        }
        guard let (provider, item) = await sources.item(at: url) else {
            return .found(file(at: url))
        }
        return try await meaning(of: item, of: provider)
    }

    private func meaning(of item: Item, of provider: ScriptProvider) async throws -> Meaning {
        if item.type == .collection { return .found(.collection(item)) }
        guard isWanted(item) else { return .found(.elsewhere) }
        return .image(item, provider, try await sources.source(of: item.provider))
    }

    /// Whether an image belongs to the part that is wanted; of a collection, each image decides for itself.
    func isWanted(_ item: Item) -> Bool { part?.contains(provider: item.provider, id: item.id) ?? true }

    /// The item with its files, from the archive where it has what is wanted, else from the source.
    private func complete(_ item: Item, of provider: ScriptProvider, _ source: DownloadSource) async throws -> Found {
        if let known = try wishes.fulfilled(for: [item], by: archive).first ?? nil {
            return .file(.item(known), source)
        }
        guard provider.manifest.description(of: .details) != nil else {
            throw ImageEngine.DownloadFailure(
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

extension ImageEngine.DownloadInput.Subject {
    /// What messages call it.
    var reference: String? {
        switch self {
        case .item(let item): "\(item.provider):\(item.id)"
        case .reference(let text): text
        case .unreadable: nil
        }
    }
}
