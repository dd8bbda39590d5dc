import Foundation
import TestSupport
import Testing

/// What was asked before, as the built program asks again.
struct StoredSearchTests {
    private let home = TemporaryFolder()

    /// A source whose answers may be kept for so many seconds.
    private static func source(keptFor seconds: Int = 3_600) throws -> LoopbackSource {
        try LoopbackSource { _ in
            .answer(headers: [("Cache-Control", "max-age=\(seconds)")], text: LoopbackSource.page(1...3, total: 3))
        }
    }

    /// A worker that writes down each of its starts.
    private func countedWorker() throws -> String {
        let path = "\(home.path)/counted-worker"
        let script = "#!/bin/sh\necho started >>'\(home.path)/starts'\nexec '\(BuiltWorker.path)' \"$@\"\n"
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private var starts: Int {
        ((try? String(contentsOfFile: "\(home.path)/starts", encoding: .utf8)) ?? "").split(separator: "\n").count
    }

    private func run(_ arguments: [String], on source: LoopbackSource, worker: String? = nil) throws -> CommandRun {
        var environment = ["HOME": home.path]
        environment["IMGSCRIPT_WORKER"] = worker
        return try CommandRun(arguments + source.arguments, environment: environment)
    }

    private let search = ["search", "-p", "loop", "-f", "{id} {title}", "fox"]

    @Test func secondSearchSendsNoRequestAndNeedsNoWorker() throws {
        let (source, worker) = (try Self.source(), try countedWorker())
        let first = try run(search, on: source, worker: worker)
        #expect(first.output == "1 Item 1\n2 Item 2\n3 Item 3\n")
        #expect(source.server.requests.count == 1 && starts >= 1)
        let second = try run(search, on: source, worker: worker)
        #expect(second.output == first.output)
        #expect(source.server.requests.count == 1)
        // One is started beside the look-up, in case it is needed; not where nothing can be asked.
        let before = starts
        #expect(try run(search + ["--offline"], on: source, worker: worker).output == first.output)
        #expect(starts == before)
    }

    @Test func changedScriptRunsAgainOverTheStoredAnswer() throws {
        let source = try Self.source()
        _ = try run(search, on: source)
        let script = LoopbackSource.provider("loop", port: source.server.port)
        try source.add("loop", script.replacing("title: item.title", with: "title: 'New ' + item.title"))
        #expect(try run(search, on: source).output == "1 New Item 1\n2 New Item 2\n3 New Item 3\n")
        #expect(source.server.requests.count == 1)
    }

    @Test func refreshAndNoCacheAskAgain() throws {
        let source = try Self.source()
        for option in [[], ["--refresh"], ["--no-cache"]] {
            #expect(try run(search + option, on: source).status == 0)
        }
        #expect(source.server.requests.count == 3)
    }

    @Test func offlineTakesWhatIsOldAndSaysSo() throws {
        let source = try Self.source(keptFor: 0)
        _ = try run(search, on: source)
        source.server.close()
        let old = try run(search + ["--offline"], on: source)
        #expect(old.output == "1 Item 1\n2 Item 2\n3 Item 3\n")
        #expect(old.errors.contains("stale cached responses, up to "))
        let none = try run(["search", "-p", "loop", "--offline", "cat"], on: source)
        #expect(none.status == 1)
        #expect(none.errors.contains("run without --offline to ask the source"))
    }

    /// A login is not stored, and not needed.
    @Test func offlineNeedsNoLogin() throws {
        let source = try LoopbackSource { request in
            guard request.path != "/login" else { return .answer(text: #"{"token":"sesame-open-9"}"#) }
            guard request.header("authorization") == "Bearer sesame-open-9" else { return .answer(401) }
            return .answer(text: LoopbackSource.page(1...3, total: 3))
        }
        let login = """
            auth: { type: 'header', name: 'Authorization', template: 'Bearer {session.token}' },
            session: {
              request: () => ({ url: 'http://127.0.0.1:\(source.server.port)/login', method: 'POST', json: {} }),
              parse: (res) => ({ values: { token: res.json.token } }),
            },
            """
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port, auth: login))
        let online = try run(search, on: source)
        #expect(online.output == "1 Item 1\n2 Item 2\n3 Item 3\n", "\(online.errors)")
        source.server.close()
        let stored = try run(search + ["--offline"], on: source)
        #expect(stored.output == online.output, "\(stored.errors)")
        let none = try run(["search", "-p", "loop", "--offline", "cat"], on: source)
        #expect(none.errors.contains("loop: search: no cached response to GET "), "\(none.errors)")
    }

    @Test func storeIsShownCheckedAndCleared() throws {
        let source = try Self.source()
        _ = try run(search, on: source)
        #expect(try run(["cache"], on: source).output.contains("loop 1 ("))
        #expect(try run(["cache", "list"], on: source).output.contains("/search?q=fox&page=1"))
        #expect(try run(["cache", "verify"], on: source).errors.contains("checked 1 cached response: no damage"))
        let none = try run(["cache", "clear", "--of", "nobody"], on: source)
        #expect(none.errors.contains("no cached responses of \"nobody\""))
        let cleared = try run(["cache", "clear", "--of", "loop"], on: source)
        #expect(cleared.errors.contains("removed 1 response\n"), "\(cleared.errors)")
        #expect(try run(["cache", "list", "--of", "x", "--host", "y"], on: source).status == 64)
        _ = try run(search, on: source)
        #expect(source.server.requests.count == 2)
    }

    @Test func interruptedListingGoesOnWhereItStopped() throws {
        let source = try LoopbackSource { request in
            let page = request.target.contains("page=2") ? 6...10 : 1...5
            return .answer(headers: [("Cache-Control", "no-store")], text: LoopbackSource.page(page, total: 10))
        }
        let first = try run(["search", "-p", "loop", "-n", "6", "-f", "{id}", "fox"], on: source)
        let second = try run(["search", "-p", "loop", "-n", "12", "-f", "{id}", "--resume", "fox"], on: source)
        #expect(first.output + second.output == (1...10).map { "\($0)\n" }.joined())
        #expect(second.errors.contains("resuming loop at page 2"))
    }
}
