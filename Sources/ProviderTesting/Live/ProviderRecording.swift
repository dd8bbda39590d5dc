import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Makes a provider's cassettes from live answers.
package enum ProviderRecording {
    /// Records into `cassettes/<id>` beside the file, and says what was written.
    package static func suite(
        of file: ProviderFile, mode: RecordingMode, _ settings: TestSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) recording", isLive: true) {
            subject, suite in
            var recorder = Recorder(
                live: try await LiveSubject(subject, service), mode: mode, service: service,
                folder: settings.cassetteFolder(of: file), cassettes: subject.library.cassettes)
            var items: [Item] = []
            if let search = recorder.live.search {
                items += await recorder.record("search", search, pages: 2, into: &suite)
            }
            if let feed = recorder.live.feed { items += await recorder.record("feed", feed, pages: 1, into: &suite) }
            if let details = recorder.live.details(after: items) {
                _ = await recorder.record("details", details, pages: 1, into: &suite)
            }
            if let empty = recorder.live.emptySearch {
                _ = await recorder.record("empty", empty, pages: 1, into: &suite)
            }
            for known in subject.recorded where known.call.operation == .collection {
                _ = await recorder.record("collection", known.call, pages: 2, into: &suite)
            }
        }
    }

    private struct Recorder {
        let live: LiveSubject
        let mode: RecordingMode
        let service: LiveService
        let folder: String
        /// What has been recorded so far: several calls may share a cassette.
        var cassettes: [Cassette]

        /// Runs a call over a recording of its own and writes what is new.
        mutating func record(
            _ name: String, _ call: ProviderCall, pages: Int, into suite: inout TestReport.Suite
        ) async -> [Item] {
            let start = ContinuousClock.now
            let before =
                cassettes.first { $0.name == name }
                ?? Cassette(name: name, provider: live.provider.manifest.id)
            let recording = RecordingTransport(
                over: service.transport, into: before, of: call.recorded(of: live.provider.manifest), mode: mode,
                today: service.today)
            var problems: [TestReport.Problem] = []
            var items: [Item] = []
            if call.query != nil {
                let walk = await live.walk(call, pages: pages, over: recording)
                items = walk.pages.flatMap(\.items)
                if let error = walk.error { problems.append(problem(error, during: call)) }
            } else if case .failure(let error) = await live.ask(call, over: recording).result {
                problems.append(problem(error, during: call))
            }
            // An error that the service gives today must not stand where its answer was.
            let cassette = problems.isEmpty ? recording.cassette : recording.cassette.salvaged(over: before)
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
            suite.cases.append(
                TestReport.Case(
                    "\(name).json: \(call)", problems.isEmpty ? .passed : .failed, note: note, problems: problems,
                    duration: ContinuousClock.now - start))
            return items
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
