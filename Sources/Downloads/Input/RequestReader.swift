import AsyncAlgorithms
import ProviderModel

/// What an input stands for, before any request is sent.
package enum ResolvedInput: Sendable {
    /// The file behind a URL.
    case file(WebURL)
    /// An image, and where its files come from; without media, its source is asked for details.
    case image(Item, DownloadSource)
    /// A collection, whose images are wanted.
    case collection(Item)
}

/// Finds out what inputs stand for: the providers, as the pipeline sees them.
package protocol RequestResolver: MediaResolver {
    /// What inputs stand for, in their order, without a request to a source; throws only when the task is cancelled.
    func resolve(_ inputs: [DownloadInput]) async throws -> [Result<ResolvedInput, DownloadError>]

    /// The image with its files, as its source describes it.
    func details(of item: Item) async throws -> Item

    /// The images of a collection, page by page.
    func images(of collection: Item) throws -> any AsyncSequence<Item, any Error> & Sendable

    /// Where the files of a provider come from.
    func source(of provider: ProviderID) async throws -> DownloadSource
}

/// Turns inputs into requests, in their order: details are asked for side by side, and not more than are soon needed.
struct RequestReader: Sendable {
    let resolver: any RequestResolver
    let choice: MediaChoice
    let archive: DownloadArchive?
    /// The part of the inputs that is wanted; nil for all.
    let part: InputPart?
    let failed: @Sendable (DownloadError, DownloadInput.Subject) -> Void

    /// How many lookups may wait for their turn.
    private static let lookups = 8

    /// What an input turned out to be.
    private enum Found: Sendable {
        case file(WebURL)
        case image(Item, DownloadSource, substituted: MediaKey? = nil)
        case collection(Item)
        case otherPart
        case failure(DownloadError, DownloadInput.Subject)
    }

    /// Some inputs that are known, then one that is being looked up.
    private struct Slot: Sendable {
        var known: [Found] = []
        var lookup: AsyncChannel<Found>?
    }

