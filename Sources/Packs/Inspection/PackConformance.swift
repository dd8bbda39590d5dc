import ProviderRuntime
import ProviderTesting

/// The conformance of a whole pack: each of its providers, over the cassettes beside its file.
package enum PackConformance {
    /// Runs all checks on all providers; `onSuite` hears of each as it ends.
    package static func run(
        _ manifest: PackManifest, in folder: String, settings: ConformanceSettings,
        onSuite: @Sendable (TestReport.Suite) async -> Void = { _ in }
    ) async throws -> TestReport {
        var report = TestReport()
        for file in manifest.providerFiles(in: folder) {
            try Task.checkCancellation()
            let suite = await ProviderConformance.suite(of: file, settings)
            report.suites.append(suite)
            await onSuite(suite)
        }
        return report
    }

    /// Throws when a report has failures: how many there are, and the first of them.
    package static func require(_ report: TestReport, of name: PackName) throws(PackError) {
        guard let first = report.failures.first else { return }
        let count = report.failures.count
        throw PackError(
            .conformance,
            count == 1
                ? "a check of its providers failed: \(first)"
                : "\(count) checks of its providers failed, the first: \(first)",
            subject: name.description, hint: "imgscript pack run-tests shows them all")
    }
}
