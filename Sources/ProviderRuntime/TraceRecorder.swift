import HTTPTransport
import ProviderModel
import Synchronization
import WorkerProtocol

/// A step of a provider's operation, in the host or in its worker.
package struct TraceEvent: Sendable {
    /// The kind of a step.
    package enum Step: Sendable {
        /// The file was evaluated.
        case loaded(file: String, bytes: Int)
        /// An operation begins: `search "coffee", page 1, 20 a page`.
        case called(String)
        /// A request of the script; secrets are masked.
        case request(String, bodyBytes: Int, script: Duration)
        /// A response, as the script gets it.
        case answer(ProviderResponse, from: ResponseOrigin, took: Duration)
        /// A request failed.
        case failedRequest(String, took: Duration)
        /// The cached result: neither script nor source was used.
        case known(OperationResultSummary)
        /// The result.
        case result(OperationResultSummary, script: Duration)
        /// The operation failed.
        case failed(String)
    }

    /// The provider.
    package let provider: ProviderID
    /// The number of the call, from 1; 0 for the evaluation of the file.
    package let call: Int
    /// The operation; nil for the evaluation of the file.
    package let operation: ProviderOperation?
    /// The time since the call began.
    package let elapsed: Duration
    /// The step.
    package let step: Step
}

/// The outcome of an operation, for display.
package struct OperationResultSummary: Hashable, Sendable, CustomStringConvertible {
    /// `20 items of 500, then page 2`.
    package let description: String
}

/// Passes trace events on, with a number for each call.
package final class TraceRecorder: Sendable {
    private let handler: @Sendable (TraceEvent) -> Void
    private let calls = Mutex(0)

    /// A recorder that passes events to `handler`.
    package init(_ handler: @escaping @Sendable (TraceEvent) -> Void) { self.handler = handler }

    /// Records that a file was evaluated.
    func loaded(_ provider: ProviderID, file: String, bytes: Int, since start: ContinuousClock.Instant) {
        handler(
            TraceEvent(
                provider: provider, call: 0, operation: nil, elapsed: start.duration(to: .now),
                step: .loaded(file: file, bytes: bytes))
        )
    }

    /// Begins a call.
    func begin(_ call: OperationCall, of provider: ProviderID) -> CallTrace {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        let start = ContinuousClock.now
        let trace = CallTrace(begun: start) { [handler] step in
            handler(
                TraceEvent(
                    provider: provider, call: number, operation: call.operation, elapsed: start.duration(to: .now),
                    step: step))
        }
        trace.record(.called(call.phrase))
        return trace
    }
}

/// One call under way; requests of one step may go out side by side.
final class CallTrace: Sendable {
    private struct State {
        /// Since when the script runs; nil while the host works for it.
        var scriptStart: ContinuousClock.Instant?
        var script = Duration.zero
    }

    let record: @Sendable (TraceEvent.Step) -> Void
    private let state: Mutex<State>

    init(begun start: ContinuousClock.Instant, record: @escaping @Sendable (TraceEvent.Step) -> Void) {
        self.record = record
        state = Mutex(State(scriptStart: start))
    }

    /// The script has asked, and waits; returns how long it took.
    func pauseScript() -> Duration {
        state.withLock { state in
            let took = state.scriptStart.map { $0.duration(to: .now) } ?? .zero
            state.script += took
            state.scriptStart = nil
            return took
        }
    }

    /// The script has its answers.
    func resumeScript() { state.withLock { $0.scriptStart = .now } }

    /// The call is over.
    func finish(_ result: OperationResult, of call: OperationCall, paging: Paging) {
        _ = pauseScript()
        record(.result(result.summary(of: call, paging: paging), script: state.withLock(\.script)))
    }
}

extension OperationCall {
    /// What is asked, in a phrase.
    var phrase: String {
        switch self {
        case .search(let query): "search \(query.text.quoted), \(query.place)"
        case .feed(let query): "feed, \(query.place)"
        case .collection(let item, let query): "collection \(item.id.quoted), \(query.place)"
        case .similar(let query): "similar to \(query.image?.name.quoted ?? "nothing"), \(query.place)"
        case .details(let item, _): "details \(item.id.quoted)"
        case .download(let media, let item, _): "download \(media.role.rawValue) of \(item.id.quoted)"
        case .session: "session"
        }
    }

    /// What a listing was asked with.
    fileprivate var query: ProviderQuery? {
        switch self {
        case .search(let query), .feed(let query), .collection(_, let query), .similar(let query): query
        case .details, .download, .session: nil
        }
    }
}

extension ProviderQuery {
    fileprivate var place: String {
        let place = cursor.map { "from \($0.description.prefix(60))" } ?? "page \(page)"
        return "\(place), \(limit) a page"
    }
}

extension OperationResult {
    /// What came of a call, in a phrase.
    func summary(of call: OperationCall, paging: Paging) -> OperationResultSummary {
        switch self {
        case .page(let page):
            let total = page.total.map { " of \($0)" } ?? ""
            let next =
                switch page.next {
                case .end: "the end"
                case .cursor(let cursor): "then from \(cursor.description.prefix(60))"
                case .counted: call.query.flatMap { page.counted(after: $0, by: paging) } ?? "the end"
                }
            let count = page.items.count
            return .init(description: "\(count) item\(count == 1 ? "" : "s")\(total), \(next)")
        case .item(let item): return .init(description: "item \(item.id.quoted), \(item.media.count) media")
        case .download(let media?): return .init(description: "media \(media.url)")
        case .download(nil): return .init(description: "the media as it was")
        // The values are secrets.
        case .session(let session):
            return .init(description: "session with \(session.values.map(\.name).joined(separator: ", "))")
        }
    }
}

extension Page {
    /// The page that follows where the host counts; nil where none does.
    fileprivate func counted(after query: ProviderQuery, by paging: Paging) -> String? {
        guard paging != .none, paging != .cursor, !items.isEmpty,
            query.offset + max(items.count, query.limit) < total ?? .max
        else { return nil }
        return "then page \(query.page + 1)"
    }
}
