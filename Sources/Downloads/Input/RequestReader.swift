import AsyncAlgorithms
import ProviderModel

/// An input resolved without a request.
package enum ResolvedInput: Sendable {
    /// The file at a URL.
    case file(WebURL)
    /// An image and the source of its files; without media, its details are requested.
    ///
    /// `substituted` is the key of the wanted file where another stands for it.
    case image(Item, DownloadSource, substituted: MediaKey? = nil)
    /// A collection, whose images are downloaded.
    case collection(Item)
    /// An input of a part that is not wanted.
    case otherPart
    /// An input that stands for nothing.
    case failure(DownloadError, DownloadInput.Subject)
}

/// Resolves inputs with the providers.
package protocol RequestResolver: MediaResolver {
    /// What inputs stand for, in their order, without a request to a source; throws only when the task is cancelled.
    func resolve(_ inputs: [DownloadInput]) async throws -> [ResolvedInput]

    /// The image with its files, as its source describes it.
    func details(of item: Item) async throws -> Item

    /// The images of a collection, page by page.
    func images(of collection: Item) throws -> any AsyncSequence<Item, any Error> & Sendable
}

/// Turns inputs into requests in order; details are requested concurrently, ahead of need within a limit.
struct RequestReader: Sendable {
    let resolver: any RequestResolver
    let selection: FileSelection
    let archive: DownloadArchive?
    /// The part of the inputs that is wanted; nil for all.
    let part: InputPart?
    let failed: @Sendable (DownloadError, DownloadInput.Subject) -> Void
    /// Called with files of kinds that are not wanted, of items that have others.
    var leftOut: @Sendable (_ kind: Media.Kind, _ count: Int) -> Void = { _, _ in }

    /// How many lookups may wait for their turn.
    private static let lookups = 8

    /// Some inputs that are known, then one that is being looked up.
    private struct Slot: Sendable {
        var known: [ResolvedInput] = []
        var lookup: AsyncChannel<ResolvedInput>?
    }

