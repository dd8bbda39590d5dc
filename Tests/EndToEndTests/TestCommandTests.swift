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

    private func loop() throws -> LoopbackSource {
        let source = try LoopbackSource { _ in
            .answer(
                headers: [("Content-Type", "application/json")], text: LoopbackSource.page(1...2, total: 2))
        }
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port))
        return source
    }

    /// Eleven checks were skipped, and the run passed.
    @Test func recordingThatNoRequestNeedsAnyMoreFailsUntilItIsAdaptedOrRecorded() throws {
        let source = try loop()
        let path = "\(source.folder.path)/loop.js"
        let record = try CommandRun(["test", "--record", "--text", "red fox", path] + source.arguments)
        #expect(record.status == 0 && record.output.contains("search.json: search \"red fox\""), "\(record.output)")
        #expect(try CommandRun(["test", "--mutations", "0", path]).status == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let edited = text.replacing("q: q.text", with: "q: q.text, safe: 1")
        #expect(edited != text)
        try edited.write(toFile: path, atomically: true, encoding: .utf8)
        let stale = try CommandRun(["test", "--mutations", "0", path])
        #expect(stale.status == 1)
        #expect(stale.output.contains("imgscript test --adapt \(path)"), "\(stale.output)")
        #expect(stale.output.contains("imgscript test --record --text 'red fox' \(path) records it"))
        #expect(try CommandRun(["test", "--adapt", path]).status == 0)
        let adapted = try CommandRun(["test", "--mutations", "0", path])
        #expect(adapted.status == 0, "\(adapted.output)")
        let warned = adapted.output.contains("with warnings")
        #expect(try CommandRun(["test", "--strict", "--mutations", "0", path]).status == (warned ? 1 : 0))
    }

    @Test func annotationsNameTheFileAndTheLine() throws {
        let source = try loop()
        let path = "\(source.folder.path)/loop.js"
        _ = try CommandRun(["test", "--record", "--text", "fox", path] + source.arguments)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("title: item.title", with: "titel: item.title").write(
            toFile: path, atomically: true, encoding: .utf8)
        let run = try CommandRun(["test", "--reporter", "github", "--mutations", "0", path])
        #expect(run.output.contains("::warning file=\(path),line="), "\(run.output)")
        #expect(run.output.contains("found the field \"titel\", expected \"title\""))
        let check = try CommandRun(["providers", "check", "--format", "github", path])
        #expect(check.output.contains("file=\(path),line="), "\(check.output)")
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
        (["test", "--text", "sea"], "--text: only allowed with --record"),
        (["test", "--record", "--call", "details"], "--item is missing"),
        (["test", "--record", "--page-size", "3"], "--text is missing"),
        (["test", "--record", "--pages", "0"], "--pages: invalid value"),
        (["test", "--reporter", "x"], "--reporter: invalid value"),
    ])
    func usageErrorsAreOneLine(arguments: [String], sentence: String) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(sentence))
    }
}
