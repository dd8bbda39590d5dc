import Synchronization

/// Fetches further parts of a file in parallel, where that increases the throughput.
final class FileSplitter: Sendable {
    private struct State {
        var segments: [FileSegment] = []
        var timer: Task<Void, Never>?
        var parts: [Task<Void, Never>] = []
        var isOver = false
    }

    private let fetch: FileFetch
    private let state: Mutex<State>

    /// A splitter of what a fetch asks for.
    init(of fetch: FileFetch) {
        self.fetch = fetch
        state = Mutex(State())
    }

    /// Adds the segment of the first request.
    func add(_ segment: FileSegment) { state.withLock { $0.segments.append(segment) } }

    /// Begins to measure whether more parts would help.
    func begin() {
        guard fetch.settings.partLimit > 1, fetch.assembly.total ?? 0 >= fetch.settings.splitLimit,
            fetch.assembly.canSplit
        else { return }
        state.withLock { state in
            guard !state.isOver, state.timer == nil else { return }
            state.timer = Task { await self.look() }
        }
    }

    /// Begins no more parts, and waits for those that are under way.
    func finish(isCancelling: Bool) async {
        let (timer, parts) = state.withLock { state in
            state.isOver = true
            return (state.timer, state.parts)
        }
        timer?.cancel()
        if isCancelling { for part in parts { part.cancel() } }
        await withTaskCancellationHandler {
            for part in parts { await part.value }
        } onCancel: {
            for part in parts { part.cancel() }
        }
    }

    private enum Decision {
        /// Fetch another part.
        case split(FileSegment)
        /// It is too early to decide.
        case wait
        /// More parts do not increase the throughput.
        case stop
    }

    private func look() async {
        // Buffered bytes arrive at once, and do not show the speed of the rest.
        try? await Task.sleep(for: fetch.settings.measuringTime)
        var speed = DownloadSpeed(fetch.assembly.presentBytes)
        var count = 1
        while !Task.isCancelled {
            // Cancelled when the first part is complete.
            try? await Task.sleep(for: fetch.settings.measuringTime)
            guard !Task.isCancelled else { return }
            switch decide(&speed, count) {
            case .wait: continue
            case .stop: return
            case .split(let segment):
                count += 1
                send(segment)
            }
        }
    }

    private func send(_ segment: FileSegment) {
        state.withLock { state in
            // What it was to fetch is left open, and fetched next.
            guard !state.isOver else { return }
            state.segments.append(segment)
            let fetch = self.fetch
            state.parts.append(
                Task {
                    // The other parts go on without it: what it leaves open is fetched next.
                    try? await fetch.send(segment)
                })
        }
    }

    /// Another part, where there is enough left to win something, and the last one has paid.
    private func decide(_ speed: inout DownloadSpeed, _ count: Int) -> Decision {
        guard count < fetch.settings.partLimit, let total = fetch.assembly.total, fetch.assembly.canSplit else {
            return .stop
        }
        let present = fetch.assembly.presentBytes
        guard let hasGrown = speed.hasGrown(to: present, at: .now) else { return .wait }
        // Two more seconds of work: less does not pay for a connection.
        guard hasGrown, Double(total - present) > 2 * speed.bytesPerSecond, let (from, gap) = largest else {
            return .stop
        }
        let unit = 1 << 20
        let middle = (gap.lowerBound + gap.count / 2) / unit * unit
        guard middle > gap.lowerBound, gap.upperBound - middle >= unit, from.shorten(to: middle) else { return .stop }
        return .split(
            fetch.segment(middle..<gap.upperBound, mayRestart: false))
    }

    /// The segment with the most to do.
    private var largest: (FileSegment, Range<Int>)? {
        state.withLock { state in
            state.segments.compactMap { segment in segment.missing.map { (segment, $0) } }
                .max { $0.1.count < $1.1.count }
        }
    }
}

/// How fast a file comes, measured from one look to the next.
struct DownloadSpeed {
    private(set) var bytesPerSecond = 0.0
    private var bytes: Int
    private var moment: ContinuousClock.Instant

    init(_ present: Int, at now: ContinuousClock.Instant = .now) {
        bytes = present
        moment = now
    }

    /// Whether the last change has paid, with a sixth more than before; nil while nothing has come.
    mutating func hasGrown(to present: Int, at now: ContinuousClock.Instant) -> Bool? {
        guard present > bytes else { return nil }
        let speed = Double(present - bytes) / max((now - moment) / .seconds(1), 0.001)
        defer { (bytesPerSecond, bytes, moment) = (speed, present, now) }
        return speed > bytesPerSecond * 7 / 6
    }
}
