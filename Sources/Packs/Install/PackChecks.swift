import Glibc
import ProviderTesting

/// Everything a pack can show of itself in the sandbox: what holds for all providers, and its own tests.
package enum PackChecks {
    /// Runs all of it over the pack's recordings; nothing leaves the machine, and nothing is written.
    package static func run(
        _ manifest: PackManifest, in folder: String, conformance: ConformanceSettings, expectations: ExpectationSettings
    ) async throws -> TestReport {
        var report = try await PackConformance.run(manifest, in: folder, settings: conformance)
        var expectations = expectations
        // Snapshots belong to the pack: one that is missing is a failure, not a file to be written.
        expectations.snapshots = .none
        for file in manifest.providerFiles(in: folder) where access("\(file.folder)/\(file.id).test.js", F_OK) == 0 {
            try Task.checkCancellation()
            report.suites.append(await ProviderExpectations.suite(of: file, expectations))
        }
        return report
    }
}
