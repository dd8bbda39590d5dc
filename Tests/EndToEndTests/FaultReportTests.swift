import Foundation
import TestSupport
import Testing

@Suite("A source that changed, or ends, is told of")
struct FaultReportTests {
    private static func source(_ manifest: String = "") throws -> LoopbackSource {
        let source = try LoopbackSource { request in
            request.target.contains("q=odd")
                ? .answer(text: #"{"results": [], "token": "t0ps3cr3tt0ps3cr3t", "expires_in": 3600}"#)
                : .answer(text: LoopbackSource.page(1...2, total: 2))
        }
        let script = LoopbackSource.provider("loop", port: source.server.port)
        try source.add("loop", script.replacing("version: '1.0.0',", with: "version: '1.2.3', \(manifest)"))
        return source
    }

    private func run(_ source: LoopbackSource, _ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments + ["--no-cache"] + source.arguments)
    }

    @Test func answerThatIsNotUnderstoodNamesVersionAndPlace() throws {
        let source = try Self.source("bugs: 'https://loop.example/issues',")
        let run = try run(source, "search", "odd", "-p", "loop")
        #expect(run.status == 1)
        #expect(run.errors.contains("loop.js:"), "\(run.errors)")
        let hint =
            "hint: the source may have changed since loop 1.2.3 was written; report it at https://loop.example/issues, "
            + "with the response that --save-response FILE stores"
        #expect(run.errors.replacing(/\s+/, with: " ").contains(hint), "\(run.errors)")
    }

    @Test func responseIsSavedWithoutSecrets() throws {
        let source = try Self.source()
        let file = "\(source.folder.path)/saved.json"
        let run = try run(source, "search", "odd", "-p", "loop", "--save-response", file)
        #expect(run.status == 1)
        #expect(run.errors.contains("saved 1 response of loop to \(file)"), "\(run.errors)")
        let saved = try String(contentsOfFile: file, encoding: .utf8)
        #expect(saved.contains(#""provider": "loop""#) && saved.contains(#""results": []"#), "\(saved)")
        #expect(saved.contains("loop.js:") && saved.contains("q=odd"), "\(saved)")
        #expect(!saved.contains("t0ps3cr3t"), "\(saved)")
    }

    @Test func nothingIsSavedOfWhatSucceeds() throws {
        let source = try Self.source()
        let file = "\(source.folder.path)/saved.json"
        #expect(try run(source, "search", "x", "-p", "loop", "--save-response", file).status == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func sourceThatEndsIsNamedBelowItsResults() throws {
        let source = try Self.source("deprecated: { date: '2026-01-20', ends: '2027-01-01', note: 'use another' },")
        let note = "Loop is deprecated since 2026-01-20, ends on 2027-01-01: use another"
        let found = try run(source, "search", "x", "-p", "loop")
        #expect(found.status == 0)
        #expect(found.errors.replacing(/\s+/, with: " ").contains(note), "\(found.errors)")
        let missing = try run(source, "feed", "-p", "loop")
        #expect(missing.errors.replacing(/\s+/, with: " ").contains("hint: \(note)"), "\(missing.errors)")
    }

    @Test func providerSaysWhereItLiesAndWhereToReport() throws {
        let source = try Self.source()
        try #"{"name": "loops", "bugs": {"url": "https://pack.example/issues"}}"#
            .write(toFile: "\(source.folder.path)/package.json", atomically: true, encoding: .utf8)
        let text = try CommandRun(["providers", "info", "loop"] + source.arguments).output
        #expect(text.contains("\(source.folder.path)/loop.js"), "\(text)")
        #expect(text.contains("https://pack.example/issues"), "\(text)")
    }
}
