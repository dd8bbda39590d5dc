import AsyncAlgorithms
import ProviderModel

/// An input resolved without a request.
package enum ResolvedInput: Sendable {
    /// The file at a URL, and its source, which has the user's cookies for it.
    case file(WebURL, DownloadSource)
    /// An image and the source of its files; without media, its details are requested.
    ///
    /// `substituted` is the key of the wanted file where another stands for it.
    case image(Item, DownloadSource, substituted: MediaKey? = nil)
    /// An image whose file the archive knows, which has no other facts.
    case recorded(Item, DownloadSource)
    /// A collection, whose images are downloaded.
    case collection(Item)
    /// An input of a part that is not wanted; its provider where it counts towards the limit.
    case otherPart(ProviderID?)
    /// An input that is left out.
    case excluded(Exclusion)
    /// An input that led to nothing before, and is not asked for again; its key and the reason.
    case failedBefore(MediaKey, SkipReason)
    /// An input that stands for nothing.
    case failure(DownloadError, DownloadInput.Subject)
}

/// Resolves inputs with the providers.
package protocol RequestResolver: MediaResolver {
    /// What inputs stand for, in their order, without a request to a source; throws only when the task is cancelled.
    func resolve(_ inputs: [DownloadInput]) async throws -> [ResolvedInput]

    /// The image with its files, as its source describes it.
    func details(of item: Item) async throws -> Item

    /// The wanted images of a collection, page by page; `excluded` is called with how many are left out.
    func images(
        of collection: Item, excluded: @escaping @Sendable (Exclusion, _ count: Int) -> Void
    ) throws -> any AsyncSequence<Item, any Error> & Sendable
}

/// Turns inputs into requests in order; details are requested concurrently, ahead of need within a limit.
struct RequestReader: Sendable {
    let resolver: any RequestResolver
    let selection: FileSelection
    let archive: DownloadArchive?
    /// The part of the inputs that is wanted; nil for all.
    let part: InputPart?
    let choice: InputChoice
    /// The record of what failed.
    let failures: FailedDownloads
    /// How long a dead link is not asked for again.
    let deadLinkAge: Duration
    /// Called with what happens to inputs besides requests.
    let tell: @Sendable (DownloadEvent) -> Void
    /// The images that are not of collections.
    private let counter: ImageCounter

