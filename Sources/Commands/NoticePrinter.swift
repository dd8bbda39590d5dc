import HTTPTransport
import ImgScript
import ProviderRuntime
import Synchronization

/// Prints what the engine reports while it works: waits, requests, warnings, what scripts log.
final class NoticePrinter: Sendable {
    private struct State {
        var oldestStaleResponse: Int?
        /// What was left out of results, by provider in the order of their first faults.
        var leftOut: [(provider: String, faults: [ResultFault])] = []
        var failure: OutputError?
    }

    private let status: StatusLine
    private let isTracing: Bool
    /// The output for the requests of a dry run, which are its results; nil where requests are sent.
    private let requests: TextOutput?
    private let state = Mutex(State())

    init(status: StatusLine, isDryRun: Bool, isTracing: Bool) {
        self.status = status
        self.isTracing = isTracing
        requests = isDryRun ? TextOutput(bufferSize: 0) : nil
    }

    /// Why the requests of a dry run could not be written; a reader that has gone is no failure.
    var failure: OutputError? { state.withLock(\.failure) }

    /// `stale cached responses, up to 2 days old`; nil when all were fresh.
    var staleness: String? {
        state.withLock(\.oldestStaleResponse).map {
            "stale cached responses, up to \(Duration.seconds($0).inWords) old"
        }
    }

    /// Prints a notice.
    func print(_ notice: ImageEngine.Notice) {
        switch notice {
        case .waiting(let provider, let seconds, let reason):
            status.wait(seconds: seconds, reason: reason, for: provider)
        case .request(let provider, let text):
            if let requests { return print(text, to: requests) }
            status.beginRequest(of: provider)
            status.debug("\(provider): → \(text)")
        case .response(let provider, let text):
            status.finishWaiting(for: provider)
            status.endRequest(of: provider)
            status.debug("\(provider): ← \(text)")
        case .stored(let provider, let text, let age, let isStale):
            if isStale { state.withLock { $0.oldestStaleResponse = max($0.oldestStaleResponse ?? 0, age) } }
            status.debug("\(provider): ← cached \(age) s ago\(isStale ? ", stale" : "") for \(text)")
        case .warning(let text, let hint): status.warning(text, hint: hint?.commandText)
        case .leftOut(let provider, let faults): add(faults, of: provider)
        case .console(let provider, let level, let text):
            let line = "\(provider): console.\(level): \(text)"
            if isTracing { status.trace(TerminalText.line(line)) } else { status.debug(line) }
        }
    }

    private func add(_ faults: [ResultFault], of provider: String) {
        state.withLock { state in
            let index = state.leftOut.firstIndex { $0.provider == provider } ?? state.leftOut.count
            if index == state.leftOut.count { state.leftOut.append((provider, [])) }
            for fault in faults { state.leftOut[index].faults.add(fault) }
        }
    }

    /// Prints what was left out of the results so far, one line for each field, however many pages had it.
    func printLeftOut() {
        let leftOut = state.withLock { state in
            defer { state.leftOut = [] }
            return state.leftOut
        }
        for (provider, faults) in leftOut {
            for fault in faults { status.warning("\(provider): \(fault.words)") }
        }
    }

    /// Prints each request as soon as it is known.
    private func print(_ request: String, to output: TextOutput) {
        do { try output.writeLine(TerminalText.line(request)) } catch let error as OutputError {
            state.withLock { $0.failure = $0.failure ?? error }
        } catch {
            // The reader has closed the pipe.
        }
    }
}

extension ResultFault {
    /// `left out 3 values, first items[1].media[0].width: expected a whole number of pixels, found 0`.
    fileprivate var words: String {
        let amount =
            switch loss {
            case .item: "skipped \(count.counted("item"))"
            case .value: "left out \(count.counted("value"))"
            case .character: "replaced parts of characters in \(count.counted("text"))"
            case .markup: "read \(count.counted("response")) that \(count == 1 ? "is" : "are") not well formed"
            }
        return "\(amount)\(count == 1 ? ":" : ", first") \(path): \(message)"
    }
}

/// A step of a trace as one line, in columns that stay what they are: `trace pixabay#1    0.9 ms  request  GET …`.
struct TraceLine: Hashable {
    /// The whole line.
    let text: String
    /// The kind of step: `request`.
    let kind: String
    /// The rest: `GET …`.
    let detail: String

    /// The line of an event; a sample did not come from the network.
    init(_ event: TraceEvent, isSample: Bool = false) {
        switch event.step {
        case .loaded(let file, let bytes): (kind, detail) = ("load", "\(file), \(Self.size(bytes))")
        case .called(let what): (kind, detail) = ("call", what)
        case .request(let request, let bytes, let script):
            let body = bytes == 0 ? "" : ", \(Self.size(bytes)) of body"
            (kind, detail) = ("request", "\(request)\(body); script \(Self.milliseconds(script))")
        case .answer(let response, let origin, let took):
            let contentType = response.headers.first { $0.name.lowercased() == "content-type" }?.value
            let type = contentType?.split(separator: ";").first.map { " \($0)" } ?? ""
            kind = "response"
            detail =
                "\(response.status)\(type), \(Self.size(response.body.count)) in \(Self.milliseconds(took)), "
                + (isSample ? "recorded" : origin.phrase)
        case .failedRequest(let reason, let took):
            (kind, detail) = ("response", "none after \(Self.milliseconds(took)): \(reason)")
        case .known(let result): (kind, detail) = ("cached", "\(result), of an earlier run")
        case .result(let result, let script):
            (kind, detail) = ("result", "\(result); script \(Self.milliseconds(script))")
        case .failed(let error): (kind, detail) = ("error", error)
        }
        let time = Self.milliseconds(event.elapsed)
        let padding = String(repeating: " ", count: max(0, 10 - time.count))
        let gap = String(repeating: " ", count: 9 - kind.count)
        text = "trace \(event.provider)#\(event.call) \(padding)\(time)  \(kind)\(gap)" + TerminalText.line(detail)
    }

    /// `0.9 ms`, whatever the size.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration.inSeconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    private static func size(_ bytes: Int) -> String { bytes < 1_024 ? "\(bytes) bytes" : bytes.shownAsBytes }
}

extension ResponseOrigin {
    /// Where a response came from.
    fileprivate var phrase: String {
        switch self {
        case .network: "network"
        case .cache(let age, let isStale): "cached \(age) s ago\(isStale ? ", stale" : "")"
        case .revalidated: "cached, revalidated"
        }
    }
}
