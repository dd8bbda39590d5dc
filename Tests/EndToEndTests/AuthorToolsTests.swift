import Foundation
import TestSupport
import Testing

/// What authors of providers use while they write, as built.
@Suite("Tools for authors", .timeLimit(.minutes(2)))
struct AuthorToolsTests {
    private func source() throws -> LoopbackSource {
        let source = try LoopbackSource { _ in
            .answer(
                headers: [("Content-Type", "application/json"), ("Cache-Control", "max-age=600")],
                text: LoopbackSource.page(1...2, total: 2))
        }
        try source.add(
            "loop",
            LoopbackSource.provider(
                "loop", port: source.server.port,
                auth: "auth: { type: 'query', name: 'key', help: 'https://loop.example' },"))
        return source
    }

    private let key = ["IMGSCRIPT_LOOP_KEY": "open-sesame-7f3a"]

    @Test func testFileRunsAgainstTheServiceWithTheUsersKey() throws {
        let source = try source()
        try "test('two', () => { expect(run.search('tea').items).toHaveLength(2); });"
            .write(toFile: source.folder.path + "/loop.test.js", atomically: true, encoding: .utf8)
        let run = try CommandRun(
            ["test", "--live", "--filter", "two", "\(source.folder.path)/loop.test.js"] + source.arguments,
            environment: key)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("loop.test.js live") && run.output.contains("✓ two"))
        #expect(source.server.requests.contains { $0.target.contains("key=open-sesame-7f3a") })
        #expect(!run.output.contains("open-sesame") && !run.errors.contains("open-sesame"))
    }

    @Test func traceHasEveryStepWithoutTheKey() throws {
        let source = try source()
        let run = try CommandRun(["search", "-p", "loop", "--trace", "tea"] + source.arguments, environment: key)
        let words = run.errors.split(separator: "\n").filter { $0.hasPrefix("trace loop#") }
            .map { String($0.split(separator: " ")[4]) }
        #expect(words == ["load", "call", "request", "response", "result"], "\(run.errors)")
        #expect(run.errors.contains("key=***") && !run.errors.contains("open-sesame"))
        #expect(run.errors.contains("2 items of 2"))
    }

    @Test func developmentRunsAgainAtEverySave() throws {
        let source = try source()
        let path = source.folder.path + "/loop.js"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing(
            "hosts: [", with: "base: 'http://127.0.0.1', hosts: ["
        )
        .replacing("auth: { type: 'query', name: 'key', help: 'https://loop.example' },", with: "")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let command = try RunningCommand(["providers", "dev", path, "tea"] + source.arguments)
        #expect(lines(of: command).contains { $0.hasPrefix("result   2 items of 2") })
        try text.replacing("title: item.title", with: "title: console.log(item.id) ?? item.title.toUpperCase()")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let second = lines(of: command)
        #expect(second.contains("  ~ items[0].title  \"Item 1\" → \"ITEM 1\""), "\(second)")
        #expect(second.contains("  info: 1"))
        try text.replacing("res.json.items", with: "res.json.images").write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(lines(of: command).contains { $0.hasPrefix("loop.js:7:") && $0.contains("TypeError") })
        kill(command.process.processIdentifier, SIGINT)
        #expect(command.status() == 130)
        #expect(source.server.requests.count == 1)
    }

    @Test func developmentShowsWholeResponsesDetailsAndWhatWorkedBefore() throws {
        let source = try LoopbackSource { request in
            .answer(
                text: request.path == "/search"
                    ? LoopbackSource.page(1...2, total: 2) : #"{"name": "Fox", "by": {"name": "Anna"}}"#)
        }
        let path = source.folder.path + "/loop.js"
        let details = """
            details: {
                request: (item) => ({ url: `http://127.0.0.1:\(source.server.port)/items/${item.id}` }),
                parse: (res) => ({ id: res.url.split('/').pop(), type: 'image', title: res.json.name,
                  media: [{ role: 'original', url: 'https://images.example/1.jpg' }] }),
              },
              search: {
            """
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("search: {", with: details)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let command = try RunningCommand(
            ["providers", "dev", "--response", "--call", "details", path, "tea"] + source.arguments)
        let shown = lines(of: command)
        #expect(shown.contains("         items[].title ×2 \"Item 1\""), "\(shown)")
        #expect(shown.contains("         by.name \"Anna\""), "\(shown)")
        #expect(shown.contains("item 1") && shown.contains("  title  Fox"), "\(shown)")
        try text.replacing("res.json.name", with: "res.json.by.name.first.name").write(
            toFile: path, atomically: true, encoding: .utf8)
        let broken = lines(of: command)
        #expect(broken.contains { $0.contains("TypeError") }, "\(broken)")
        #expect(broken.contains("item 1 of the last run that worked") && broken.contains("  title  Fox"), "\(broken)")
        kill(command.process.processIdentifier, SIGINT)
        #expect(command.status() == 130)
        let asked = Set(source.server.requests.map(\.path))
        #expect(asked == ["/search", "/items/1"])
        let named = try RunningCommand(
            ["providers", "dev", "--call", "details", "--item", "7", path] + source.arguments)
        #expect(lines(of: named).contains { $0.hasPrefix("loop.js:") || $0.hasPrefix("request ") })
        kill(named.process.processIdentifier, SIGINT)
        #expect(named.status() == 130)
        #expect(source.server.requests.last?.path == "/items/7")
    }

    @Test func savedResponsesAreReplayedWithoutTheSource() throws {
        let source = try source()
        let path = source.folder.path + "/loop.js", saved = source.folder.path + "/seen"
        try String(contentsOfFile: path, encoding: .utf8)
            .replacing("auth: { type: 'query', name: 'key', help: 'https://loop.example' },", with: "")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let command = try RunningCommand(
            ["providers", "dev", "--save-responses", saved, "--no-cache", path, "tea"] + source.arguments)
        #expect(lines(of: command).contains { $0.hasPrefix("result   2 items of 2") })
        kill(command.process.processIdentifier, SIGINT)
        #expect(command.status() == 130)
        let text = try String(contentsOfFile: saved + "/loop/responses.json", encoding: .utf8)
        #expect(text.contains("q=tea"))
        let asked = source.server.requests.count
        let replay = try RunningCommand(
            ["providers", "dev", "--replay", saved, path, "tea"] + source.arguments)
        #expect(lines(of: replay).contains { $0.hasPrefix("result   2 items of 2") })
        kill(replay.process.processIdentifier, SIGINT)
        #expect(replay.status() == 130)
        #expect(source.server.requests.count == asked)
    }

    @Test func developmentShowsNothingOfWhatALoginGives() throws {
        let source = try LoopbackSource { request in
            let login = #"{"pass":"sesame-open-9","user":{"mail":"anna@loop.example"},"expires_in":60}"#
            return .answer(text: request.path == "/login" ? login : LoopbackSource.page(1...2, total: 2))
        }
        let login = """
            auth: { type: 'header', name: 'Authorization', template: 'Bearer {session.token}' },
            session: {
              request: () => ({ url: 'http://127.0.0.1:\(source.server.port)/login', method: 'POST', json: {} }),
              parse: (res) => ({ values: { token: res.json.pass }, expiresIn: res.json.expires_in }),
            },
            """
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port, auth: login))
        let command = try RunningCommand(
            ["providers", "dev", source.folder.path + "/loop.js", "tea"] + source.arguments)
        let shown = lines(of: command)
        kill(command.process.processIdentifier, SIGINT)
        #expect(command.status() == 130)
        #expect(
            shown.contains { $0.hasSuffix("pass: ***") } && shown.contains { $0.hasSuffix("user: ***") }, "\(shown)")
        #expect(shown.contains { $0.hasSuffix("expires_in: 60") })
        #expect(!shown.contains { $0.contains("sesame") || $0.contains("anna") }, "\(shown)")
    }

    @Test func watchedTestsRunAgainWhenTheyAreSaved() throws {
        let source = try source()
        let path = source.folder.path + "/loop.test.js"
        func write(_ count: Int) throws {
            try "test('two', () => { expect([1, 2]).toHaveLength(\(count)); });"
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
        try write(2)
        let command = try RunningCommand(["test", "--watch", path])
        #expect(lines(of: command).contains { $0.hasPrefix("1 passed") })
        try write(3)
        #expect(lines(of: command).contains { $0.hasPrefix("1 failed") })
        try FileManager.default.removeItem(atPath: path)
        #expect(lines(of: command).contains { $0.contains("no such file beside the provider: loop.test.js") })
        try write(2)
        #expect(lines(of: command).contains { $0.hasPrefix("1 passed") })
        kill(command.process.processIdentifier, SIGINT)
        #expect(command.status() == 130)
    }

    @Test(arguments: [
        (["test", "--watch", "--live"], "--watch and --live cannot be combined"),
        (["test", "--watch", "--reporter", "tap"], "--watch and --reporter cannot be combined"),
        (["test", "--import", "a.har", "providers"], "--import: expected one provider file"),
        (["test", "--import", "a.har", "--record", "providers/itunes.js"], "--record and --import cannot be combined"),
        (["test", "--cassette", "a"], "--cassette: only allowed with --import"),
        (["test", "--coverage", "--drift"], "--coverage and --drift cannot be combined"),
        (["test", "--live", "--dry-run"], "--live and --dry-run cannot be combined"),
        (["test", "--record", "--offline"], "--record and --offline cannot be combined"),
        (["test", "--mode", "all"], "--mode: only allowed with --record"),
        (["providers", "new", "x", "--offline", "--from", "https://a.example/"], "--offline: not possible here"),
        (["providers", "dev", "providers/itunes.test.js"], "is not a provider file"),
        (["providers", "dev", "--item", "7", "providers/itunes.js"], "--item: only allowed with --call"),
    ])
    func usageErrorsAreOneLine(arguments: [String], sentence: String) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 64 && run.errors.contains(sentence), "\(run.errors)")
    }

    /// What is written up to the line that says that changes are waited for.
    private func lines(of command: RunningCommand) -> [String] {
        var lines: [String] = []
        while let line = command.nextLine(), !line.hasPrefix("watching") { lines.append(line) }
        return lines
    }
}
