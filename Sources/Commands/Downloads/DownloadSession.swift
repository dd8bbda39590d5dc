import Dispatch
import Glibc
import ImgScript
import Synchronization

/// Runs a download: shows its progress, stops at Ctrl-C, and ends with the exit code of its outcome.
struct DownloadSession {
    let context: AppContext
    let source: DownloadSource
    let options: DownloadOptions
    let directory: String
    let selection: SelectionOptions
    let style: ProgressStyle
    /// The rule by which a watch reads its listings; nil for others.
    var reading: WatchReadingRule?
    /// Called with each event, before it is shown.
    var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }

    /// The state of a run.
    private final class Progress: Sendable {
        let tally = Mutex(DownloadTally())
        let isInterrupted = Atomic(false)
        /// The providers of the images, collected only where an option is for some.
        let providers = Mutex<Set<String>>([])
        let outputFailure = Mutex<(any Error)?>(nil)
        let run = Mutex<DownloadRun?>(nil)
    }

    /// Downloads everything, and throws the exit code of what came of it.
    func download() async throws {
        let outcome = try await run()
        guard outcome.status == .success else { throw outcome.status }
    }

    /// Downloads everything; throws in the end where the output could not be written.
    func run() async throws -> DownloadOutcome {
        let progress = Progress()
        // The files are what counts: `download … | head -n1` fetches all of them.
        context.output.continueWithoutReader()
        let view = view(progress)
        let inputs = try inputs
        if view.showsTotal { progress.tally.withLock { $0.expected = inputs.expected } }
        var options = options
        options.reading = reading
        let run = try inputs.run(in: context.engine, to: directory, options)
        progress.run.withLock { $0 = run }
        let interrupts = interrupts(progress, view)
        defer { interrupts.cancel() }
        let start = ContinuousClock.now
        let result = await withTaskGroup(of: Void.self) { group in
            group.addTask { await view.run { progress.tally.withLock(\.self) } }
            let result = await show(run, progress, view)
            group.cancelAll()
            return result
        }
        let tally = progress.tally.withLock(\.self)
        let isInterrupted = progress.isInterrupted.load(ordering: .acquiring)
        view.finish(tally, elapsed: .now - start, wasStopped: isInterrupted || result.wasStopped)
        let isInVain = tally.done == 0 && (result.error != nil || !inputs.failures.isEmpty)
        inputs.printProviders()
        if !isInVain { report(tally, elapsed: .now - start, result, isInterrupted) }
        if !isInVain { await warnOfUnusedOptions(progress.providers.withLock(\.self), tally) }
        if let failure = progress.outputFailure.withLock(\.self) { throw failure }
        if isInterrupted { return DownloadOutcome(tally: tally, status: .interrupted, isComplete: false) }
        if let error = result.error {
            context.status.error(error)
            return DownloadOutcome(tally: tally, status: ExitStatus(error), isComplete: false)
        }
        return DownloadOutcome(
            tally: tally, status: status(tally, inputs.failures),
            isComplete: inputs.failures.isEmpty && tally.failedBundles == 0
                && tally.codes.isSubset(of: DownloadOutcome.final), isListed: inputs.failures.isEmpty,
            sizes: inputs.sizes)
    }

    /// Prints the planned files.
    func plan(because reason: String) async throws {
        let inputs = try inputs
        let status = context.status
        var options = options
        options.isDryRun = true
        let printer = PlanPrinter(output: context.output, terminal: context.terminal, isJSON: style == .json)
        let run = try inputs.run(in: context.engine, to: directory, options)
        for try await event in run {
            switch event {
            case .planned(let file, let skip): try printer.print(file, skip)
            case .failed(let failure): status.error(failure)
            default: break
            }
        }
        let summary = run.tally
        try context.output.flush()
        inputs.printProviders()
        let failures = inputs.failures
        if summary.done == 0, !failures.isEmpty {
            throw ExitStatus(failures: failures, of: failures.count)
        }
        let files = summary.finished == 1 ? "1 file" : "\(summary.finished.grouped) files"
        var parts = ["\(files) to download to \(directory)"]
        if summary.skipped > 0 { parts.append("\(summary.skipped.grouped) existing") }
        if summary.failed > 0 { parts.append("\(summary.failed.grouped) failed") }
        if summary.failedBefore > 0 { parts.append("\(summary.failedBefore.grouped) failed before") }
        parts.append("\(reason): nothing was downloaded")
        status.note(parts.joined(separator: " · "))
        for note in summary.leftOutNotes(selection) { status.note(note) }
        let result = self.status(summary, failures, hasResults: summary.finished + summary.skipped > 0)
        guard result == .success else { throw result }
    }

    // MARK: Events

    /// What came of a run.
    private struct Result {
        var wasStopped = false
        var error: (any Error)?
    }

    /// Shows the events of a run until its end.
    private func show(_ run: DownloadRun, _ progress: Progress, _ view: any DownloadView) async -> Result {
        let hasOptionsOfProviders =
            context.settings.instance != nil || context.settings.cookies != nil
            || !context.groups.givenProviderOptions.isEmpty
        do {
            for try await event in run {
                if hasOptionsOfProviders, let provider = event.provider {
                    progress.providers.withLock { _ = $0.insert(provider) }
                }
                let tally = progress.tally.withLock { tally in
                    tally.add(event)
                    return tally
                }
                onEvent(event)
                view.show(event, tally)
            }
            return Result(wasStopped: run.tally.wasStopped)
        } catch { return Result(wasStopped: true, error: error) }
    }

    private var inputs: DownloadInputs {
        get throws {
            switch source {
            case .search(let text, let providers): try listing(.search(text), in: providers)
            case .feed(let providers): try listing(.feed, in: providers)
            case .listed(let references, let files, let providers):
                .listed(ListedInputs(references: references, files: files), try inputSelection(of: providers))
            case .items(let items): .items(items, try inputSelection())
            case .failed: .failed(try inputSelection())
            }
        }
    }

    /// The inputs that are wanted; a limit in the settings is for listings.
    private func inputSelection(of providers: [String] = []) throws -> InputSelection {
        var inputs = try selection.inputSelection
        inputs.providers = providers
        if context.groups.isFromSettings("limit") { inputs.limit = nil }
        // A watch itself says where its collections end.
        if reading != nil { (inputs.options, inputs.limit) = (try searchOptions, nil) }
        return inputs
    }

    private func listing(_ listing: Listing, in providers: [String]) throws -> DownloadInputs {
        let search = context.engine.events(of: listing, in: providers, try searchOptions)
        let count = context.engine.providerNames(for: providers).count
        return .listing(
            ListingInputs(
                search, providerCount: count, status: context.status, reading: reading,
                isRange: selection.range != nil),
            limit: selection.maximumCount * count)
    }

    /// The options of a listing; a watch itself says where its listings end.
    private var searchOptions: SearchOptions {
        get throws {
            var options = try selection.searchOptions
            guard reading != nil else { return options }
            options.pageSize = options.pageSize ?? options.limit
            options.limit = SelectionOptions.limits.upperBound
            options.isOpenEnded = true
            return options
        }
    }

    private func view(_ progress: Progress) -> any DownloadView {
        let status = context.status
        let closed: @Sendable (any Error) -> Void = { error in
            progress.outputFailure.withLock { $0 = $0 ?? error }
        }
        let lines = LineDownloadView(
            status: status, output: context.output, isTerminal: context.terminal.isTerminal,
            bundles: options.bundle != nil && !source.isRetry, outputClosed: closed)
        switch style {
        case .json: return JSONDownloadView(output: context.output, outputClosed: closed)
        case .none: return SilentDownloadView(status: status)
        case .lines: return lines
        case .auto, .bars:
            guard status.terminal.canRewrite, !status.isQuiet else { return lines }
            return ProgressBarView(
                status: status, environment: context.settings.environment,
                paths: context.terminal.isTerminal ? nil : lines)
        }
    }

    private func interrupts(_ progress: Progress, _ view: any DownloadView) -> Interrupts {
        let status = context.status
        return Interrupts {
            progress.isInterrupted.store(true, ordering: .releasing)
            (view as? ProgressBarView)?.showStopping()
            status.note("stopping; press Ctrl-C again to stop at once")
            progress.run.withLock(\.self)?.stop()
        } second: {
            status.clear()
            _exit(ExitStatus.interrupted.rawValue)
        }
    }

    // MARK: Results

    private func report(
        _ tally: DownloadTally, elapsed: Duration, _ result: Result, _ isInterrupted: Bool
    ) {
        let place = directory == "." ? "" : " -d \(directory.shellQuoted)"
        var report = DownloadReport(
            tally: tally, folder: directory == "." ? "this folder" : directory, elapsed: elapsed,
            wasInterrupted: isInterrupted, retryCommand: "imgscript download\(place) --retry-failed")
        // Ctrl-C and an error stop a run as well.
        if result.wasStopped, result.error == nil, !isInterrupted { report.endedAfterSkips = options.stopsAfterSkips }
        report.leftOut = tally.leftOutNotes(selection)
        if case .failed = source { report.emptyNote = "no failed downloads in \(report.folder)" }
        if context.status.isQuiet { context.status.countFailures(tally) }
        context.status.note(rendered: report.lines(on: context.status.terminal))
    }

    /// Warns of options that were given in vain: what is on a list is known when it has been read.
    private func warnOfUnusedOptions(_ providers: Set<String>, _ tally: DownloadTally) async {
        guard source.providers == nil else { return }
        let status = context.status
        if tally.collections == 0 {
            for option in selection.optionsOfListings
            where !context.groups.isFromSettings(String(option.dropFirst(2))) {
                status.warning("\(option): not used: there is no collection among the inputs")
            }
        }
        for option in context.groups.givenProviderOptions where !providers.contains(option.provider) {
            status.warning("--provider-option \(option.text): not used: no image is of \(option.provider)")
        }
        if let server = context.settings.instance, providers.isEmpty {
            status.warning("--instance \(server): not used by any of these files")
        }
        guard !providers.isEmpty else { return }
        do {
            try await context.engine.checkInstance(isTakenBy: providers.sorted())
            try await context.engine.checkCookies(areTakenBy: providers.sorted())
        } catch { status.warning("\((error as? ProviderError)?.message ?? "\(error)")") }
    }

    private func status(_ tally: DownloadTally, _ failures: [any Error], hasResults: Bool = false) -> ExitStatus {
        if let limit = options.maximumFailures, failures.isEmpty, tally.failedCommands == 0, tally.failedBundles == 0,
            !limit.isExceeded(by: tally, isAtEnd: true)
        {
            return .success
        }
        guard !failures.isEmpty else { return hasResults && tally.failed > 0 ? .someFailed : tally.status }
        guard tally.done == 0, !hasResults else { return .someFailed }
        return ExitStatus(failures: failures, of: failures.count)
    }
}

