import ImgScript

/// Shows the progress of downloads; called from several threads.
protocol DownloadView: Sendable {
    /// Whether it shows the number of files, for which lists are read twice.
    var showsTotal: Bool { get }

    /// Shows an event; `tally` includes it.
    func show(_ event: DownloadEvent, _ tally: DownloadTally)

    /// Shows the progress until the task is cancelled.
    func run(_ tally: @escaping @Sendable () -> DownloadTally) async

    /// Shows the result.
    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool)
}

extension DownloadView {
    var showsTotal: Bool { false }

    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {}

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) {}
}

extension StatusLine {
    /// How many failures of a kind are printed each by itself.
    private static let failureLimit = 3

    /// Prints a failure, unless several of its kind were printed: the others are a number at the end.
    func show(_ failure: DownloadError, _ tally: DownloadTally) {
        let count = tally.reasons.first { $0.text == failure.reason }?.count ?? 1
        guard count > Self.failureLimit else { return error(failure) }
        debug("\(failure)")
        guard count == Self.failureLimit + 1 else { return }
        note("more such errors (\(failure.reason)) follow; --verbose prints each")
    }

    /// Prints what a command wrote; of its failures the first, the others are a number at the end.
    func show(_ result: FileCommandResult, _ tally: DownloadTally) {
        let lines = result.output.split(whereSeparator: \.isNewline).map { TerminalText.line(String($0)) }
        if !lines.isEmpty { note(rendered: lines) }
        guard let failure = result.failure else { return }
        let message = "\(result.path): \(failure)"
        if tally.failedCommands == 1 { error(message) } else { debug(message) }
    }

    /// Prints what is to be known of a complete file: the first that could not be converted, and what each looks like.
    func show(_ file: FinishedFile, _ tally: DownloadTally) {
        if let reason = file.unconverted, tally.unconverted == 1 {
            warning("\(file.path): not converted: \(reason)")
        }
        if let other = file.nearDuplicate {
            note("\(file.path) looks like \(other.path)\(file.isLinked ? ": linked" : "")")
        }
        for note in file.notes { debug("\(file.path): \(note)") }
    }

    /// Prints why an archive was not written.
    func show(_ result: BundleResult) {
        if let failure = result.failure { error(failure) }
    }

    /// Prints how many failures of each kind were not printed, where no report says it.
    func countFailures(_ tally: DownloadTally) {
        for reason in tally.reasons where reason.count > Self.failureLimit {
            error("\((reason.count - Self.failureLimit).grouped) more: \(reason.text)")
        }
    }
}

/// Shows only failures.
struct SilentDownloadView: DownloadView {
    let status: StatusLine

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        if case .failed(let failure) = event { status.show(failure, tally) }
        if case .commandEnded(let result) = event { status.show(result, tally) }
        if case .finished(let file) = event { status.show(file, tally) }
        if case .bundled(let result) = event { status.show(result) }
    }
}

/// A line on the output for each complete file; failures go to the error output.
struct LineDownloadView: DownloadView {
    let status: StatusLine
    let output: TextOutput
    let isTerminal: Bool
    /// Whether files end in archives, which are printed in their place.
    let bundles: Bool
    let outputClosed: @Sendable (any Error) -> Void

    private static let interval = Duration.milliseconds(50)

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        switch event {
        case .started(let file, _): status.debug("\(file.key): → \(file.url)")
        case .finished(let file):
            status.show(file, tally)
            if bundles { status.debug(file.path) } else { print(file.path) }
        case .bundled(let result):
            status.show(result)
            if result.failure == nil { print(result.path) }
        case .skipped(let key, let reason): status.debug("\(key): \(reason.text)")
        case .failed(let failure): status.show(failure, tally)
        case .commandEnded(let result): status.show(result, tally)
        case .planned, .inputEnded, .leftOut, .excluded, .collection: break
        }
    }

    private func print(_ path: String) {
        do { try output.writeLine(isTerminal ? TerminalText.line(path) : path) } catch { outputClosed(error) }
    }

    /// Lines are written together a few times a second: downloads would wait for each other at every one.
    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {
        // Cancellation ends the loop.
        while (try? await Task.sleep(for: Self.interval)) != nil { flush() }
    }

    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) { flush() }

    /// Writes the lines in the buffer.
    func flush() {
        do { try output.flush() } catch { outputClosed(error) }
    }
}

extension SkipReason {
    /// The reason, for display.
    var text: String {
        switch self {
        case .archived(let path): "downloaded before: \(path)"
        case .present(let path): "exists: \(path)"
        case .repeated: "repeated in the input"
        case .otherProcess: "being downloaded by another process"
        case .duplicate(let path): "same content: \(path)"
        case .nearDuplicate(let path): "looks like \(path)"
        case .failedBefore(let reason, let time): "\(reason) on \(DateTime(secondsSince1970: time).iso8601.prefix(10))"
        }
    }

    /// The reason, for programs.
    var code: String {
        switch self {
        case .archived: "archived"
        case .present: "present"
        case .repeated: "repeated"
        case .otherProcess: "other-process"
        case .duplicate: "duplicate"
        case .nearDuplicate: "near-duplicate"
        case .failedBefore: "failed-before"
        }
    }
}

/// Prints the files of a plan with their URLs, one per line.
struct PlanPrinter {
    let output: TextOutput
    let terminal: Terminal
    let isJSON: Bool

    /// Prints a file; in a pipe only those to download, with a tab between path and URL.
    func print(_ file: PlannedFile, _ skip: SkipReason?) throws {
        if isJSON { return try printJSON(file, skip) }
        guard skip == nil else { return }
        guard terminal.isTerminal else {
            return try output.writeLine("\(file.path)\t\(file.url)")
        }
        let path = TableCell(file.path)
        let room = terminal.width - path.text.displayWidth - 3
        let url = TableCell(file.url.description, .dim, link: file.url)
        let fits = url.text.displayWidth <= room || terminal.hasLinks && room >= 20
        let separator = fits ? "  " : "\n    "
        let shown =
            fits && terminal.hasLinks ? url.cut(to: room) : url
        try output.writeLine(path.rendered(on: terminal) + separator + shown.rendered(on: terminal))
        try output.flush()
    }

    private func printJSON(_ file: PlannedFile, _ skip: SkipReason?) throws {
        var json = JSONWriter()
        json.object { json in
            json.member("event", "planned")
            json.planned(file)
            json.member("skipped", skip?.code)
        }
        try output.write(json.bytes + [UInt8(ascii: "\n")])
    }
}
