import ImgScript

/// Something that shows how downloads go; called from several threads.
protocol DownloadView: Sendable {
    /// Whether it tells how many files there are at most, for which lists are read once more.
    var showsTotal: Bool { get }

    /// Shows what happened; `tally` has it counted in.
    func show(_ event: DownloadEvent, _ tally: DownloadTally)

    /// Shows how far everything is, again and again until the task is cancelled, and takes it away then.
    func run(_ tally: @escaping @Sendable () -> DownloadTally) async

    /// Shows what came of it all.
    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool)
}

extension DownloadView {
    var showsTotal: Bool { false }

    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {}

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) {}
}

/// Nothing but what fails.
struct SilentDownloadView: DownloadView {
    let status: StatusLine

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        if case .failed(let failure) = event { status.error(failure.description, hint: failure.hint) }
    }
}

/// A line on the output for each file that is there; what fails goes to the error output.
struct LineDownloadView: DownloadView {
    let status: StatusLine
    let output: StandardOutput
    let isTerminal: Bool
    let outputClosed: @Sendable (any Error) -> Void

    private static let interval = Duration.milliseconds(50)

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        switch event {
        case .started(let file, _): status.debug("\(file.key): → \(file.url)")
        case .finished(let file):
            for note in file.notes { status.debug("\(file.path): \(note)") }
            do { try output.writeLine(isTerminal ? TerminalText.line(file.path) : file.path) } catch {
                outputClosed(error)
            }
        case .skipped(let key, let reason): status.debug("\(key): \(reason.words)")
        case .failed(let failure): status.error(failure.description, hint: failure.hint)
        case .planned, .inputEnded: break
        }
    }

    /// Lines go out together, some times a second: the threads of the files would wait for each other at every one.
    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {
        while (try? await Task.sleep(for: Self.interval)) != nil { send() }
    }

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) { send() }

    /// Lets the lines out that wait.
    func send() {
        do { try output.flush() } catch { outputClosed(error) }
    }
}

extension SkipReason {
    /// Why, in a few words.
    var words: String {
        switch self {
        case .archived(let path): "fetched before, to \(path)"
        case .present(let path): "there already, at \(path)"
        case .repeated: "in the input more than once"
        case .otherProcess: "another process is fetching it"
        case .duplicate(let path): "the same content as \(path)"
        }
    }

    /// The word that programs read.
    var word: String {
        switch self {
        case .archived: "archived"
        case .present: "present"
        case .repeated: "repeated"
        case .otherProcess: "other-process"
        case .duplicate: "duplicate"
        }
    }
}
