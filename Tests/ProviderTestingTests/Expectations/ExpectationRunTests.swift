import Foundation
import ProviderModel
import ProviderRuntime
import ProviderTesting
import TestSupport
import Testing

@Suite("Test files run over cassettes and are reported", .serialized)
struct ExpectationRunTests {
    @Test func passedFailedAndSkippedAreReported() async throws {
        let made = try ExpectedProvider(
            """
            describe('search', () => {
              test('finds', () => { expect(run.search('tea').items).toHaveLength(1); });
              test('fails', () => {
                console.log('looking');
                expect(run.search('tea').items[0]).toEqual({ id: '1', type: 'image', media: [], title: 'Coffee' });
              });
              test.skip('later', () => {});
            });
            """)
        let suite = await made.suite()
        #expect(suite.name == "made.test.js" && suite.provider == "made")
        #expect(suite.cases.map(\.fullName) == ["search › finds", "search › fails", "search › later"])
        #expect(suite.cases.map(\.outcome) == [.passed, .failed, .skipped])
        let problem = try #require(suite.cases[1].problems.first)
        #expect(problem.location == SourceLocation(file: "made.test.js", line: 5, column: 47))
        #expect(
            problem.diff
                == " {\n   \"id\": \"1\",\n   \"media\": [],\n-  \"title\": \"Coffee\",\n+  \"title\": \"Tea\",\n   \"type\": \"image\",\n }"
        )
        #expect(suite.cases[1].output == ["info: looking"])
        #expect(suite.cases[2].note == "marked with skip")
    }

    @Test func requestWithoutARecordingFailsTheTestEvenWhereItExpectsAnError() async throws {
        let made = try ExpectedProvider(
            """
            test('caught', () => { expect(() => run.search('water')).toThrow(); });
            test('not caught', () => { run.search('water'); });
            """)
        let suite = await made.suite()
        #expect(suite.cases.map(\.outcome) == [.failed, .failed])
        for test in suite.cases {
            #expect(test.problems.count == 1)
            let message = test.problems.first?.message ?? ""
            #expect(message.contains("no recorded response to GET https://a.example/search?q=water"))
            #expect(message.contains("search.json entries[0] differs"))
        }
    }

    @Test func namedCassettesAreTheOnlyOnesAsked() async throws {
        let made = try ExpectedProvider(
            """
            test('other', () => { cassette('errors'); expect(() => run.search('tea')).toThrow('rate'); });
            test('wrong name', () => { cassette('serach'); run.search('tea'); });
            """)
        let cases = await made.suite().cases
        #expect(cases[0].problems == [])
        #expect(
            cases[1].problems.first?.message.contains("unknown cassette \"serach\"; did you mean \"search\"?")
                == true
        )
    }

    @Test func pagesAreMatchedAsInProduction() async throws {
        let made = try ExpectedProvider(
            """
            test('match', () => {
              expect(run.match('https://a.example/items/7')).toEqual({ id: '7', type: 'image', media: [], page: 'https://a.example/items/7' });
              expect(run.match('https://a.example/')).toBeNull();
            });
            """)
        #expect(await made.suite().cases.flatMap(\.problems) == [])
    }

    @Test func filterRunsOnlyWhatItNames() async throws {
        let made = try ExpectedProvider("test('a', () => { throw new Error('x'); }); test('b', () => {});")
        let cases = await made.suite { $0.filter = "B" }.cases
        #expect(cases.map(\.name) == ["b"])
    }

    @Test func runEndsWithItsFirstFailureWhereAsked() async throws {
        let made = try ExpectedProvider("test('a', () => { throw new Error('x'); }); test('b', () => {});")
        let cases = await made.suite { $0.stopsAtFailure = true }.cases
        #expect(cases.map(\.outcome) == [.failed, .skipped])
        #expect(cases[1].note == "not run: an earlier test failed")
    }

    @Test func snapshotIsKeptComparedUpdatedAndReportedObsolete() async throws {
        let made = try ExpectedProvider(
            "test('a', () => { expect(run.search('tea').items[0].title).toMatchSnapshot(); });")
        #expect(
            await made.suite { $0.snapshots = .none }.cases[0].problems.map(\.message) == [
                "no snapshot \"a 1\" to compare with"
            ])
        #expect(made.snapshots == nil)
        #expect(await made.suite().cases[0].note == "1 snapshot kept")
        #expect(made.snapshots?.contains("\"a 1\": \"Tea\"") == true)
        #expect(await made.suite().cases.map(\.outcome) == [.passed])

        try made.write("test('a', () => { expect('Coffee').toMatchSnapshot(); });")
        let failed = try #require(await made.suite().cases[0].problems.first)
        #expect(failed.message == "toMatchSnapshot: the value is not the one kept as \"a 1\"")
        #expect(failed.diff == "-\"Tea\"\n+\"Coffee\"")
        #expect(await made.suite { $0.snapshots = .all }.cases[0].note == "1 snapshot updated")
        #expect(made.snapshots?.contains("Coffee") == true)

        try made.write("test('b', () => {});")
        let cases = await made.suite().cases
        #expect(cases.map(\.outcome) == [.passed, .warning])
        #expect(cases.last?.problems.first?.message == "no test uses the snapshot \"a 1\"")
        #expect(await made.suite { $0.snapshots = .all }.cases.map(\.outcome) == [.passed])
        #expect(made.snapshots == nil)
    }

    @Test func testThatItsWorkerIsKilledForCostsOnlyItself() async throws {
        let made = try ExpectedProvider(
            """
            test('storm', () => { (function f() { Promise.resolve().then(f); })(); });
            test('fine', () => { expect(run.search('tea').total).toBe(1); });
            """)
        let cases = await made.suite { $0.deadline = .seconds(1) }.cases
        #expect(cases.map(\.outcome) == [.failed, .passed], "\(cases.flatMap(\.problems))")
        #expect(cases[0].problems.first?.message == "ran longer than 1 s and was stopped")
        #expect(cases[0].problems.first?.location == SourceLocation(file: "made.test.js", line: 1, column: 5))
    }

    @Test func fileThatKillsEveryWorkerEnds() async throws {
        let made = try ExpectedProvider(
            "test.each(new Array(9).fill(1))('storm', () => { (function f() { Promise.resolve().then(f); })(); });")
        let cases = await made.suite { $0.deadline = .milliseconds(300) }.cases
        #expect(cases.map(\.outcome) == Array(repeating: .failed, count: 4) + Array(repeating: .skipped, count: 5))
    }

    @Test func fileHasADeadlineForAllItsTests() async throws {
        let made = try ExpectedProvider(
            "test.each([1, 2, 3])('slow %d', () => { const end = Date.now() + 400; while (Date.now() < end); run.search('tea'); });"
        )
        let cases = await made.suite { $0.fileDeadline = .milliseconds(300) }.cases
        #expect(cases.map(\.outcome) == [.failed, .skipped, .skipped])
        #expect(
            cases[0].problems.first?.message
                == "the tests of this file took longer than 0.3 s together and were stopped")
    }

    @Test(arguments: [
        ("", "found no tests (expected at least one)"),
        ("test('a', () => {});\nnothing.at.all;", "ReferenceError: Can't find variable: nothing"),
        ("const = 1;", "SyntaxError: Unexpected token '='. Expected a parameter pattern or a ')' in parameter list."),
    ])
    func fileThatCannotBeUsedIsTheOneFailure(_ text: String, _ message: String) async throws {
        let cases = await (try ExpectedProvider(text)).suite().cases
        #expect(cases.count == 1 && cases[0].outcome == .failed)
        #expect(cases[0].problems.first?.location?.file == "made.test.js")
        if !text.hasPrefix("const") { #expect(cases[0].problems.first?.message == message) }
    }

    @Test func fileThatIsNotThereIsSaidToBeMissing() async throws {
        let made = try ExpectedProvider("test('a', () => {});")
        try FileManager.default.removeItem(atPath: made.path)
        let report = await ProviderExpectations.run(file: made.path)
        #expect(
            report.suites.first?.cases.first?.problems.first?.message
                == "no such file beside the provider: made.test.js")
    }

    @Test func reorderedDiffIsShortHoweverMuchDiffers() async throws {
        let made = try ExpectedProvider(
            "test('a', () => { expect(Array.from({ length: 5000 }, (_, n) => n)).toEqual([]); });")
        let diff = await made.suite().cases[0].problems.first?.diff ?? ""
        #expect(diff.split(separator: "\n").count == 101)
    }
}

