import ProviderModel
import ProviderRuntime

/// How old recordings are.
package enum CassetteAge {
    /// The cassettes of a file, with a warning for each that has entries older than so many days.
    package static func suite(
        of file: ProviderFile, _ settings: ConformanceSettings, today: CalendarDay, oldest days: Int
    ) -> TestReport.Suite {
        let name = "recordings are younger than \(days) days"
        var suite = TestReport.Suite("\(file.id) cassettes", provider: file.id.description, folder: file.folder)
        do throws(CassetteError) {
            let cassettes = try Cassette.all(in: settings.cassetteFolder(of: file))
            let problems = warnings(cassettes, today: today, oldest: days).map { TestReport.Problem($0) }
            let dated = cassettes.flatMap(\.entries).compactMap(\.recorded).count
            let outcome: TestReport.Outcome = !problems.isEmpty ? .warning : dated == 0 ? .skipped : .passed
            let note = dated == 0 ? "no entry says when it was recorded" : "\(dated) dated entries"
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
                + "(\(today.number - oldest.number) days); record again with imgscript test --record --mode all"
        }
    }
}
