import FoundationEssentials
import Glibc
import ImgScriptKit
import Packs
import ProviderModel
import Synchronization

/// Everything a command works with, joined once: the engine, the terminal, and what is said beside the results.
struct AppContext {
    let engine: ImgScript
    let settings: ImgScript.Settings
    let terminal: Terminal
    let output: StandardOutput
    let status: StatusLine
    let storedAnswers: StoredAnswers

    /// Kept until the process ends, which closes connections and stops threads faster than taking an engine apart does.
    private static let kept = Mutex<ImgScript?>(nil)

    /// Joins the parts for these options; what cannot be used ends the command with a sentence.
    ///
    /// `pagesInFlight` is how many requests a provider may have under way at once; `adjust` has the last word on the
    /// settings.
    init(
        _ options: EngineOptions, pagesInFlight: Int = 0,
        adjusting adjust: (inout ImgScript.Settings) -> Void = { _ in }
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let status = StatusLine(
            on: Terminal(descriptor: STDERR_FILENO, environment: environment), verbosity: options.verbosity)
        var settings = ImgScript.Settings(environment: environment)
        let isDryRun = options.dryRun
        let storedAnswers = StoredAnswers()
        let countDown = CountDown(on: status)
        do {
            options.apply(to: &settings, try ConfigurationFile(folder: settings.configurationFolder))
            settings.connectionsPerHost = max(settings.connectionsPerHost, pagesInFlight)
            settings.onNotice = { notice in
                if case .stored(_, _, let age, true) = notice { storedAnswers.addStale(age: age) }
                status.show(notice, isDryRun: isDryRun, isTracing: options.trace, countDown)
            }
            if options.trace {
                let isSample = options.sample
                settings.onTrace = { status.trace(TraceLine($0, isSample: isSample)) }
            }
            adjust(&settings)
            engine = try ImgScript(settings, early: ImgScriptCommand.earlyStart)
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
        terminal = Terminal(descriptor: STDOUT_FILENO, environment: environment)
        output = StandardOutput(beforeWriting: { status.clear() })
    }

    /// Runs a command's work; an error becomes a sentence and an exit code.
    func run(_ work: () async throws -> Void) async throws {
        do {
            try await work()
            try output.flush()
            await engine.finish()
        } catch let exit as ExitStatus {
            try? output.flush()  // the command has failed already
            await engine.finish()
            throw exit
        } catch is DryRunEnd {
            try output.flush()
            await engine.finish()
        } catch let error as OutputClosed {
            throw error
        } catch {
            try? output.flush()  // the command has failed already
            status.error(error)
            await engine.finish()
            throw ExitStatus(error)
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
            self.error(error.message, advice: error.advice)
        } else if let error = error as? PackError {
            self.error(error)
        } else {
            self.error("\(error)")
        }
    }

    fileprivate func show(_ notice: ImgScript.Notice, isDryRun: Bool, isTracing: Bool, _ countDown: CountDown) {
        switch notice {
        case .waiting(let provider, let seconds, let reason):
            countDown.start(seconds: seconds, reason: reason, for: provider)
        case .request(let provider, let text):
            if isDryRun {
                // The request is the result: a line of its own on the standard output.
                try? StandardOutput().writeAndFlush("\(TerminalText.line(text))\n")  // a closed output ends quietly
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

extension StandardOutput {
    fileprivate func writeAndFlush(_ text: String) throws {
        try write(Array(text.utf8))
        try flush()
    }
}