/// A provider of a service that does not exist, with cassettes and a test file.
private struct ExpectedProvider {
    private let folder = TemporaryFolder()

    init(_ tests: String) throws {
        try Self.provider.write(toFile: folder.path + "/made.js", atomically: true, encoding: .utf8)
        try write(tests)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/cassettes/made", withIntermediateDirectories: true)
        for (name, text) in [("search", Self.search), ("errors", Self.errors)] {
            try text.write(toFile: "\(folder.path)/cassettes/made/\(name).json", atomically: true, encoding: .utf8)
        }
    }

    var path: String { folder.path + "/made.test.js" }

    func write(_ tests: String) throws { try tests.write(toFile: path, atomically: true, encoding: .utf8) }

    /// The text of the file of snapshots, where there is one.
    var snapshots: String? {
        try? String(contentsOfFile: folder.path + "/__snapshots__/made.test.js.snap", encoding: .utf8)
    }

    func suite(_ change: (inout TestSettings) -> Void = { _ in }) async -> TestReport.Suite {
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        change(&settings)
        return await ProviderExpectations.run(file: path, settings: settings).suites[0]
    }

    private static let provider = """
        module.exports = { contract: 1, id: 'made', name: 'Made', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'],
          search: {
            request: (q) => ({ url: 'https://a.example/search', query: { q: q.text } }),
            parse: (res) => ({ total: 1, items: [{ id: '1', type: 'image', media: [], title: res.json.title }] }),
          },
          match: [{ pattern: 'https://a.example/items/{id}', item: { id: '{id}' } }] };
        """

    private static let search = """
        { "cassette": 1, "provider": "made", "entries": [
          { "request": { "method": "GET", "url": "https://a.example/search?q=tea" },
            "response": { "status": 200, "headers": { "content-type": "application/json" }, "json": { "title": "Tea" } } } ] }
        """

    private static let errors = """
        { "cassette": 1, "provider": "made", "entries": [
          { "request": { "method": "GET", "url": "https://a.example/search?q=tea" },
            "response": { "status": 429, "headers": { "content-type": "text/plain" }, "text": "slow down" } } ] }
        """
}
