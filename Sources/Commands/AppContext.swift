import FoundationEssentials
import Glibc
import ImgScript
import Packs
import ProviderModel
import Synchronization

/// Everything a command works with, joined once: the engine, the terminal, and what is said beside the results.
struct AppContext {
    let engine: ImageEngine
    let settings: ImageEngine.Configuration
    let terminal: Terminal
    let output: StandardOutput
    let status: StatusLine
    let storedAnswers: StoredAnswers
    private let requestLines: RequestLines

    /// Kept until the process ends, which closes connections and stops threads faster than taking an engine apart does.
    private static let kept = Mutex<ImageEngine?>(nil)

    /// Joins the parts for these options; what cannot be used ends the command with a sentence.
    ///
    /// `pagesInFlight` is how many requests a provider may have under way at once; `adjust` has the last word on the
    /// settings.
    init(
        _ options: EngineOptions, pagesInFlight: Int = 0,
        adjusting adjust: (inout ImageEngine.Configuration) -> Void = { _ in }
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let status = StatusLine(
            on: Terminal(descriptor: STDERR_FILENO, environment: environment), verbosity: options.verbosity)
        var settings = ImageEngine.Configuration(environment: environment)
        let isDryRun = options.dryRun
        let storedAnswers = StoredAnswers()
        let requestLines = RequestLines()
        let countDown = CountDown(on: status)
        do {
            options.apply(to: &settings, try ConfigurationFile(folder: settings.configurationFolder))
            settings.connectionsPerHost = max(settings.connectionsPerHost, pagesInFlight)
            settings.onNotice = { notice in
                if case .stored(_, _, let age, true) = notice { storedAnswers.addStale(age: age) }
                status.show(
                    notice, requests: isDryRun ? requestLines : nil, isTracing: options.trace, countDown)
            }
            if options.trace {
                let isSample = options.sample
                settings.onTrace = { status.trace(TraceLine($0, isSample: isSample)) }
            }
            adjust(&settings)
            engine = try ImageEngine(settings)
            Self.kept.withLock { [engine] in $0 = engine }
        } catch {
            status.error(error)
            throw ExitStatus.usage
        }
        for folder in options.missingFolders {
            status.warning("--providers-folder is \(folder.quoted), where there is no folder")
        }
        self.settings = settings
        self.status = status
        self.storedAnswers = storedAnswers
        self.requestLines = requestLines
        terminal = Terminal(descriptor: STDOUT_FILENO, environment: environment)
        output = StandardOutput(beforeWriting: { status.clear() })
    }

    /// Runs a command's work; an error becomes a sentence and an exit code.
    func run(_ work: () async throws -> Void) async throws {
        do {
            try await work()
            try output.flush()
            if let failure = requestLines.failure { throw failure }
            await engine.finish()
        } catch let exit as ExitStatus {
            flushAfterFailure()
            await engine.finish()
            throw exit
        } catch is DryRunEnd {
            try output.flush()
            await engine.finish()
            if let failure = requestLines.failure {
                status.error(failure)
                throw ExitStatus.failure
            }
        } catch let error as OutputClosed {
            throw error
        } catch {
            flushAfterFailure()
            status.error(error)
            await engine.finish()
            throw ExitStatus(error)
        }
    }

    /// Passes on what was printed before a command failed; its own failure is told of, whatever comes of this.
    private func flushAfterFailure() {
        do { try output.flush() } catch let error as OutputError { status.error(error) } catch {
            // Nobody reads any more.
        }
    }

    /// Prints a line of results.
    func printLine(_ line: String) throws { try output.writeLine(line) }
}

extension StatusLine {
    /// Says what went wrong, with what to do next where the error knows.
    func error(_ error: any Error) {
        if let error = error as? ProviderError, !error.provider.isEmpty {
            self.error(error)
        } else if let error = error as? ProviderError {
            self.error(error.message, hint: error.hint)
        } else if let error = error as? PackError {
            self.error(error)
        } else {
            self.error("\(error)")
        }
    }

    /// `requests` are the results of a dry run; nil where requests are sent.
    fileprivate func show(
        _ notice: ImageEngine.Notice, requests: RequestLines?, isTracing: Bool, _ countDown: CountDown
    ) {
        switch notice {
        case .waiting(let provider, let seconds, let reason):
            countDown.start(seconds: seconds, reason: reason, for: provider)
        case .request(let provider, let text):
            if let requests {
                requests.print(text)
            } else {
                debug("\(provider): → \(text)")
            }
        case .response(let provider, let text):
            countDown.finish(for: provider)
            debug("\(provider): ← \(text)")
        case .stored(let provider, let text, let age, let isStale):
            debug("\(provider): ← stored \(age) s ago\(isStale ? ", stale" : "") for \(text)")
        case .warning(let text): warning(text)
        case .console(let provider, let level, let text):
            let line = "\(provider): console.\(level): \(text)"
            if isTracing { trace(console: line) } else { debug(line) }
        }
    }
}

/// The requests of a dry run, which are its results: each is a line of the standard output as soon as it is known.
private final class RequestLines: Sendable {
    private let output = StandardOutput()
    private let first = Mutex<OutputError?>(nil)

    /// Why they could not be written; a reader that has gone is none.
    var failure: OutputError? { first.withLock(\.self) }

    func print(_ request: String) {
        do {
            try output.writeLine(TerminalText.line(request))
            try output.flush()
        } catch let error as OutputError { first.withLock { $0 = $0 ?? error } } catch {
            // Nobody reads any more.
        }
    }
}
