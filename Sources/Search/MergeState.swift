import ProviderModel
import Synchronization

/// The lanes of one merged listing and the fetches under way.
///
/// `@unchecked Sendable`: only the iterator that owns it calls `next`, one call at a time; fetches reach it through the
/// mailbox alone.
final class MergeState: @unchecked Sendable {
    private struct Track {
        let name: String
        var lane: SearchLane?
        var buffer: ArraySlice<Item> = []
        var task: Task<Void, Never>?
        var isFinished = false
        var isReported = false
        var count = 0
        var filtered = 0
        var total: Int?
    }

    private var tracks: [Track]
    private var turn = 0
    private var seenPages: Set<WebURL> = []
    private var failures: [MergedSearch.Event] = []
    private let mailbox = Mailbox<(index: Int, lane: SearchLane, result: Result<SearchLane.Yield, any Error>)>()

    private let patience: Duration
    private var patienceEnds: ContinuousClock.Instant?
    private var patienceTimer: Task<Void, Never>?

    /// `patience` is how long a provider waits for its second turn while others have not had their first.
    init(lanes: [SearchLane], patience: Duration) {
        tracks = lanes.map { Track(name: $0.name, lane: $0) }
        self.patience = patience
    }

    deinit {
        patienceTimer?.cancel()
        for track in tracks { track.task?.cancel() }
    }

    func next() async -> MergedSearch.Event? {
        while true {
            for arrival in mailbox.drain() { take(arrival) }
            if let failure = failures.popFirst() { return failure }
            startIdleLanes()
            if waitsForFirstTurns {
                await mailbox.wait()
                continue
            }
            if let item = nextItem() { return .image(item) }
            if let summary = nextSummary() { return .finished(summary) }
            guard tracks.contains(where: { $0.task != nil }), !Task.isCancelled else { return nil }
            await mailbox.wait()
        }
    }

    /// Whether the next item would be a second of a provider while another's first may come any moment.
    private var waitsForFirstTurns: Bool {
        guard !Task.isCancelled, tracks.contains(where: { $0.task != nil && $0.count == 0 }),
            !tracks.contains(where: { !$0.buffer.isEmpty && $0.count == 0 })
        else { return false }
        let ends = patienceEnds ?? .now + patience
        if patienceEnds == nil {
            patienceEnds = ends
            patienceTimer = Task { [mailbox] in
                // A cancelled sleep has nobody left to wake.
                try? await Task.sleep(until: ends, clock: .continuous)
                mailbox.wake()
            }
        }
        return .now < ends
    }

    /// The next buffered item, each provider in its turn.
    private func nextItem() -> Item? {
        for step in 0..<tracks.count {
            let index = (turn + step) % tracks.count
            while let item = tracks[index].buffer.popFirst() {
                // The same page found by two sources is one image.
                if tracks.count > 1, let page = item.page, !seenPages.insert(page).inserted { continue }
                turn = index + 1
                tracks[index].count += 1
                return item
            }
        }
        return nil
    }

    private func nextSummary() -> MergedSearch.Summary? {
        for index in tracks.indices where tracks[index].isFinished && !tracks[index].isReported {
            tracks[index].isReported = true
            let track = tracks[index]
            return MergedSearch.Summary(
                provider: track.name, count: track.count, total: track.total, filtered: track.filtered)
        }
        return nil
    }

    private func startIdleLanes() {
        for index in tracks.indices {
            guard tracks[index].buffer.isEmpty, !tracks[index].isFinished, tracks[index].task == nil,
                let lane = tracks[index].lane
            else { continue }
            tracks[index].lane = nil
            let mailbox = mailbox
            tracks[index].task = Task {
                var lane = lane
                let result: Result<SearchLane.Yield, any Error>
                do { result = .success(try await lane.next()) } catch { result = .failure(error) }
                mailbox.post((index, lane, result))
            }
        }
    }

    private func take(_ arrival: (index: Int, lane: SearchLane, result: Result<SearchLane.Yield, any Error>)) {
        tracks[arrival.index].task = nil
        tracks[arrival.index].lane = arrival.lane
        switch arrival.result {
        case .success(let yield):
            tracks[arrival.index].buffer.append(contentsOf: yield.items)
            tracks[arrival.index].isFinished = yield.isFinished
            tracks[arrival.index].filtered += yield.filtered
            tracks[arrival.index].total = yield.total ?? tracks[arrival.index].total
        case .failure(let error):
            tracks[arrival.index].isFinished = true
            tracks[arrival.index].isReported = true
            if !(error is CancellationError) {
                failures.append(.failure(provider: tracks[arrival.index].name, error))
            }
        }
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}

/// Values handed from many tasks to one.
final class Mailbox<Value: Sendable>: Sendable {
    private struct Contents {
        var values: [Value] = []
        var waiter: CheckedContinuation<Void, Never>?
        /// Somebody was to be woken while nobody waited.
        var isWoken = false
    }

    private let contents = Mutex(Contents())

    /// Adds a value and wakes the one who waits.
    func post(_ value: Value) {
        let waiter = contents.withLock { contents in
            contents.values.append(value)
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Wakes the one who waits, with nothing.
    func wake() {
        let waiter = contents.withLock { contents in
            contents.isWoken = contents.waiter == nil
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Takes what has come, without waiting.
    func drain() -> [Value] {
        contents.withLock { contents in
            defer { contents.values = [] }
            return contents.values
        }
    }

    /// Waits until something has come, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = contents.withLock { contents in
                    if contents.values.isEmpty, !contents.isWoken, !Task.isCancelled {
                        contents.waiter = continuation
                        return false
                    }
                    contents.isWoken = false
                    return true
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            contents.withLock { $0.waiter.take() }?.resume()
        }
    }
}
