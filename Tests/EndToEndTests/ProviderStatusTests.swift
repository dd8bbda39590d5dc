import Foundation
import Synchronization
import TestSupport
import Testing

/// From a source that breaks to a version that works, as a user sees it.
@Suite("A broken source is known before it is asked")
struct ProviderStatusTests {
    /// A source that changes the name of its list, with the provider for one shape or the other.
    private final class ChangingSource {
        let source: LoopbackSource
        let home = TemporaryFolder()
        private let list: SharedText

        init() throws {
            let list = SharedText("items")
            self.list = list
            source = try LoopbackSource { _ in
                .answer(text: LoopbackSource.page(1...2, total: 2).replacing("items", with: list.text.withLock(\.self)))
            }
        }

        /// Gives the source's list another name.
        func change(_ name: String) { list.text.withLock { $0 = name } }

        /// Installs a version of the provider that reads a list of this name.
        func install(_ version: String, reading list: String) throws {
            let script = LoopbackSource.provider("loop", port: source.server.port)
            try source.add(
                "loop",
                script.replacing("version: '1.0.0'", with: "version: '\(version)'")
                    .replacing("res.json.items", with: "res.json.\(list)"))
        }

        /// Runs a command with its home, or with that of somebody else.
        func run(_ arguments: [String], home other: TemporaryFolder? = nil) throws -> CommandRun {
            try CommandRun(
                arguments + ["--no-cache"] + source.arguments, environment: ["HOME": (other ?? home).path])
        }

        /// Asks the source.
        func check(_ arguments: String...) throws -> CommandRun {
            try CommandRun(
                ["providers", "status", "loop", "--run", "--retries", "0"] + arguments + source.arguments,
                environment: ["HOME": home.path])
        }
    }

    private final class SharedText: Sendable {
        let text: Mutex<String>
        init(_ text: String) { self.text = Mutex(text) }
    }

    @Test func sourceThatBreaksIsToldOfUntilAVersionMendsIt() throws {
        let source = try ChangingSource()
        let works = try source.check().output
        #expect(works.firstMatch(of: /loop +1\.0\.0 +2\d{3}-\d\d-\d\d +search +works/) != nil, "\(works)")
        let search = try source.run(["search", "x", "-p", "loop"])
        #expect(!search.errors.contains("broken"), "\(search.errors)")
        source.change("results")
        let broken = try source.check()
        #expect(broken.status == 0 && broken.output.contains("broken since"), "\(broken.output)\(broken.errors)")
        let failed = try source.run(["search", "x", "-p", "loop"])
        #expect(failed.errors.contains("warning: loop: broken since"), "\(failed.errors)")
        let requests = source.source.server.requests.count
        let group = try source.run(["search", "x", "-p", "@mine", "--group", "mine=loop"])
        #expect(group.errors.contains("skipped, loop: broken since"), "\(group.errors)")
        #expect(group.errors.contains("hint: imgscript pack update brings newer versions; -p loop asks all the same"))
        #expect(source.source.server.requests.count == requests)
        try source.install("1.1.0", reading: "results")
        let mended = try source.check().output
        #expect(mended.contains("works"), "\(mended)")
        let found = try source.run(["search", "x", "-p", "loop"])
        #expect(!found.errors.contains("broken"), "\(found.errors)")
        try source.install("1.0.0", reading: "items")
        let old = try source.run(["providers", "info", "loop"])
        let status = old.output.firstMatch(of: /Status +broken since .*, mended in version 1\.1\.0/)
        #expect(status != nil, "\(old.output)")
    }

    @Test func statusOfOthersIsReadOnceADayAndOnlyWithTheirKey() throws {
        let source = try ChangingSource()
        let folder = source.home.path
        let key = "\(folder)/status.key", file = "\(folder)/status.json"
        #expect(try CommandRun(["pack", "keygen", "--no-password", "--output", key]).status == 0)
        source.change("results")
        let written = try source.check("--output", file, "--secret-key", key)
        #expect(written.errors.contains("wrote \(file), signed with the key"), "\(written.errors)")
        let server = try LoopbackServer { request in
            .answer(body: Array(FileManager.default.contents(atPath: "\(folder)\(request.path)") ?? Data()))
        }
        let publicKey = "\(folder)/status.pub"
        let options = [
            "--status", "\(server.origin)/status.json", "--allow-host", "127.0.0.1:\(server.port)",
        ]
        let other = TemporaryFolder()
        let known = ["search", "red fox", "-p", "loop"] + options + ["--status-key", publicKey]
        for _ in 0..<2 {
            let search = try source.run(known, home: other)
            #expect(search.errors.contains("warning: loop: broken since"), "\(search.errors)")
        }
        #expect(server.requests.map(\.target) == ["/status.json", "/status.json.minisig"])
        let stranger = try source.run(["search", "x", "-p", "loop"] + options, home: TemporaryFolder())
        #expect(stranger.errors.contains("no key to verify the status with"), "\(stranger.errors)")
        #expect(stranger.errors.contains("--status-key") && !stranger.errors.contains("broken since"))
    }

    @Test(arguments: [
        (["--run", "--offline"], "--run and --offline cannot be combined"),
        (["--output", "a.json"], "--output: only allowed with --run"),
        (["--status", "here"], "expected a URL such as https://example.org/status.json"),
    ])
    func usageErrorsAreOneLine(_ arguments: [String], sentence: String) throws {
        let run = try CommandRun(["providers", "status"] + arguments)
        #expect(run.status == 64 && run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func withoutAStatusTheWaysToOneAreSaid() throws {
        let run = try CommandRun(["providers", "status"])
        #expect(run.status == 0 && run.errors.contains("no status is known") && run.errors.contains("--run"))
    }
}