    /// Adds the requests for all inputs; returns how many files were asked for.
    func read<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, add: @escaping DownloadQueue.Add
    ) async throws -> Int where Inputs.Element == [DownloadInput] {
        let slots = AsyncThrowingChannel<Slot, any Error>()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await resolve(inputs, into: slots) }
            defer { group.cancelAll() }
            var count = Count()
            for try await slot in slots.buffer(policy: .bounded(Self.lookups)) {
                var found = slot.known
                if let lookup = slot.lookup { for await last in lookup { found.append(last) } }
                guard try await addRequests(for: found, &count, add) else { break }
            }
            return count.wanted
        }
    }

    /// Resolves inputs: at once where no request is needed, else concurrently.
    private func resolve<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, into slots: AsyncThrowingChannel<Slot, any Error>
    ) async throws where Inputs.Element == [DownloadInput] {
        await withTaskGroup(of: Void.self) { group in
            do {
                for try await batch in inputs {
                    var slot = Slot()
                    for (input, found) in zip(batch, try await resolve(batch)) {
                        if let known = found.known {
                            slot.known.append(known)
                            continue
                        }
                        guard case .image(let item, let source) = found.resolved else { continue }
                        let lookup = AsyncChannel<Found>()
                        slot.lookup = lookup
                        group.addTask {
                            await lookup.send(await lookUp(item, source, input))
                            lookup.finish()
                        }
                        await slots.send(slot)
                        slot = Slot()
                    }
                    if !slot.known.isEmpty { await slots.send(slot) }
                    try Task.checkCancellation()
                }
                slots.finish()
            } catch { slots.fail(error) }
        }
    }

    /// What is known of an input, or an image whose source has to be asked.
    private typealias Resolution = (known: Found?, resolved: ResolvedInput?)

    /// The archive is asked once for all images of a batch.
    private func resolve(_ inputs: [DownloadInput]) async throws -> [Resolution] {
        var resolutions: [Resolution] = []
        var images: [(place: Int, item: Item, source: DownloadSource)] = []
        for (input, result) in zip(inputs, try await resolver.resolve(inputs)) {
            switch result {
            case .failure(let error): resolutions.append((failure(error, input), nil))
            case .success(.file(let url)):
                resolutions.append((part?.contains(url) ?? true ? .file(url) : .otherPart, nil))
            // Of a collection, each image decides for itself.
            case .success(.collection(let item)): resolutions.append((.collection(item), nil))
            case .success(.image(let item, _)) where part?.contains(item) == false:
                resolutions.append((.otherPart, nil))
            case .success(.image(let item, let source)):
                if item.media.isEmpty { images.append((resolutions.count, item, source)) }
                resolutions.append((item.media.isEmpty ? nil : .image(item, source), .image(item, source)))
            }
        }
        // What is wrong with the archive is reported of each image, when it is looked up by itself.
        let known = try? MediaSubstitutions(choice: choice, archive: archive).known(for: images.map(\.item))
        for (image, item) in zip(images, known ?? []) {
            if let item { resolutions[image.place].known = .image(item, image.source) }
        }
        return resolutions
    }

    /// The image with its files, from the archive where it has what is wanted, else from its source.
    private func lookUp(_ item: Item, _ source: DownloadSource, _ input: DownloadInput) async -> Found {
        do {
            let substitutions = MediaSubstitutions(choice: choice, archive: archive)
            if let known = try substitutions.known(for: [item]).first ?? nil { return .image(known, source) }
            let detailed = try await resolver.details(of: item)
            if detailed.type == .collection, detailed.media.isEmpty { return .collection(detailed) }
            return .image(detailed, source, substituted: substitutions.substituted(in: detailed))
        } catch { return failure(error, input) }
    }

    private func failure(_ error: any Error, _ input: DownloadInput) -> Found {
        .failure(DownloadError(any: error, subject: input.subject.reference, place: input.place), input.subject)
    }

    /// How many images were among the inputs, and how many of them this run is for.
    private struct Count {
        var all = 0
        var wanted = 0

        mutating func add() {
            all += 1
            wanted += 1
        }
    }

    /// Adds requests; false when no more are wanted.
    private func addRequests(
        for found: [Found], _ count: inout Count, _ add: DownloadQueue.Add
    ) async throws -> Bool {
        var requests: [DownloadRequest] = []
        for found in found {
            switch found {
            case .otherPart: count.all += 1
            case .failure(let error, let subject):
                try Task.checkCancellation()
                count.add()
                failed(error, subject)
            case .file(let url):
                count.add()
                requests.append(DownloadRequest(url, index: count.all))
            case .image(let item, let source, let substituted):
                count.add()
                if let request = request(item, source, count.all, substituted) { requests.append(request) }
            case .collection(let collection):
                guard try await add(requests), try await addImages(of: collection, &count, add) else { return false }
                requests = []
            }
        }
        return requests.isEmpty ? true : try await add(requests)
    }

    private func request(
        _ item: Item, _ source: DownloadSource, _ index: Int, _ substituted: MediaKey? = nil
    ) -> DownloadRequest? {
        do throws(DownloadError) {
            return try DownloadRequest(item, choice, from: source, index: index, substituted: substituted)
        } catch {
            failed(error, .item(item))
            return nil
        }
    }

    private func addImages(
        of collection: Item, _ count: inout Count, _ add: DownloadQueue.Add
    ) async throws -> Bool {
        do {
            for try await item in try resolver.images(of: collection) {
                guard part?.contains(item) ?? true else {
                    count.all += 1
                    continue
                }
                let source = try await resolver.source(of: item.provider)
                count.add()
                if let request = request(item, source, count.all), try await !add([request]) { return false }
            }
        } catch {
            try Task.checkCancellation()
            count.add()
            let subject = DownloadInput.Subject.item(collection)
            failed(DownloadError(any: error, subject: subject.reference), subject)
        }
        return true
    }
}
