import HTTPTransport
import ProviderModel
import ProviderRuntime

/// What is recorded: one call, or a call of each operation.
package struct RecordingChoice: Sendable {
    /// The one call; nil for a call of each operation.
    package var call: RecordedCall?
    /// The text to search for; nil for that of the recorded search.
    package var text: String?
    /// How many pages of a listing are recorded, and told to be meant; nil for two, whatever follows.
    package var pages: Int?

    /// All pages, as far as a listing is followed.
    package static let allPages = ListingWalk.longest

    /// Creates a choice.
    package init(call: RecordedCall? = nil, text: String? = nil, pages: Int? = nil) {
        self.call = call
        self.text = text
        self.pages = pages
    }
}

/// Makes a provider's cassettes from live answers.
package enum ProviderRecording {
    /// Records into `cassettes/<id>` beside the file, and says what was written.
    package static func suite(
        of file: ProviderFile, mode: RecordingMode, choosing choice: RecordingChoice = RecordingChoice(),
        _ settings: TestSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) recording", isLive: true) {
            subject, suite in
            var recorder = Recorder(
                live: try await LiveSubject(subject, service), mode: mode, choice: choice, service: service,
                folder: settings.cassetteFolder(of: file), cassettes: subject.library.cassettes)
            if let call = choice.call {
                if mode == .once { recorder.mode = .all }
                await recorder.record(call, into: &suite)
            } else {
                await recorder.recordAll(into: &suite)
            }
        }
    }

    private struct Recorder {
        let live: LiveSubject
        var mode: RecordingMode
        let choice: RecordingChoice
        let service: LiveService
        let folder: String
        /// What has been recorded so far: several calls may share a cassette.
        var cassettes: [Cassette]

        private var subject: ConformanceSubject { live.subject }

        /// Records a call of each operation.
        mutating func recordAll(into suite: inout TestReport.Suite) async {
            let given = mode
            // A call that is named is wanted as it is now.
            if choice.text != nil, mode == .once { mode = .all }
            var items: [Item] = []
            if let search = live.recordedSearch(for: choice.text) {
                items += await record("search", search, pages: choice.pages ?? 2, into: &suite)
            } else if live.provider.manifest.description(of: .search) != nil {
                suite.cases.append(missingText)
            }
            if choice.text != nil { await recordDetails(of: items, into: &suite) }
            mode = given
            if let feed = live.feed {
                items += await record("feed", feed, pages: choice.pages ?? 1, into: &suite)
            }
            if choice.text == nil { await recordDetails(of: items, into: &suite) }
            if let empty = live.emptySearch { _ = await record("empty", empty, pages: 1, into: &suite) }
            for known in subject.recorded where known.call.operation == .collection {
                _ = await record("collection", known.call, pages: choice.pages ?? 2, into: &suite)
            }
        }

        /// Records one call, and the details of one of its items.
        mutating func record(_ recorded: RecordedCall, into suite: inout TestReport.Suite) async {
            let listed = subject.recordedItems.first { $0.item.id == recorded.item }?.item
            guard let call = ProviderCall(recorded, listed: listed, of: live.provider.manifest),
                live.provider.manifest.description(of: recorded.operation) != nil
            else {
                let what = listed == nil && recorded.operation == .download ? "item in the recordings" : "operation"
                let problem = TestReport.Problem(
                    "\(recorded): the provider has no such \(what)",
                    hint: what == "operation" ? nil : "record a search or a feed that has the item first")
                suite.cases.append(TestReport.Case("\(recorded)", .failed, problems: [problem]))
                return
            }
            let items = await record(
                recorded.operation.rawValue, call, pages: choice.pages ?? 2, into: &suite)
            if call.query != nil { await recordDetails(of: items, into: &suite) }
        }

        /// Records the details of a listed item, the recorded ones where they are of one.
        private mutating func recordDetails(of items: [Item], into suite: inout TestReport.Suite) async {
            guard let details = live.details(after: items) else { return }
            _ = await record("details", details, pages: 1, into: &suite)
        }

        private var missingText: TestReport.Case {
            TestReport.Case(
                "search.json", .failed,
                problems: [
                    TestReport.Problem(
                        "no text to search for: found no recorded search (expected a text)",
                        hint: .recordCall(Hint.CallToRecord(.search, text: "TEXT"), file: subject.provider.file.path))
                ])
        }

        /// Runs a call over a recording of its own and writes what is new.
        private mutating func record(
            _ operation: String, _ call: ProviderCall, pages: Int, into suite: inout TestReport.Suite
        ) async -> [Item] {
            let start = ContinuousClock.now
            var recorded = call.recorded(of: live.provider.manifest)
            let name = cassette(of: recorded) ?? operation
            let before =
                cassettes.first { $0.name == name }
                ?? Cassette(name: name, provider: live.provider.manifest.id)
            if call.query != nil, operation != "empty", choice.pages != RecordingChoice.allPages {
                recorded.pages = choice.pages
            }
            let recording = RecordingTransport(
                over: service.transport, into: before, of: recorded, mode: mode, today: service.today)
            let (items, error) = await items(of: call, pages: pages, over: recording)
            var problems = error.map { [problem($0, during: call)] } ?? []
            // An error that the service gives today must not stand where its answer was, nor a page that is full where one
            // is to be empty.
            let isFull = name == "empty" && !items.isEmpty
            let cassette =
                isFull
                ? before : problems.isEmpty ? recording.cassette : recording.unprunedCassette.salvaged(over: before)
            cassettes.removeAll { $0.name == name }
            cassettes.append(cassette)
            let entries = cassette.entries.count.counted("entry", plural: "entries")
            var note = cassette.entries.isEmpty ? "nothing was recorded" : "\(entries), as before"
            if recording.hasChanged, cassette.text != before.text {
                note = "wrote \(entries) to \(folder)/\(name).json"
                do throws(ProviderError) { try cassette.write(into: folder) } catch {
                    problems.append(TestReport.Problem("\(error)"))
                }
            }
            var outcome = problems.isEmpty ? TestReport.Outcome.passed : .failed
            if problems.isEmpty, call.query != nil, let doubt = doubt(about: items, of: call, in: name) {
                (outcome, problems) = (.warning, [doubt])
            }
            suite.cases.append(
                TestReport.Case(
                    "\(name).json: \(call)", outcome, note: note, problems: problems,
                    duration: ContinuousClock.now - start))
            return items
        }

        /// Makes the call; the items of its pages, and what went wrong.
        private func items(
            of call: ProviderCall, pages: Int, over recording: RecordingTransport
        ) async -> ([Item], (any Error)?) {
            guard call.query != nil else {
                switch await live.ask(call, over: recording).result {
                case .success(let result): return (result.items, nil)
                case .failure(let error): return ([], error)
                }
            }
            let walk = await live.walk(call, pages: pages, over: recording)
            return (walk.pages.flatMap(\.items), walk.error)
        }

        /// The cassette that has a call already; an error that was recorded for it stays.
        private func cassette(of call: RecordedCall) -> String? {
            CassetteLibrary(cassettes).recordings.first {
                $0.cassette != "errors" && $0.call.isSame(as: call, withAnyLimit: true)
            }?.cassette
        }

        /// A listing that shows nothing is no recording to test with, but for the one that is to be empty.
        private func doubt(about items: [Item], of call: ProviderCall, in cassette: String) -> TestReport.Problem? {
            guard (cassette == "empty") != items.isEmpty else { return nil }
            guard items.isEmpty else {
                return TestReport.Problem(
                    "\(call): found \(items.count.counted("item")), expected none; not recorded",
                    hint: "record a search that finds nothing into empty.json, if the source has one")
            }
            return TestReport.Problem(
                "\(call): recorded 0 items",
                hint: call.operation == .search
                    ? .several([
                        .recordCall(Hint.CallToRecord(.search, text: "TEXT"), file: subject.provider.file.path),
                        "choose a text that the source finds",
                    ]) : "check the request, or record it when the source lists something")
        }

        private func problem(_ error: any Error, during call: ProviderCall) -> TestReport.Problem {
            var problem = TestReport.Problem(error, during: "\(call)")
            if error is UnmatchedRequest, mode == .once {
                problem.hint = .several([.record(.missing, file: nil), .record(.all, file: nil)])
            }
            return problem
        }
    }
}

extension Cassette {
    /// What is worth keeping of a recording whose call failed: answers with a good status, and what was there before.
    ///
    /// An answer that is no longer JSON does not take the place of one that was: it is a page that says why.
    fileprivate func salvaged(over before: Cassette) -> Cassette {
        var kept = self
        kept.entries = entries.enumerated().compactMap { index, entry in
            let isGood = (200..<300).contains(entry.status)
            guard index < before.entries.count else { return isGood ? entry : nil }
            let known = before.entries[index]
            let isSameKind = JSONValue.found(in: entry.content) != nil || JSONValue.found(in: known.content) == nil
            return isGood && isSameKind ? entry : known
        }
        return kept
    }
}