    /// Adds the requests for all inputs.
    ///
    /// - Returns: how many files were asked for.
    func read<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, add: @escaping DownloadQueue.Add
    ) async throws -> Int where Inputs.Element == [DownloadInput] {
        var count = Count()
        _ = try await addRequests(for: inputs, &count, add)
        return count.wanted
    }

    /// Adds the requests for inputs; false when no more are wanted.
    private func addRequests<Inputs: AsyncSequence & Sendable>(
        for inputs: Inputs, of collection: Collection? = nil, _ count: inout Count, _ add: @escaping DownloadQueue.Add
    ) async throws -> Bool where Inputs.Element == [DownloadInput] {
        let slots = AsyncThrowingChannel<Slot, any Error>()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await resolve(inputs, into: slots) }
            defer { group.cancelAll() }
            for try await slot in slots.buffer(policy: .bounded(Self.lookups)) {
                var inputs = slot.known
                if let lookup = slot.lookup { for await last in lookup { inputs.append(last) } }
                guard try await addRequests(for: inputs, of: collection, &count, add) else { return false }
            }
            return true
        }
    }

    // MARK: Resolving

    /// Resolves inputs: at once where no request is needed, else concurrently.
    private func resolve<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, into slots: AsyncThrowingChannel<Slot, any Error>
    ) async throws where Inputs.Element == [DownloadInput] {
        await withTaskGroup(of: Void.self) { group in
            do {
                for try await batch in inputs {
                    var slot = Slot()
                    for (input, (resolved, needsDetails)) in zip(batch, try await resolve(batch)) {
                        guard needsDetails, case .image(let item, let source, _) = resolved else {
                            slot.known.append(resolved)
                            continue
                        }
                        let lookup = AsyncChannel<ResolvedInput>()
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

    /// What inputs stand for, and whether an image's source has to be asked for its files: the archive does not know them.
    private func resolve(
        _ inputs: [DownloadInput]
    ) async throws -> [(resolved: ResolvedInput, needsDetails: Bool)] {
        var resolved = try await resolver.resolve(inputs).map { input in
            let input = isWanted(input) ? input : .otherPart
            return (resolved: input, needsDetails: needsDetails(input))
        }
        var images: [(place: Int, item: Item, source: DownloadSource)] = []
        for (place, input) in resolved.enumerated() where input.needsDetails {
            if case .image(let item, let source, _) = input.resolved { images.append((place, item, source)) }
        }
        // What is wrong with the archive is reported of each image, when it is looked up by itself.
        let known = try? MediaSubstitutions(selection: selection, archive: archive).known(for: images.map(\.item))
        for (image, item) in zip(images, known ?? []) {
            if let item { resolved[image.place] = (.image(item, image.source), false) }
        }
        return resolved
    }

    private func needsDetails(_ input: ResolvedInput) -> Bool {
        guard case .image(let item, let source, _) = input else { return false }
        return item.media.isEmpty || source.detailsAddMedia && !selection.isMet(by: item)
    }

    /// Whether an input belongs to the part that is wanted; of a collection, each image decides for itself.
    private func isWanted(_ input: ResolvedInput) -> Bool {
        switch input {
        case .file(let url): part?.contains(url) ?? true
        case .image(let item, _, _): part?.contains(item) ?? true
        case .collection, .otherPart, .failure: true
        }
    }

    /// The image with its files, from the archive where it has what is wanted, else from its source.
    private func lookUp(_ item: Item, _ source: DownloadSource, _ input: DownloadInput) async -> ResolvedInput {
        do {
            let substitutions = MediaSubstitutions(selection: selection, archive: archive)
            if let known = try substitutions.known(for: [item]).first ?? nil { return .image(known, source) }
            let detailed = try await resolver.details(of: item)
            if detailed.type == .collection, detailed.media.isEmpty { return .collection(detailed) }
            return .image(detailed, source, substituted: substitutions.substituted(in: detailed))
        } catch { return failure(error, input) }
    }

    private func failure(_ error: any Error, _ input: DownloadInput) -> ResolvedInput {
        .failure(DownloadError(any: error, subject: input.subject.reference, place: input.place), input.subject)
    }

    /// How many images were among the inputs, and how many files this run is for.
    private struct Count {
        var all = 0
        var wanted = 0

        mutating func add(files: Int = 1) {
            all += 1
            wanted += files
        }
    }

    /// A collection whose images are being read, and how many images came before them.
    private struct Collection {
        let item: Item
        let imagesBefore: Int
    }

    // MARK: Requests

    /// Adds requests; false when no more are wanted.
    private func addRequests(
        for inputs: [ResolvedInput], of parent: Collection?, _ count: inout Count, _ add: @escaping DownloadQueue.Add
    ) async throws -> Bool {
        var requests: [DownloadRequest] = []
        for input in inputs {
            switch input {
            case .otherPart: count.all += 1
            case .failure(let error, let subject):
                try Task.checkCancellation()
                count.add()
                failed(error, subject)
            case .file(let url):
                count.add()
                requests.append(DownloadRequest(url, index: count.all))
            case .image(let item, let source, let substituted):
                let files = self.requests(item, source, of: parent, count.all + 1, substituted)
                count.add(files: max(files.count, 1))
                requests += files
            case .collection(let collection) where parent != nil:
                count.add()
                let subject = DownloadInput.Subject.item(collection)
                failed(
                    DownloadError(.noMedia, "a collection in a collection has no files", subject: subject.reference),
                    subject)
            case .collection(let collection):
                guard try await add(requests), try await addImages(of: collection, &count, add) else { return false }
                requests = []
            }
        }
        return requests.isEmpty ? true : try await add(requests)
    }

    private func requests(
        _ item: Item, _ source: DownloadSource, of parent: Collection?, _ index: Int, _ substituted: MediaKey?
    ) -> [DownloadRequest] {
        do throws(DownloadError) {
            let requests = try DownloadRequest.requests(
                for: item, selection, from: source, index: index, substituted: substituted, of: parent?.item,
                place: parent.map { index - $0.imagesBefore })
            let others = item.files.filter { $0.sizes(of: selection.kinds).isEmpty }.compactMap(\.best?.kind)
            for kind in Set(others) { leftOut(kind, others.count { $0 == kind }) }
            return requests
        } catch {
            failed(error, .item(item))
            return []
        }
    }

    private func addImages(
        of collection: Item, _ count: inout Count, _ add: @escaping DownloadQueue.Add
    ) async throws -> Bool {
        do {
            return try await addRequests(for: resolver.images(of: collection), of: collection, &count, add)
        } catch {
            try Task.checkCancellation()
            count.add()
            let subject = DownloadInput.Subject.item(collection)
            failed(DownloadError(any: error, subject: subject.reference), subject)
            return true
        }
    }

    private func addRequests(
        for images: some AsyncSequence<Item, any Error> & Sendable, of collection: Item, _ count: inout Count,
        _ add: @escaping DownloadQueue.Add
    ) async throws -> Bool {
        let collection = Collection(item: collection, imagesBefore: count.all)
        return try await addRequests(for: images.map { [DownloadInput(.item($0))] }, of: collection, &count, add)
    }
}

/// Looks up which file was fetched for images that are named by id only.
///
/// A source may have no original; then the file fetched instead is stored in the archive as the requested one too, so that
/// the next run need not request details again.
struct MediaSubstitutions {
    let selection: FileSelection
    let archive: DownloadArchive?

    /// The items with the files that were fetched for them before; nil for those that have none.
    func known(for items: [Item]) throws(DownloadError) -> [Item?] {
        guard let archive, !items.isEmpty else { return items.map { _ in nil } }
        let records = try archive.records(ofItems: items)
        return items.map { known(for: $0, in: records) }
    }

    private func known(for item: Item, in records: [MediaKey: ArchiveRecord]) -> Item? {
        let wanted = records[wantedKey(of: item)]
        for role in Media.Role.allCases where selection.size == .role(role) || wanted != nil {
            var media = Media(role: role, url: .unset)
            guard let record = records[MediaKey(item, media)],
                selection.size == .role(role) || wanted?.path == record.path
            else {
                continue
            }
            // A URL that is not valid is asked for again.
            guard let url = try? WebURL(record.url) else { return nil }
            media.url = url
            var known = item
            known.media = [media]
            // What was fetched before may be of a kind that is not wanted now.
            return selection.media(of: known).isEmpty ? nil : known
        }
        return nil
    }

    /// The key of what was wanted of an item whose source has something else; nil where it has what was wanted.
    func substituted(in item: Item) -> MediaKey? {
        let files = selection.media(of: item)
        guard files.count == 1, let media = files.first, media.file == nil, selection.size != .role(media.role) else {
            return nil
        }
        return wantedKey(of: item)
    }

    /// `unsplash:abc:?original`, which is no file's key.
    private func wantedKey(of item: Item) -> MediaKey {
        let wanted =
            switch selection.size {
            case .role(let role): role.rawValue
            case .width(let width): "\(width)px"
            }
        return MediaKey(stored: "\(item.provider):\(item.id):?\(wanted)")
    }
}
