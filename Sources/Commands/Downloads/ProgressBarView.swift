import Glibc
import ImgScript
import Synchronization

/// Bars on a terminal, written over in place a few times a second.
final class ProgressBarView: DownloadView {
    fileprivate struct Row {
        var file: PlannedFile
        var meter: DownloadMeter
        var begun: ContinuousClock.Instant
    }

    fileprivate struct State {
        var rows: [MediaKey: Row] = [:]
        var speed = SpeedMeter()
        var isStopping = false
        /// Rows stay for a while when fewer are active: lines that come and go are hard to read.
        var shownKeys: [MediaKey] = []
    }

    let showsTotal = true
    private let status: StatusLine
    private let environment: [String: String]
    /// Prints the paths of complete files where the output is no terminal.
    private let paths: LineDownloadView?
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// The maximum number of bars.
    private static let rowLimit = 8
    /// How long a download runs before it is shown: most small ones end sooner.
    private static let displayDelay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    init(status: StatusLine, environment: [String: String], paths: LineDownloadView?) {
        self.status = status
        self.environment = environment
        self.paths = paths
    }

    /// Shows that the run is stopping.
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
        case .planned, .inputEnded, .commandEnded, .leftOut, .excluded, .collection, .bundled: break
        }
        if let paths { return paths.show(event, tally) }
        if case .failed(let failure) = event { status.show(failure, tally) }
        if case .commandEnded(let result) = event { status.show(result, tally) }
        if case .finished(let file) = event { status.show(file, tally) }
        if case .bundled(let result) = event { status.show(result) }
    }

    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {
        repeat {
            let terminal = Terminal(descriptor: STDERR_FILENO, environment: environment)
            status.showBelow(frame(tally(), at: .now, on: terminal).lines(on: terminal))
            paths?.flush()
        } while (try? await Task.sleep(for: Self.interval)) != nil  // cancellation ends the loop
        status.showBelow([])
    }

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) { paths?.flush() }

    // MARK: Frames

    private func frame(
        _ tally: DownloadTally, at now: ContinuousClock.Instant, on terminal: Terminal
    ) -> ProgressFrame {
        state.withLock { state in
            let rows = Array(state.rows.values)
            let bytes = rows.reduce(tally.bytes) { $0 + $1.meter.bytes }
            var frame = ProgressFrame()
            frame.speed = state.speed.add(bytes, at: now)
            frame.bytes = bytes
            frame.done = tally.done
            frame.expected = tally.expected
            frame.failed = tally.failed
            frame.isStopping = state.isStopping
            let keys = state.chooseRows(
                at: now, limit: min(Self.rowLimit, terminal.height - 2), delay: Self.displayDelay)
            frame.files = keys.compactMap { state.rows[$0] }.map {
                .init(path: $0.file.path, bytes: $0.meter.bytes, length: $0.meter.length)
            }
            frame.otherFiles = rows.count - keys.count
            frame.timeLeft = timeLeft(tally, rows, frame.speed, at: now)
            return frame
        }
    }

    /// By the bytes of the active files when only those are left, else by the number of files.
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

extension ProgressBarView.Row {
    fileprivate func isOf(_ subject: String) -> Bool {
        file.item.map { "\($0.provider):\($0.id)" == subject } ?? (file.url.description == subject)
    }
}

extension ProgressBarView.State {
    /// The files with bars: each keeps its line while it is active.
    fileprivate mutating func chooseRows(
        at now: ContinuousClock.Instant, limit: Int, delay: Duration
    ) -> [MediaKey] {
        let waiting = rows.filter { now - $0.value.begun >= delay && !shownKeys.contains($0.key) }
            .sorted { $0.value.begun < $1.value.begun }.map(\.key)
        var next = waiting[...]
        // A new file takes the line of one that has ended, so that the others keep theirs.
        shownKeys = shownKeys.prefix(max(limit, 0)).compactMap { rows[$0] != nil ? $0 : next.popFirst() }
        while shownKeys.count < limit, let key = next.popFirst() { shownKeys.append(key) }
        return shownKeys
    }
}

// MARK: - Lines

/// The lines of a terminal at one moment: one for each active file, and one for the total.
struct ProgressFrame: Hashable, Sendable {
    /// An active file.
    struct File: Hashable, Sendable {
        var path: String
        var bytes: Int
        var length: Int?
    }

