import Glibc
import Packs
import ProviderRuntime
import ProviderTesting

/// Everything that a pack can show in the sandbox: the conformance of its providers, and its own tests.
enum PackChecks {
    /// Runs all of it over the pack's cassettes; nothing leaves the machine, and nothing is written.
    static func run(
        _ manifest: PackManifest, in folder: String, settings: TestSettings
    ) async throws -> TestReport {
        var settings = settings
        // Snapshots belong to the pack: one that is missing is a failure, not a file to be written.
        settings.snapshots = .none
        let files = manifest.providerFiles(in: folder)
        var report = TestReport()
        for file in files {
            try Task.checkCancellation()
            report.suites.append(await ProviderConformance.suite(of: file, settings))
        }
        for file in files where access("\(file.folder)/\(file.id).test.js", F_OK) == 0 {
            try Task.checkCancellation()
            report.suites.append(await ProviderExpectations.suite(of: file, settings))
        }
        return report
    }

    /// Throws when a report has failures: how many there are, and the first of them.
    static func require(_ report: TestReport, of name: PackName) throws(PackError) {
        let failures = report.failures
        guard let first = failures.first else { return }
        throw PackError(
            .conformance,
            failures.count == 1
                ? "a check of its providers failed: \(first)"
                : "\(failures.count) checks of its providers failed, the first: \(first)",
            subject: name.description, hint: .testPack)
    }
}
