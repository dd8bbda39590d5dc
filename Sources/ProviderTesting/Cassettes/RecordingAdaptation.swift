import HTTPTransport
import ProviderModel
import ProviderRuntime
import Synchronization

/// Lets recorded responses answer the requests that a provider makes now, where its author says that they stay the same:
/// only the page size or parameters without influence on the response differ.
package enum RecordingAdaptation {
    /// Whether a response may stand for a request with these changes.
    ///
    /// A text, an item, a page or a cursor that differs asks for another response, and so does a parameter with another
    /// name: the source would not know it.
    package static func allows(_ changes: [RequestDifference.Change], for call: ProviderCall) -> Bool {
        guard !changes.isEmpty else { return false }
        // What one side alone has, where the other has something else, is likely the same under another name.
        let isRenamed = changes.contains { $0.recorded == nil } && changes.contains { $0.requested == nil }
        return !isRenamed && changes.allSatisfy { allows($0, for: call) }
    }

    /// Names of parameters that lead to another page.
    private static let places: Set<String> = [
        "page", "p", "offset", "start", "skip", "from", "cursor", "after", "before", "token", "next",
    ]

    private static func allows(_ change: RequestDifference.Change, for call: ProviderCall) -> Bool {
        let name: String
        switch change.part {
        case .address, .body: return false
        case .pair(let pair): name = pair
        case .member(let path): name = path.split(separator: ".").last.map(String.init) ?? path
        }
        guard let recorded = change.recorded, let requested = change.requested else {
            let value = change.recorded ?? change.requested ?? ""
            return !places.contains(name.lowercased()) && !asked(by: call).contains { value.contains($0) }
        }
        guard Int(recorded) != nil, let number = Int(requested) else { return false }
        return number == call.query?.limit || LimitsCheck.isSizeName(name)
    }

    /// The words of a call that a request has to send.
    private static func asked(by call: ProviderCall) -> [String] {
        var words = [call.query?.text, call.query?.cursor?.description, call.item?.id].compactMap(\.self)
        words += (call.query?.parameters ?? []).compactMap { parameter in
            if case .text(let text) = parameter.value { text } else { nil }
        }
        return words.filter { !$0.isEmpty }
    }

    /// Rewrites the recorded requests of the calls that have no response, and says which.
    package static func suite(of file: ProviderFile, _ settings: TestSettings) async -> TestReport.Suite {
        var settings = settings
        let uses = CassetteUses()
        settings.uses = uses
        let folder = settings.cassetteFolder(of: file)
        return await ConformanceSubject.withSubject(file, settings, named: "\(file.id) adaptation") { subject, suite in
            let start = ContinuousClock.now
            let transport = AdaptingTransport(subject.library, keeping: uses.used)
            var problems: [TestReport.Problem] = []
            for (recorded, error) in subject.unreadCalls where error is UnmatchedRequest {
                guard let call = ProviderCall(recorded, of: subject.manifest) else { continue }
                if let error = await adapt(call, on: subject, over: transport) {
                    let hint = Hint.recordCall(subject.toRecord(recorded), file: file.path)
                    problems.append(TestReport.Problem(error, during: "\(recorded)", hint: hint))
                }
            }
            let changed = transport.changed
            for cassette in changed.cassettes {
                do throws(ProviderError) { try cassette.write(into: folder) } catch {
                    problems.append(TestReport.Problem("\(error)"))
                }
            }
            let count = changed.lines.count.counted("request")
            suite.cases.append(
                TestReport.Case(
                    "recorded requests are adapted", problems.isEmpty ? .passed : .failed,
                    note: changed.lines.isEmpty ? "nothing to adapt" : "\(count) in \(folder)", problems: problems,
                    duration: ContinuousClock.now - start, output: changed.lines))
        }
    }

    /// Makes a call, and the pages after it; returns the request of its first page that no response may stand for.
    private static func adapt(
        _ call: ProviderCall, on subject: ConformanceSubject, over transport: AdaptingTransport
    ) async -> UnmatchedRequest? {
        let ask = { (call: ProviderCall) in
            transport.begin(call)
            return await subject.stub.capture(call, of: subject.provider) { request, _ in
                try await transport.send(request)
            }.result
        }
        guard call.query != nil else {
            if case .failure(let error) = await ask(call) { return error as? UnmatchedRequest }
            return nil
        }
        let walk = await ListingWalk(of: call, in: subject.manifest, most: ListingWalk.longest, ask)
        return walk.pages.isEmpty ? walk.error as? UnmatchedRequest : nil
    }
}

/// Answers from cassettes, and rewrites the request of an entry whose response may stand for one that has none.
private final class AdaptingTransport: Transport {
    private struct State {
        var cassettes: [Cassette]
        var call: ProviderCall?
        var changed: Set<String> = []
        var lines: [String] = []
        var used: Set<Cassette.Place> = []
    }

    /// Entries that other calls need as they are.
    private let kept: Set<Cassette.Place>
    private let state: Mutex<State>

    init(_ library: CassetteLibrary, keeping kept: Set<Cassette.Place>) {
        self.kept = kept
        state = Mutex(State(cassettes: library.cassettes))
    }

    /// Begins a call, whose arguments say what may differ.
    func begin(_ call: ProviderCall) { state.withLock { $0.call = call } }

    /// The cassettes that are other ones now, and a line for each request.
    var changed: (cassettes: [Cassette], lines: [String]) {
        state.withLock { state in (state.cassettes.filter { state.changed.contains($0.name) }, state.lines) }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try state.withLock { state in
            let library = CassetteLibrary(state.cassettes)
            let nearest = library.nearest(to: request)
            if let same = nearest.first(where: { $0.difference.isNone && !state.used.contains($0.place) })
                ?? nearest.first(where: \.difference.isNone)
            {
                state.used.insert(same.place)
                return same.entry.response(to: request)
            }
            guard let call = state.call,
                let found = nearest.first(where: { RecordingAdaptation.allows($0.difference.changes, for: call) })
            else { throw UnmatchedRequest(request, candidates: library.candidates(for: request)) }
            adapt(found.place, found.entry, to: request, found.difference, &state)
            return found.entry.response(to: request)
        }
    }

    private func adapt(
        _ place: Cassette.Place, _ entry: Cassette.Entry, to request: TransportRequest,
        _ difference: RequestDifference, _ state: inout State
    ) {
        guard let index = state.cassettes.firstIndex(where: { $0.name == place.cassette }) else { return }
        let redaction = CassetteRedaction(credentials: request.credentials)
        var adapted = entry.answering(url: redaction.url(request.url), body: redaction.content(request.body))
        if kept.contains(place) {
            adapted.calls = []
            state.cassettes[index].entries.append(adapted)
        } else {
            state.cassettes[index].entries[place.index] = adapted
        }
        state.changed.insert(place.cassette)
        state.lines.append("\(place): \(difference.lines.joined(separator: "; "))")
    }
}
