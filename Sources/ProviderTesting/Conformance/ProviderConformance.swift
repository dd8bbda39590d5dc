import FoundationEssentials
import ProviderModel
import ProviderRuntime

/// Runs the checks that hold for all providers on a provider's file, over its recorded responses.
///
/// No test file is needed, and no request is sent: the cassettes beside the file answer.
///
/// ```swift
/// @Test func pixabayConforms() async {
///     #expect(await ProviderConformance.run(file: "providers/pixabay.js").failures == [])
/// }
/// ```
public enum ProviderConformance {
    /// Every check, in the order they run: those that measure first, those that break things last.
    static let checks: [any ConformanceCheck] = [
        ManifestCheck(), RecordedAnswersCheck(), CostCheck(), PurityCheck(), HostileQueriesCheck(), LimitsCheck(),
        PointCheck(), PagingRequestCheck(), PagesCheck(), EndingCheck(), EmptyPageCheck(), ErrorAnswersCheck(),
        RecordedErrorsCheck(),
        RecordedLoginCheck(),
        MediaHostsCheck(), IdentityCheck(), SizesCheck(), MediaKindsCheck(), DatesCheck(), MissingValueCheck(),
        MisspeltFieldsCheck(), ResponseFactsCheck(), SecretsCheck(), MutationCheck(), HostsCheck(),
    ]

    /// How many checks there are.
    package static var checkCount: Int { checks.count }

    /// Checks the provider in a file, or every provider in a folder.
    ///
    /// - Parameters:
    ///   - path: a provider's file (`pixabay.js`), or a folder.
    ///   - settings: worker, limits, and the checks that run.
    /// - Returns: a report with a suite for each provider; where `path` has none, with a failed case that says so.
    public static func run(
        file path: String, settings: TestSettings = TestSettings()
    ) async -> TestReport {
        var report = TestReport()
        for file in files(at: path) { report.suites.append(await suite(of: file, settings)) }
        if report.suites.isEmpty { report.suites.append(missing(path)) }
        return report
    }

    /// The provider files that a path stands for: a file, or those of a folder.
    package static func files(at path: String) -> [ProviderFile] {
        let trimmed = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
        guard trimmed.hasSuffix(".js") else { return ProviderDirectory(folders: [trimmed]).entries().map(\.file) }
        let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        let name = String(parts[parts.count - 1].dropLast(3))
        return ProviderID(name).map { [ProviderFile(id: $0, folder: folder.isEmpty ? "/" : folder)] } ?? []
    }

    /// The conformance of one file.
    package static func suite(of file: ProviderFile, _ settings: TestSettings) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) conformance") { subject, suite in
            for check in checks where settings.selects(check.name, of: file.id) {
                suite.cases.append(await check.result(on: subject))
                if settings.stopsAtFailure, suite.cases.last?.outcome == .failed { break }
            }
            settings.uses?.note(files: subject.recordedItems.flatMap(\.item.media).map(\.url))
        }
    }

    private static func missing(_ path: String) -> TestReport.Suite {
        TestReport.Suite(
            path, provider: "", folder: "",
            cases: [TestReport.Case("the file exists", .failed, problems: [nothing(at: path)])])
    }

    /// The problem of a path without providers.
    package static func nothing(at path: String) -> TestReport.Problem {
        let example = "a file such as providers/pixabay.js, a folder with some, or a pack"
        guard FileManager.default.fileExists(atPath: path) else {
            return TestReport.Problem(
                "no such file or folder: \(path.quoted) (expected \(example))")
        }
        return TestReport.Problem(
            "no provider in \(path) (expected \(example))",
            hint: .plain(ProviderID.fileNaming))
    }
}
