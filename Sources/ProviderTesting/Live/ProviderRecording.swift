import HTTPTransport
import ProviderLoading
import ProviderModel

/// Makes a provider's cassettes from live answers.
package enum ProviderRecording {
    /// Records into `cassettes/<id>` beside the file, and says what was written.
    package static func suite(
        of file: ProviderFile, mode: RecordingMode, _ settings: ConformanceSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) recording", isLive: true) {
            subject, suite in
            let recorder = Recorder(
                live: try await LiveSubject(subject, service), mode: mode, today: service.today,
                base: service.transport,
                folder: settings.cassetteFolder(of: file))
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
        let today: CalendarDay
        let base: any Transport
        let folder: String

        /// Runs a call over a recording of its own and writes what is new.
        func record(
            _ name: String, _ call: ProviderCall, pages: Int, into suite: inout TestReport.Suite
        ) async -> [Item] {
            let start = ContinuousClock.now
            let before =
                live.subject.cassettes.first { $0.name == name }
                ?? Cassette(name: name, provider: live.provider.manifest.id)
            let recording = RecordingTransport(over: base, into: before, mode: mode, today: today)
            var problems: [TestReport.Problem] = []
            var items: [Item] = []
            if call.query != nil {
                let walk = await live.walk(call, pages: pages, over: recording)
                items = walk.pages.flatMap(\.items)
                if case .failed(let error) = walk.end { problems.append(TestReport.Problem(error, during: "\(call)")) }
            } else if case .failure(let error) = await live.ask(call, over: recording).result {
                problems.append(TestReport.Problem(error, during: "\(call)"))
            }
            let cassette = recording.cassette
            var note = "\(cassette.entries.count) entries, as they were"
            if recording.hasChanged {
                note = "wrote \(cassette.entries.count) entries to \(folder)/\(name).json"
                do throws(CassetteError) { try cassette.write(into: folder) } catch {
                    problems.append(TestReport.Problem("\(error)"))
                }
            }
            suite.cases.append(
                TestReport.Case(
                    "\(name).json: \(call)", problems.isEmpty ? .passed : .failed, note: note, problems: problems,
                    duration: ContinuousClock.now - start))
            return items
        }
    }
}
