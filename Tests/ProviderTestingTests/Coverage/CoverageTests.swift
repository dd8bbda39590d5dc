import Foundation
import ProviderModel
import ProviderTesting
import TestSupport
import Testing

/// Whether the parser that coverage needs is installed here.
private let hasParser = (try? CoverageParser()) != nil

@Suite("What tests reach", .enabled(if: hasParser))
struct CoverageTests {
    private let folder = TemporaryFolder()

    /// Runs a provider's test file, and returns the report with what was counted.
    private func run(_ provider: String, _ tests: String, theme: String = "") async throws -> (
        TestReport, CoverageReport
    ) {
        for (name, text) in [("made.js", provider), ("made.test.js", tests), ("theme.js", theme)] {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let tally = CoverageTally(parser: try CoverageParser())
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        settings.coverage = tally
        let report = await ProviderExpectations.run(file: folder.path + "/made.test.js", settings: settings)
        return (report, tally.report)
    }

    private static func provider(_ parse: String) -> String {
        """
        'use strict';
        const theme = require('./theme');
        module.exports = {
          contract: 1, id: 'made', name: 'Made', version: '1.0.0',
          hosts: ['a.example'], mediaHosts: ['a.example'],
          search: {
            *run(q) {
              \(parse)
            },
          },
        };
        """
    }

    @Test func linesFunctionsAndBranchesAreCounted() async throws {
        let (report, coverage) = try await run(
            Self.provider(
                """
                if (q.text === 'none')
                        return { items: [] };
                      const kind = q.text.length > 3 ? 'long'
                        : 'short';
                      switch (kind) {
                        case 'long': return { items: [theme.made(kind)] };
                        default: return { items: [theme.made(kind), theme.never ?? theme.made('other')].slice(0, 1) };
                      }
                """),
            "test('long', () => { expect(run.search('water').items[0].title).toBe('long'); });",
            theme: """
                exports.made = (title) => ({ id: '1', type: 'image', title, media: [] });
                exports.unused = function (a) {
                  label: for (const b of a) if (b) continue label; else a.push(b);
                  return a;
                };
                """)
        #expect(report.failures == [])
        #expect(coverage.files.map(\.path) == ["made.js", "theme.js"].map { "\(folder.path)/\($0)" })
        let made = try #require(coverage.files.first)
        #expect(made.missingLines == ["9", "11", "14"])
        #expect(made.functions.percent == 100 && made.counts.functions.map(\.name) == ["run"])
        #expect(made.counts.branches.map { $0.count > 0 } == [false, true, true, false, false, true, false])
        let theme = try #require(coverage.files.last)
        #expect(theme.missingLines == ["3-4"])
        #expect(theme.counts.functions.map { "\($0.name) \($0.count)" } == ["made 1", "unused 0"])
    }

    @Test func placesOfErrorsStayThoseOfTheFile() async throws {
        let provider = Self.provider(
            "const odd = q.text ? theme.bad(q.text, q.text && null.length) : 1; return { items: [] };")
        let tests = "test('t', () => { run.search('a'); });"
        let (counted, _) = try await run(provider, tests, theme: "exports.bad = (x) => x;")
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        let plain = await ProviderExpectations.run(file: folder.path + "/made.test.js", settings: settings)
        #expect(counted.failures == plain.failures)
        #expect(plain.failures.first?.contains("made.js:8:") == true, "\(plain.failures)")
    }

    @Test func aBrokenFileIsReportedAsWithoutCounting() async throws {
        let (report, _) = try await run(Self.provider("const = 1;"), "test('t', () => {});")
        #expect(report.failures.first?.contains("made.js:8:13: SyntaxError") == true, "\(report.failures)")
    }

    @Test func tracefileIsWhatLcovReads() async throws {
        let (_, coverage) = try await run(
            Self.provider("return { items: q.text ? [] : [1] };"), "test('t', () => { run.search('a'); });")
        let text = LCOVReport(coverage).text
        #expect(
            text.hasPrefix(
                "TN:\nSF:\(folder.path)/made.js\nFN:7,run\nFNDA:1,run\nFNF:1\nFNH:1\nBRDA:8,0,0,1\nBRDA:8,0,1,0\n"))
        #expect(text.contains("DA:8,1\n") && text.contains("end_of_record\nTN:\n"))
        let table = CoverageTable(width: 200).text(of: coverage)
        #expect(table.contains("all files") && table.contains("50.0%"))
    }
}

struct CoverageParserTests {
    @Test func whereThereIsNoParserOneSentenceSaysHowToGetIt() {
        let error = #expect(throws: ProviderError.self) { try CoverageParser(in: ["/nonexistent/acorn.js"]) }
        #expect(error?.message == "coverage needs the parser acorn, which is not installed")
        #expect(error?.hint?.description.contains("install the package node-acorn") == true)
    }
}
