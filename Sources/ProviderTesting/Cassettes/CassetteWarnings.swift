import ProviderModel
import ProviderRuntime
import Synchronization

/// A provider's cassettes, read once for all runs, and which of their entries are used.
package final class CassetteUses: Sendable {
    private struct State {
        var library: CassetteLibrary?
        var used: Set<Cassette.Place> = []
        /// The files of recorded items: samples are downloaded from their entries.
        var files: Set<WebURL> = []
    }

    private let state: Mutex<State>

    /// Cassettes that are read when they are first wanted, or are there already.
    package init(of library: CassetteLibrary? = nil) { state = Mutex(State(library: library)) }

    /// The cassettes of a folder.
    func library(in folder: String) throws(ProviderError) -> CassetteLibrary {
        if let known = state.withLock({ $0.library }) { return known }
        let library = try CassetteLibrary(folder: folder)
        state.withLock { $0.library = library }
        return library
    }

    /// Notes that an answer was needed.
    package func note(_ place: Cassette.Place) { state.withLock { _ = $0.used.insert(place) } }

    /// Notes the files of items, whose entries samples need.
    func note(files: [WebURL]) { state.withLock { $0.files.formUnion(files) } }

    /// The entries that were needed.
    var used: Set<Cassette.Place> { state.withLock { $0.used } }

    /// A warning about entries that no request uses; nil where all are used.
    package var warning: TestReport.Case? {
        let unused = state.withLock { state in
            (state.library?.cassettes ?? []).flatMap { cassette in
                zip(cassette.places, cassette.entries).filter { place, entry in
                    !state.used.contains(place) && !state.files.contains(entry.url)
                }.map(\.0)
            }
        }
        var findings = CheckFindings()
        for place in unused {
            findings.warn(
                "\(place): no test uses \(place.request)", hint: "remove it, or write a test that uses it")
        }
        guard !unused.isEmpty else { return nil }
        return TestReport.Case("every recorded response is used", .warning, problems: findings.problems)
    }
}

/// Warnings about old recordings.
package enum CassetteAge {
    /// The cassettes of a file, with a warning for each that has entries older than so many days.
    package static func suite(
        of file: ProviderFile, _ settings: TestSettings, today: CalendarDay, oldest days: Int
    ) -> TestReport.Suite {
        let name = "recordings are younger than \(days) days"
        var suite = TestReport.Suite("\(file.id) cassettes", provider: file.id.description, folder: file.folder)
        do throws(ProviderError) {
            let cassettes = try settings.library(of: file).cassettes
            let problems = warnings(cassettes, today: today, oldest: days).map {
                TestReport.Problem($0, hint: .record(.all, file: file.path))
            }
            let dated = cassettes.flatMap(\.entries).compactMap(\.recorded).count
            let outcome: TestReport.Outcome = !problems.isEmpty ? .warning : dated == 0 ? .skipped : .passed
            let note = dated == 0 ? "no entry has the day of its recording" : "\(dated) dated entries"
            suite.cases.append(TestReport.Case(name, outcome, note: note, problems: problems))
        } catch {
            suite.cases.append(TestReport.Case(name, .failed, problems: [TestReport.Problem("\(error)")]))
        }
        return suite
    }

    /// A sentence for each cassette with recordings older than so many days; what was written by hand has no age.
    package static func warnings(_ cassettes: [Cassette], today: CalendarDay, oldest days: Int) -> [String] {
        cassettes.compactMap { cassette in
            let ages = cassette.entries.compactMap { $0.recorded }.filter { today.number - $0.number > days }
            guard let oldest = ages.min() else { return nil }
            let count = ages.count == 1 ? "1 entry is" : "\(ages.count) entries are"
            return "\(cassette.name).json: \(count) older than \(days) days, the oldest of \(oldest) "
                + "(\(today.number - oldest.number) days)"
        }
    }
}
