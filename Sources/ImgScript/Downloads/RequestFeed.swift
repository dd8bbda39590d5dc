import Downloads
import ProviderModel
import Search

/// Turns inputs into requests, in their order: several are looked up side by side, and no more than are soon needed.
struct RequestFeed: Sendable {
    let resolver: InputResolver
    /// The images of a collection.
    let images: @Sendable (Item) throws -> ImageSequence
    /// Hears of what could not be made a request.
    let failed: @Sendable (ImageEngine.DownloadFailure, ImageEngine.DownloadInput.Subject) -> Void
    /// Hears how many files were asked for, when that is known.
    let ended: @Sendable (Int) -> Void

    /// How many inputs are looked up at a time.
    private static let lookups = 8
    /// How many inputs are read ahead at most: what the archive knows of them is asked at once.
    private static let readAhead = 64

    /// What some inputs stand for: those that are known, then one that is being looked up.
    private struct Slot: Sendable {
        var known: [InputResolver.Found] = []
        var awaited: HandOver<InputResolver.Found>?
    }

    /// Hands over the requests for all inputs, then says that this was all; ends early when nobody takes them.
    func fill<Inputs: AsyncSequence & Sendable>(_ requests: HandOver<DownloadRequest>, from inputs: Inputs) async
    where Inputs.Element == ImageEngine.DownloadInput {
        let read = HandOver<ImageEngine.DownloadInput>(capacity: Self.readAhead)
        let slots = HandOver<Slot>(capacity: Self.lookups)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.pass(slots, to: requests)
                slots.close()
            }
            group.addTask { await Self.read(inputs, into: read) }
            do {
                while case let batch = try await read.takeAll(), !batch.isEmpty {
                    guard try await resolve(batch, into: slots, &group) else { break }
                }
                slots.finish()
            } catch {
                slots.finish(throwing: error is CancellationError ? nil : error)
            }
            read.close()
        }
    }

    private static func read<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, into read: HandOver<ImageEngine.DownloadInput>
    ) async where Inputs.Element == ImageEngine.DownloadInput {
        do {
            for try await input in inputs {
                guard await read.give(input) else { return }
            }
            read.finish()
        } catch { read.finish(throwing: error) }
    }

    /// Finds out what inputs stand for: at once where nobody has to be asked, else side by side; false when nobody wants
    /// to know any more.
    private func resolve(
        _ inputs: [ImageEngine.DownloadInput], into slots: HandOver<Slot>, _ group: inout DiscardingTaskGroup
    ) async throws -> Bool {
        var slot = Slot()
        for (input, found) in zip(inputs, try await resolver.resolveUnasked(inputs)) {
            if let found {
                slot.known.append(found)
                continue
            }
            let answer = HandOver<InputResolver.Found>(capacity: 1)
            slot.awaited = answer
            guard await slots.give(slot) else { return false }
            slot = Slot()
            group.addTask {
                do { _ = await answer.give(try await resolver.resolve(input)) } catch { answer.finish(throwing: error) }
            }
        }
        return slot.known.isEmpty ? true : await slots.give(slot)
    }

    private func pass(_ slots: HandOver<Slot>, to requests: HandOver<DownloadRequest>) async {
        var count = Count()
        do {
            while let slot = try await slots.take() {
                guard try await pass(slot.known, to: requests, &count) else { break }
                guard let answer = slot.awaited else { continue }
                guard try await pass(try await answer.takeAll(), to: requests, &count) else { break }
            }
            ended(count.wanted)
            requests.finish()
        } catch {
            requests.finish(throwing: error is CancellationError ? nil : error)
        }
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

    /// False when nobody takes requests any more.
    private func pass(
        _ found: [InputResolver.Found], to requests: HandOver<DownloadRequest>, _ count: inout Count
    ) async throws -> Bool {
        var files: [DownloadRequest] = []
        for found in found {
            switch found {
            case .elsewhere: count.all += 1
            case .failure(let failure, let subject):
                count.add()
                failed(failure, subject)
            case .file(let subject, let source):
                count.add()
                files.append(DownloadRequest(subject, from: source, index: count.all))
            case .collection(let collection):
                guard await requests.give(files), try await pass(imagesOf: collection, to: requests, &count) else {
                    return false
                }
                files = []
            }
        }
        return await requests.give(files)
    }

    private func pass(
        imagesOf collection: Item, to requests: HandOver<DownloadRequest>, _ count: inout Count
    ) async throws -> Bool {
        let subject = ImageEngine.DownloadInput.Subject.item(collection)
        do {
            for try await item in try images(collection) {
                guard resolver.isWanted(item) else {
                    count.all += 1
                    continue
                }
                // A collection within a collection is told of by the plan: it is no file.
                let source = try await resolver.sources.source(of: item.provider)
                count.add()
                let request = DownloadRequest(.item(item), from: source, index: count.all)
                guard await requests.give(request) else { return false }
            }
        } catch {
            try Task.checkCancellation()
            count.add()
            failed(.init(any: error, subject: subject.reference, place: nil), subject)
        }
        return true
    }
}

/// Requests as they are handed over.
struct HandedRequests: AsyncSequence, Sendable {
    let requests: HandOver<DownloadRequest>

    struct AsyncIterator: AsyncIteratorProtocol {
        let requests: HandOver<DownloadRequest>
        private var taken: ArraySlice<DownloadRequest> = []

        init(requests: HandOver<DownloadRequest>) { self.requests = requests }

        mutating func next() async throws -> DownloadRequest? {
            if taken.isEmpty { taken = try await requests.takeAll()[...] }
            return taken.popFirst()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(requests: requests) }
}
