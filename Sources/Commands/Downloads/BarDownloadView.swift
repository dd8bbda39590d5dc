import Glibc
import ImgScript
import Synchronization

/// Bars on a terminal, written over in place a few times a second.
final class BarDownloadView: DownloadView {
    fileprivate struct Row {
        var file: PlannedFile
        var meter: DownloadMeter
        var begun: ContinuousClock.Instant
    }

    fileprivate struct State {
        var rows: [MediaKey: Row] = [:]
        var speed = SpeedMeter()
        var isStopping = false
        /// Rows stay for a while when fewer are under way: lines that come and go are hard to read.
        var shownKeys: [MediaKey] = []
    }

    let showsTotal = true
    private let status: StatusLine
    private let environment: [String: String]
    /// Where files that are there are told of, when nobody looks at it.
    private let paths: LineDownloadView?
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// The most bars.
    private static let rowLimit = 8
    /// How long a file has to be under way to be shown: most small ones are there sooner.
    private static let patience = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    init(status: StatusLine, environment: [String: String], paths: LineDownloadView?) {
        self.status = status
        self.environment = environment
        self.paths = paths
    }

    /// Says so while what is under way is brought to its end.
    func showStopping() { state.withLock { $0.isStopping = true } }

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        switch event {
        case .started(let file, let meter):
            let row = Row(file: file, meter: meter, begun: .now)
            state.withLock { $0.rows[file.key] = row }
        case .finished(let file): state.withLock { _ = $0.rows.removeValue(forKey: file.key) }
        case .skipped(let key, _): state.withLock { _ = $0.rows.removeValue(forKey: key) }
        case .failed(let failure):
            if let subject = failure.subject { state.withLock { $0.rows = $0.rows.filter { !$0.value.isOf(subject) } } }
        case .planned, .inputEnded: break
        }
        if let paths { return paths.show(event, tally) }
        if case .failed(let failure) = event { status.error(failure.description, hint: failure.hint) }
    }

    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {
        repeat {
            let terminal = Terminal(descriptor: STDERR_FILENO, environment: environment)
            status.showBelow(frame(tally(), at: .now, on: terminal).lines(on: terminal))
            paths?.send()
        } while (try? await Task.sleep(for: Self.interval)) != nil
        status.showBelow([])
    }

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) { paths?.send() }

    private func frame(
        _ tally: DownloadTally, at now: ContinuousClock.Instant, on terminal: Terminal
    ) -> DownloadFrame {
        state.withLock { state in
            let rows = Array(state.rows.values)
            let bytes = rows.reduce(tally.bytes) { $0 + $1.meter.bytes }
            var frame = DownloadFrame()
            frame.speed = state.speed.add(bytes, at: now)
            frame.bytes = bytes
            frame.done = tally.done
            frame.expected = tally.expected
            frame.failed = tally.failed
            frame.isStopping = state.isStopping
            let keys = state.chooseRows(
                at: now, limit: min(Self.rowLimit, terminal.height - 2), patience: Self.patience)
            frame.files = keys.compactMap { state.rows[$0] }.map {
                .init(path: $0.file.path, bytes: $0.meter.bytes, length: $0.meter.length)
            }
            frame.otherFiles = rows.count - keys.count
            frame.timeLeft = timeLeft(tally, rows, frame.speed, at: now)
            return frame
        }
    }

    /// By the bytes of what is under way when that is all there is left, else by the number of files.
    private func timeLeft(
        _ tally: DownloadTally, _ rows: [Row], _ speed: Double?, at now: ContinuousClock.Instant
    ) -> Duration? {
        guard let expected = tally.expected, now - start > .seconds(1) else { return nil }
        let lengths = rows.compactMap(\.meter.length)
        if expected - tally.done <= rows.count, lengths.count == rows.count, let speed, speed > 0, !rows.isEmpty {
            let left = rows.reduce(0) { $0 + max(($1.meter.length ?? 0) - $1.meter.bytes, 0) }
            return .seconds(Double(left) / speed)
        }
        guard tally.finished >= 3 else { return nil }
        return (now - start) * (Double(max(expected - tally.done, 0)) / Double(tally.finished))
    }
}

extension BarDownloadView.Row {
    fileprivate func isOf(_ subject: String) -> Bool {
        file.item.map { "\($0.provider):\($0.id)" == subject } ?? (file.url.description == subject)
    }
}

extension BarDownloadView.State {
    /// The files that have bars: each keeps its line for as long as it is under way.
    fileprivate mutating func chooseRows(
        at now: ContinuousClock.Instant, limit: Int, patience: Duration
    ) -> [MediaKey] {
        let waiting = rows.filter { now - $0.value.begun >= patience && !shownKeys.contains($0.key) }
            .sorted { $0.value.begun < $1.value.begun }.map(\.key)
        var next = waiting[...]
        // A newcomer takes the line of one that has ended, so that the others stay where they are.
        shownKeys = shownKeys.prefix(max(limit, 0)).compactMap { rows[$0] != nil ? $0 : next.popFirst() }
        while shownKeys.count < limit, let key = next.popFirst() { shownKeys.append(key) }
        return shownKeys
    }
}