    var files: [File] = []
    /// The number of other active files.
    var otherFiles = 0
    var done = 0
    var expected: Int?
    var failed = 0
    var bytes = 0
    /// Bytes a second.
    var speed: Double?
    var timeLeft: Duration?
    var isStopping = false

    /// The lines, none as long as the terminal's: some move on when the last cell is filled.
    func lines(on terminal: Terminal) -> [String] {
        let width = terminal.width - 1
        return files.map { line(for: $0, width, terminal) } + [totalLine(width, terminal)]
    }

    private func line(for file: File, _ width: Int, _ terminal: Terminal) -> String {
        let barWidth = width >= 100 ? 24 : width >= 70 ? 18 : width >= 36 ? 8 : 0
        let hasSize = width >= 55
        let share = file.length.map { $0 > 0 ? min(Double(file.bytes) / Double($0), 1) : 0 }
        let percent = share.map { "\(Int($0 * 100))%" } ?? ""
        let nameWidth = width - (barWidth > 0 ? barWidth + 2 : 0) - 6 - (hasSize ? 11 : 0)
        let fits = file.path.displayWidth <= nameWidth
        let name = fits ? file.path : String(file.path.split(separator: "/").last ?? "")
        var line = TableCell(name).rendered(width: nameWidth, on: terminal)
        if barWidth > 0 { line += "  " + Self.bar(share ?? 0, barWidth, terminal) }
        line += "  " + percent.padding(to: 4) + percent
        if hasSize {
            let size = file.bytes.byteCount
            line += "  " + size.padding(to: 9) + terminal.paint(size, .dim)
        }
        return line
    }

    private func totalLine(_ width: Int, _ terminal: Terminal) -> String {
        let parts = totalParts
        var shown: [TableCell] = []
        var used = 0
        for part in parts where used + part.text.displayWidth + (used > 0 ? 3 : 0) <= width {
            used += part.text.displayWidth + (used > 0 ? 3 : 0)
            shown.append(part)
        }
        let text = shown.map { $0.rendered(on: terminal) }.joined(separator: terminal.paint(" · ", .dim))
        let barWidth = min(width - used - 2, 24)
        guard let share, barWidth >= 6 else { return text }
        return Self.bar(share, barWidth, terminal) + "  " + text
    }

    private var share: Double? {
        guard let expected, expected > 0 else { return nil }
        // One large file moves by its bytes; many small ones by their number.
        let begun = files.reduce(0.0) { sum, file in
            sum + (file.length.map { Double(file.bytes) / Double(max($0, 1)) } ?? 0)
        }
        return min((Double(done) + begun) / Double(expected), 1)
    }

    /// The parts of the total, the most important first.
    private var totalParts: [TableCell] {
        var parts = [TableCell(expected.map { "\(done.grouped) of \($0.grouped)" } ?? "\(done.grouped) done", .bold)]
        if isStopping { parts.append(TableCell("stopping", .warning)) }
        if failed > 0 { parts.append(TableCell("\(failed.grouped) failed", .bad)) }
        if let speed { parts.append(TableCell("\(Int(speed).byteCount)/s")) }
        if let timeLeft, !isStopping { parts.append(TableCell("\(timeLeft.inWords) left")) }
        parts.append(TableCell(bytes.byteCount, .dim))
        if otherFiles > 0 { parts.append(TableCell("\(otherFiles) more active", .dim)) }
        return parts
    }

    private static func bar(_ share: Double, _ width: Int, _ terminal: Terminal) -> String {
        let filled = min(max(Int(share * Double(width)), 0), width)
        let full = String(repeating: "━", count: filled)
        let rest = String(repeating: terminal.hasColors ? "━" : "·", count: width - filled)
        return terminal.paint(full, share >= 1 ? .good : .accent(0)) + terminal.paint(rest, .dim)
    }
}

// MARK: - Speed

/// Bytes a second over the last few seconds.
struct SpeedMeter {
    private var samples: [(time: ContinuousClock.Instant, bytes: Int)] = []

    private static let window = Duration.seconds(5)

    /// Takes in how many bytes there are by now; the speed, once that can be said.
    mutating func add(_ bytes: Int, at now: ContinuousClock.Instant) -> Double? {
        samples.append((now, bytes))
        while samples.count > 2, let second = samples.dropFirst().first, now - second.time >= Self.window {
            samples.removeFirst()
        }
        guard let first = samples.first, now - first.time >= .milliseconds(300) else { return nil }
        return max(0, Double(bytes - first.bytes) / ((now - first.time) / .seconds(1)))
    }
}
