import ImgScriptKit
import ProviderTesting

/// Runs the tests of files one after the other, and reports each as it ends.
struct TestRun {
    /// What is done with each file.
    enum Kind {
        /// Everything that holds for all providers, over recorded answers.
        case conformance
        /// Cassettes are made.
        case record(RecordingMode)
        /// What can be asked of the real service.
        case live
        /// Live answers are compared with recorded ones.
        case drift
        /// A cassette is made out of an archive of a browser.
        case harImport(String, name: String?)
    }

    let kind: Kind
    let settings: ConformanceSettings
    let expectations: ExpectationSettings
    /// The age in days from which a recording is told of; nil for any.
    let oldestRecording: Int?
    let stopsAtFailure: Bool
    let engine: ImgScript

    /// The report on everything that the paths stand for.
    func report(on paths: [String], through reporter: any Reporter, into sink: ReportSink) async throws -> TestReport {
        var report = TestReport()
        var number = 1
        try sink.write(reporter.beginning())
        for path in paths {
            for suite in try await suites(at: path) {
                let suite = try await suite()
                report.suites.append(suite)
                try sink.write(reporter.text(of: suite, first: number))
                number += suite.cases.count
                if stopsAtFailure, suite.cases.contains(where: { $0.outcome == .failed }) {
                    try sink.write(reporter.ending(of: report))
                    return report
                }
            }
        }
        try sink.write(reporter.ending(of: report))
        return report
    }

    /// What runs at a path, each piece when its turn comes.
    private func suites(at path: String) async throws -> [() async throws -> TestReport.Suite] {
        if path.hasSuffix(".test.js") { return expected(at: path, try liveService()) }
        let files = ProviderConformance.files(at: path)
        guard !files.isEmpty else {
            return [{ await ProviderConformance.run(file: path, settings: settings).suites[0] }]
        }
        let service = try liveService()
        return files.flatMap { file -> [() async throws -> TestReport.Suite] in
            let main: () async throws -> TestReport.Suite = {
                switch (kind, service) {
                case (.record(let mode), let service?):
                    await ProviderRecording.suite(of: file, mode: mode, settings, service)
                case (.live, let service?): await LiveConformance.suite(of: file, settings, service)
                case (.drift, let service?): await ProviderDrift.suite(of: file, settings, service)
                case (.harImport(let archive, let name), _):
                    await HARImport(archive: archive, name: name, credentials: engine.userCredentials)
                        .suite(of: file, settings)
                default: await ProviderConformance.suite(of: file, settings)
                }
            }
            let pieces = [main] + expected(at: file.path, service)
            guard let days = oldestRecording else { return pieces }
            return pieces + [{ CassetteAge.suite(of: file, settings, today: ImgScript.today, oldest: days) }]
        }
    }

    /// What a provider's own test file expects, over recorded answers or the service's own.
    private func expected(at path: String, _ service: LiveService?) -> [() async throws -> TestReport.Suite] {
        switch (kind, service) {
        case (.conformance, _):
            ProviderExpectations.providers(at: path).map { provider in
                { await ProviderExpectations.suite(of: provider, expectations) }
            }
        case (.live, let service?):
            ProviderExpectations.providers(at: path).map { provider in
                { await ProviderExpectations.suite(of: provider, live: service, expectations) }
            }
        default: []
        }
    }

    private func liveService() throws -> LiveService? {
        switch kind {
        case .conformance, .harImport: nil
        case .record, .live, .drift: try engine.liveService()
        }
    }
}
