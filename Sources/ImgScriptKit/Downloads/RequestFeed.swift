import Downloads
import ProviderModel
import Search

/// Turns inputs into requests, in their order: several are looked up side by side, and no more than are soon needed.
struct RequestFeed: Sendable {
    let resolver: InputResolver
    /// The images of a collection.
    let images: @Sendable (Item) throws -> ImageSequence
    /// Hears of what could not be made a request.
    let failed: @Sendable (ImgScript.DownloadFailure, ImgScript.DownloadInput.Subject) -> Void
    /// Hears how many files were asked for, when that is known.
    let ended: @Sendable (Int) -> Void

    /// How many inputs are looked up at a time.
    private static let lookups = 8

    private enum Slot: Sendable {
        case found(InputResolver.Found)
        case awaited(HandOver<InputResolver.Found>)
    }

    /// Hands over the requests for all inputs, then says that this was all; ends early when nobody takes them.
    func fill<Inputs: AsyncSequence & Sendable>(_ requests: HandOver<DownloadRequest>, from inputs: Inputs) async
    where Inputs.Element == ImgScript.DownloadInput {
        let slots = HandOver<Slot>(capacity: Self.lookups)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.pass(slots, to: requests)
                slots.close()
            }
            do {
                for try await input in inputs {
                    guard await slots.give(try await slot(for: input, in: &group)) else { break }
                }
                slots.finish()
            } catch {
                slots.finish(throwing: error is CancellationError ? nil : error)
            }
        }
    }

    private func slot(
        for input: ImgScript.DownloadInput, in group: inout DiscardingTaskGroup
    ) async throws -> Slot {
        if await resolver.isComplete(input) { return .found(try await resolver.resolve(input)) }
        let answer = HandOver<InputResolver.Found>(capacity: 1)
        group.addTask {
            do { _ = await answer.give(try await resolver.resolve(input)) } catch { answer.finish(throwing: error) }
        }
        return .awaited(answer)
    }

    private func pass(_ slots: HandOver<Slot>, to requests: HandOver<DownloadRequest>) async {
        var count = Count()
        do {
            while let slot = try await slots.take() {
                let found: InputResolver.Found?
                switch slot {
                case .found(let known): found = known
                case .awaited(let answer): found = try await answer.take()
                }
                guard let found, try await pass(found, to: requests, &count) else { break }
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
        _ found: InputResolver.Found, to requests: HandOver<DownloadRequest>, _ count: inout Count
    ) async throws -> Bool {
        switch found {
        case .elsewhere:
            count.all += 1
            return true
        case .failure(let failure, let subject):
            count.add()
            failed(failure, subject)
            return true
        case .file(let subject, let source):
            count.add()
            return await requests.give(DownloadRequest(subject, from: source, index: count.all))
        case .collection(let collection):
            let subject = ImgScript.DownloadInput.Subject.item(collection)
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
}

/// Requests as they are handed over.
struct HandedRequests: AsyncSequence, Sendable {
    let requests: HandOver<DownloadRequest>

    struct AsyncIterator: AsyncIteratorProtocol {
        let requests: HandOver<DownloadRequest>

        mutating func next() async throws -> DownloadRequest? { try await requests.take() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(requests: requests) }
}