    init(
        resolver: any RequestResolver, selection: FileSelection, archive: DownloadArchive?, part: InputPart? = nil,
        choice: InputChoice = InputChoice(), failures: FailedDownloads, deadLinkAge: Duration,
        tell: @escaping @Sendable (DownloadEvent) -> Void
    ) {
        (self.resolver, self.selection, self.archive, self.part) = (resolver, selection, archive, part)
        (self.choice, self.failures, self.deadLinkAge, self.tell) = (choice, failures, deadLinkAge, tell)
        counter = ImageCounter(choice)
    }

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
            group.addTask { try await resolve(inputs, isOfCollection: collection != nil, into: slots) }
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
        _ inputs: Inputs, isOfCollection: Bool, into slots: AsyncThrowingChannel<Slot, any Error>
    ) async throws where Inputs.Element == [DownloadInput] {
        await withTaskGroup(of: Void.self) { group in
            do {
                for try await batch in inputs {
                    var slot = Slot()
                    for (input, (resolved, needsDetails)) in zip(batch, try await resolve(batch, isOfCollection)) {
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
        _ inputs: [DownloadInput], _ isOfCollection: Bool
    ) async throws -> [(resolved: ResolvedInput, needsDetails: Bool)] {
        var resolved = try await resolver.resolve(inputs).map { input in
            let input = placed(input, isOfCollection)
            return (resolved: input, needsDetails: needsDetails(input))
        }
        var images: [(place: Int, item: Item, source: DownloadSource)] = []
        for (place, input) in resolved.enumerated() where input.needsDetails {
            if case .image(let item, let source, _) = input.resolved { images.append((place, item, source)) }
        }
        // What is wrong with the archive is reported of each image, when it is looked up by itself.
        let known = try? MediaSubstitutions(selection: selection, archive: archive).known(for: images.map(\.item))
        for (image, item) in zip(images, known ?? []) {
            if let item { resolved[image.place] = (.recorded(item, image.source), false) }
        }
        leaveOutDeadLinks(of: inputs, &resolved)
        return resolved
    }

    /// Leaves out the images of which the source said not long ago that it does not have them.
    private func leaveOutDeadLinks(
        of inputs: [DownloadInput], _ resolved: inout [(resolved: ResolvedInput, needsDetails: Bool)]
    ) {
        for (input, result) in zip(inputs, resolved) where !result.needsDetails {
            guard case .reference = input.subject, result.resolved.isFound else { continue }
            failures.resolve(input.subject)
        }
        let asked = inputs.indices.filter { resolved[$0].needsDetails }
        let keys = asked.compactMap { inputs[$0].subject.failureKey }
        let dead = keys.isEmpty ? [:] : failures.deadLinks(among: keys, within: deadLinkAge)
        for place in dead.isEmpty ? [] : asked {
            guard let failure = inputs[place].subject.failureKey.flatMap({ dead[$0] }) else { continue }
            resolved[place] = (.failedBefore(MediaKey(stored: failure.key), failure.skipReason), false)
        }
    }

    private func needsDetails(_ input: ResolvedInput) -> Bool {
        guard case .image(let item, let source, _) = input else { return false }
        return item.media.isEmpty || source.detailsAddMedia && !selection.isMet(by: item)
    }

    /// The input, or why it is left out, as far as that is known without asking its source.
    private func placed(_ input: ResolvedInput, _ isOfCollection: Bool) -> ResolvedInput {
        let (provider, isOfPart, exclusion): (ProviderID, Bool, Exclusion?)
        switch input {
        case .file(let url, let source):
            (provider, isOfPart) = (source.provider, part?.contains(url) ?? true)
            exclusion = isOfCollection ? nil : choice.exclusionOfFile(url)
        case .image(let item, _, _):
            (provider, isOfPart) = (item.provider, part?.contains(item) ?? true)
            // Of an image that is named by its id nothing is known yet.
            exclusion = isOfCollection || item.media.isEmpty ? nil : choice.exclusionOfImage(item)
        // Of a collection, each image decides for itself.
        case .recorded, .collection, .otherPart, .excluded, .failedBefore, .failure: return input
        }
        guard isOfPart else { return .otherPart(exclusion == nil && !isOfCollection ? provider : nil) }
        if let exclusion { return .excluded(exclusion) }
        return !isOfCollection && counter.isFull(provider) ? .excluded(.limit) : input
    }

    /// The image with its files, from the archive where it has what is wanted, else from its source.
    private func lookUp(_ item: Item, _ source: DownloadSource, _ input: DownloadInput) async -> ResolvedInput {
        do {
            let substitutions = MediaSubstitutions(selection: selection, archive: archive)
            if let known = try substitutions.known(for: [item]).first ?? nil { return .recorded(known, source) }
            let detailed = try await resolver.details(of: item)
            failures.resolve(input.subject)
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
        private var excluded: [Exclusion: Int] = [:]

        mutating func add(files: Int = 1) {
            all += 1
            wanted += files
        }

        mutating func exclude(_ exclusion: Exclusion) {
            all += 1
            excluded[exclusion, default: 0] += 1
        }

        /// What was left out since it was asked for last.
        mutating func takeExcluded() -> [Exclusion: Int] {
            defer { excluded = [:] }
            return excluded
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
            if let exclusion = parent == nil ? exclusion(of: input) : nil {
                count.exclude(exclusion)
                continue
            }
            switch input {
            case .otherPart(let provider):
                count.all += 1
                // What the limit leaves out of it is reported by the run that it is for.
                if let provider { _ = counter.exclusion(of: provider) }
            case .excluded(let exclusion): count.exclude(exclusion)
            case .failedBefore(let key, let reason):
                count.add()
                tell(.skipped(key, reason))
            case .failure(let error, let subject):
                try Task.checkCancellation()
                count.add()
                fail(error, subject)
            case .file(let url, let source):
                count.add()
                requests.append(DownloadRequest(url, from: source, index: count.all))
            case .image(let item, let source, _), .recorded(let item, let source):
                let files = self.requests(item, source, of: parent, count.all + 1, input.substituted)
                count.add(files: max(files.count, 1))
                requests += files
            case .collection(let collection) where parent != nil:
                count.add()
                let subject = DownloadInput.Subject.item(collection)
                fail(
                    DownloadError(.noMedia, "a collection in a collection has no files", subject: subject.reference),
                    subject)
            case .collection(let collection):
                guard try await add(requests), try await addImages(of: collection, &count, add) else { return false }
                requests = []
            }
        }
        for (exclusion, count) in count.takeExcluded() { tell(.excluded(exclusion, count: count)) }
        return requests.isEmpty ? true : try await add(requests)
    }

    /// Why an input that names one image is left out, now that all of its facts and those before it are known.
    ///
    /// One that is not is counted. What was downloaded before is not fetched in any case, and its facts are not asked for.
    private func exclusion(of input: ResolvedInput) -> Exclusion? {
        switch input {
        case .file(_, let source), .recorded(_, let source): counter.exclusion(of: source.provider)
        case .image(let item, _, _):
            choice.exclusionOfImage(item) ?? counter.exclusion(of: item.provider)
        case .otherPart, .collection, .excluded, .failedBefore, .failure: nil
        }
    }

    private func requests(
        _ item: Item, _ source: DownloadSource, of parent: Collection?, _ index: Int, _ substituted: MediaKey?
    ) -> [DownloadRequest] {
        do throws(DownloadError) {
            let requests = try DownloadRequest.requests(
                for: item, selection, from: source, index: index, substituted: substituted, of: parent?.item,
                place: parent.map { index - $0.imagesBefore })
            let others = item.files.filter { $0.sizes(of: selection.kinds).isEmpty }.compactMap(\.best?.kind)
            for kind in Set(others) { tell(.leftOut(kind, count: others.count { $0 == kind })) }
            return requests
        } catch {
            fail(error, .item(item))
            return []
        }
    }

    private func fail(_ error: DownloadError, _ subject: DownloadInput.Subject) {
        failures.note(subject, error)
        tell(.failed(error))
    }

    private func addImages(
        of collection: Item, _ count: inout Count, _ add: @escaping DownloadQueue.Add
    ) async throws -> Bool {
        tell(.collection(collection))
        do {
            return try await addRequests(
                for: resolver.images(of: collection, excluded: { tell(.excluded($0, count: $1)) }), of: collection,
                &count, add)
        } catch {
            try Task.checkCancellation()
            count.add()
            let subject = DownloadInput.Subject.item(collection)
            fail(DownloadError(any: error, subject: subject.reference), subject)
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

extension ResolvedInput {
    /// The key of the wanted file where another stands for it.
    fileprivate var substituted: MediaKey? { if case .image(_, _, let key) = self { key } else { nil } }

    /// Whether it stands for a file or an image.
    fileprivate var isFound: Bool {
        switch self {
        case .file, .image, .recorded: true
        case .collection, .otherPart, .excluded, .failedBefore, .failure: false
        }
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
