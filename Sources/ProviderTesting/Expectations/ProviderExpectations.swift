import FoundationEssentials
import ProviderModel
import ProviderRuntime

/// Runs the test files beside providers: `pixabay.test.js` beside `pixabay.js`.
///
/// They run in the sandbox of their provider, and its cassettes answer requests.
///
/// ```swift
/// @Test func pixabayMeetsItsTests() async {
///     #expect(await ProviderExpectations.run(file: "providers/pixabay.test.js").failures == [])
/// }
/// ```
public enum ProviderExpectations {
    /// Runs a test file, the one beside a provider's file, or every one in a folder.
    ///
    /// - Parameters:
    ///   - path: a test file (`pixabay.test.js`), a provider's file (`pixabay.js`), or a folder.
    ///   - settings: worker, limits, and the tests that run.
    /// - Returns: a report with a suite for each provider that has tests; without suites where there is none.
    public static func run(
        file path: String, settings: TestSettings = TestSettings()
    ) async -> TestReport {
        var report = TestReport()
        for provider in providers(at: path) {
            report.suites.append(await suite(of: provider, settings))
            if settings.stopsAtFailure, report.hasFailed { break }
        }
        return report
    }

    /// The providers with test files that a path stands for: a test file, a provider's file, or a folder.
    package static func providers(at path: String) -> [ProviderFile] {
        let file = path.hasSuffix(".test.js") ? String(path.dropLast(".test.js".count)) + ".js" : path
        return ProviderConformance.files(at: file).filter { provider in
            // A test file that was named is run, so that one that is not there is reported.
            path.hasSuffix(".test.js") || hasTests(provider)
        }
    }

    /// Whether a provider has a test file.
    package static func hasTests(_ provider: ProviderFile) -> Bool {
        FileManager.default.fileExists(atPath: provider.folder.path(to: "\(provider.id).test.js"))
    }

    /// What came of one provider's test file.
    package static func suite(of provider: ProviderFile, _ settings: TestSettings) async -> TestReport.Suite {
        do {
            let library = try settings.library(of: provider)
            return await ExpectationRun(provider: provider, over: library, settings: settings).suite()
        } catch {
            return TestReport.Suite(
                "\(provider.nameInPack.dropLast(3)).test.js", provider: provider.id.description,
                folder: provider.folder, cases: [TestReport.Case(failed: "the cassettes are readable", error)])
        }
    }

    /// What came of one provider's test file against the real service.
    package static func suite(
        of provider: ProviderFile, live service: LiveService, _ settings: TestSettings
    ) async -> TestReport.Suite {
        await ExpectationRun(provider: provider, live: service, settings: settings).suite()
    }
}