/// What came of a download.
struct DownloadOutcome {
    let tally: DownloadTally
    let status: ExitStatus
    /// Whether another run would bring no more: every listing was read as far as it should be, and what failed fails again.
    let isComplete: Bool
    /// Whether no listing failed.
    var isListed = false
    /// The sizes of the listings that a watch reads, by provider.
    var sizes: [String: ListingSize] = [:]

    /// The failures that stay.
    static let final: Set<DownloadError.Code> = [.notFound, .noMedia, .content, .tooLarge, .input]
}

// MARK: - Interrupts

/// Handles Ctrl-C while it exists.
final class Interrupts {
    private let source: any DispatchSourceSignal

    /// Calls `first` at the first Ctrl-C, and `second` at each further one.
    init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
        // Only the source handles the signal.
        signal(SIGINT, SIG_IGN)
        let queue = DispatchQueue(label: "imgscript.interrupts")
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        nonisolated(unsafe) var isFirst = true  // touched on the queue alone
        source.setEventHandler {
            if isFirst { first() } else { second() }
            isFirst = false
        }
        source.resume()
    }

    /// Restores the default: Ctrl-C ends the process.
    func cancel() {
        source.cancel()
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    }
}

extension String {
    /// The text as a shell reads it as one word.
    var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || "-_./".utf8.contains(byte)
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
