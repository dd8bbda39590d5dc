import Foundation
import TestSupport
import Testing

/// `imgscript test` as users run it.
struct TestCommandTests {
    @Test func everyShippedProviderPassesWithWhatItsOwnFileExpects() throws {
        let run = try CommandRun(["test", "--mutations", "40", "--ci", "providers"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("requests go only to declared hosts"))
        let folder = Documentation.root.appending(path: "providers").path
        let names = FolderListing.names(in: folder).filter { $0.hasSuffix(".test.js") }
        #expect(!names.isEmpty && names.filter { !run.output.contains($0) } == [])
    }

    @Test func expectationThatFailsIsShownWithItsPlace() throws {
        let folder = TemporaryFolder()
        let providers = Documentation.root.appending(path: "providers")
        try FileManager.default.copyItem(
            at: providers.appending(path: "itunes.js"), to: URL(filePath: folder.path + "/itunes.js"))
        try FileManager.default.createDirectory(atPath: folder.path + "/cassettes", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: providers.appending(path: "cassettes/itunes"), to: URL(filePath: folder.path + "/cassettes/itunes"))
        try """
        const { test, expect, run } = require('imgscript/test');
        test('there is nothing', () => {
          expect(run.search({ text: 'coffee' }).items).toHaveLength(0);
        });
        """.write(toFile: folder.path + "/itunes.test.js", atomically: true, encoding: .utf8)
        let run = try CommandRun(["test", "\(folder.path)/itunes.test.js"])
        #expect(run.status == 1)
        #expect(run.output.contains("there is nothing"))
        #expect(run.output.contains("itunes.test.js:3"))
    }

    @Test func reportThatCannotBeWrittenIsReportedInOneLine() throws {
        let path = TemporaryFolder().path + "/none/report.xml"
        let run = try CommandRun([
            "test", "--reporter", "junit", "--output", path, "--mutations", "0", "providers/itunes.js",
        ])
        #expect(run.status == 1)
        #expect(run.errors == "error: could not write \(path): No such file or directory\n")
    }

    @Test(arguments: [
        (["test", "--update", "--ci"], "--update and --ci cannot be combined"),
        (["test", "--record", "--live"], "--record and --live cannot be combined"),
        (["test", "--reporter", "x"], "--reporter: invalid value"),
    ])
    func usageErrorsAreOneLine(arguments: [String], sentence: String) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(sentence))
    }
}
