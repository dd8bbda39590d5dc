import Foundation
import ImgScript
import Synchronization
import TestSupport
import Testing

/// `imgscript watch`: queries that are followed.
struct WatchTests {
    /// A source whose newest images come first, and whose number grows.
    private final class GrowingSource: Sendable {
        let count = Mutex(0)
        let refused = Mutex<Set<Int>>([])
        let listingFails = Atomic(false)

        func answer(_ request: LoopbackRequest) -> LoopbackReply? {
            if request.path == "/search" {
                if listingFails.load(ordering: .relaxed) { return .answer(404, text: "no") }
                let page = Int(request.target.split(separator: "page=").last?.prefix { $0.isNumber } ?? "") ?? 1
                let total = count.withLock(\.self)
                let first = total - (page - 1) * 5
                let numbers = first > 0 ? (max(1, first - 4)...first).reversed().map(\.self) : []
                let items = numbers.map { #"{"id": \#($0), "title": "Item \#($0)"}"# }
                return .answer(text: #"{"total": \#(total), "items": [\#(items.joined(separator: ","))]}"#)
            }
            let number = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
            let isRefused = request.path.hasPrefix("/img/") && refused.withLock { $0.contains(number) }
            return isRefused ? .answer(503, headers: [("Retry-After", "0")], text: "later") : nil
        }
    }

    private let growing: GrowingSource
    private let source: FoxSource

    init() throws {
        let growing = GrowingSource()
        self.growing = growing
        source = try FoxSource { growing.answer($0) }
    }

    private func add(_ options: [String] = [], query: [String] = ["search", "-p", "foxes", "fox"]) throws -> CommandRun
    {
        try source.runWithout(
            ["watch", "add", "foxes", "-d", source.target.path] + options + ["--"] + query + source.common)
    }

    private func run(_ arguments: [String] = ["foxes"]) throws -> CommandRun {
        try source.runWithout(["watch", "run"] + arguments)
    }

    private func grow(by count: Int) { growing.count.withLock { $0 += count } }
    private var images: Int { source.requests(for: "/img/").count }
    private var pages: Int { source.requests(for: "/search").count }

    @Test func runFetchesWhatIsNewAndStopsAtWhatIsKnown() throws {
        grow(by: 120)
        #expect(try add().status == 0)
        let first = try run()
        #expect(first.status == 0 && source.files.count == 120, "\(first.errors)")
        let pagesBefore = pages
        grow(by: 3)
        // A removed file is known all the same.
        try FileManager.default.removeItem(atPath: "\(source.target.path)/foxes/120-item-120.jpg")
        let second = try run(["--all", "--quiet"])
        #expect(second.status == 0 && second.errors == "" && second.output == "", "\(second.errors)")
        #expect(source.files.count == 122, "\(source.files)")
        #expect(images == 123)
        // 3 new and 20 known ones, and what is fetched ahead.
        #expect(pages - pagesBefore < 20, "\(pages - pagesBefore) of 25 pages")
        let history = try source.runWithout(["watch", "history", "foxes"]).output.split(separator: "\n")
        #expect(history.count == 3 && history[1].contains(" 120 ") && history[2].contains(" 3 "), "\(history)")
        #expect(try source.runWithout(["watch", "list"]).output.contains("up to date"))
    }

    @Test func filesOfAWatchEndInItsArchive() throws {
        let hooks = try Hook()
        grow(by: 3)
        let query = ["search", "-p", "foxes", "fox"] + hooks.arguments
        #expect(try add(["--zip", "--webhook", hooks.url], query: query).status == 0)
        #expect(try run().status == 0)
        #expect(source.files == ["foxes.zip"])
        let size = source.bytes(of: "foxes.zip")?.count ?? 0
        grow(by: 2)
        #expect(try run(["--all", "--quiet"]).status == 0)
        #expect(source.files == ["foxes.zip"])
        #expect(source.bytes(of: "foxes.zip")?.count ?? 0 > size + FoxSource.image(1).count * 2)
        #expect(images == 5)
        let body = String(decoding: try #require(hooks.server.requests.last?.body), as: UTF8.self)
        #expect(body.contains("\(source.target.path)/foxes.zip/foxes/5-item-5.jpg"), "\(body)")
    }

    @Test func runThatFailedMidwayIsContinued() throws {
        grow(by: 40)
        #expect(try add(query: ["search", "-p", "foxes", "fox", "--retries", "0"]).status == 0)
        // The oldest ones, behind more than enough known ones to stop at.
        growing.refused.withLock { $0 = [1, 2] }
        #expect(try run().status == 2)
        #expect(source.files.count == 38)
        #expect(try source.runWithout(["watch", "list"]).output.contains("unfinished"))
        growing.refused.withLock { $0 = [] }
        #expect(try run().status == 0)
        #expect(source.files.count == 40)
        growing.listingFails.store(true, ordering: .relaxed)
        #expect(try run().status != 0)
        growing.listingFails.store(false, ordering: .relaxed)
        #expect(try run().status == 0 && images == 42)
    }

    /// Whatever ends a run, what lies between its images and the known ones comes with the next.
    @Test func imagesBeyondTheLimitComeWithTheNextRuns() throws {
        grow(by: 30)
        #expect(try add(query: ["search", "-p", "foxes", "-n", "10", "fox"]).status == 0)
        let first = try run()
        #expect(first.status == 0 && source.files.count == 10)
        #expect(
            first.errors.contains("foxes: 20 older images not fetched (the limit of 10 new images)"),
            "\(first.errors)")
        #expect(first.errors.contains("imgscript watch run --older foxes"), "\(first.errors)")
        grow(by: 25)
        let second = try run()
        #expect(second.status == 0 && source.files.count == 20)
        #expect(second.errors.contains("was reached before known images; the next run continues"), "\(second.errors)")
        #expect(try source.runWithout(["watch", "list"]).output.contains("unfinished"))
        #expect(try run().status == 0 && source.files.count == 30)
        #expect(try run().status == 0 && source.files.count == 35)
        #expect(try source.runWithout(["watch", "list"]).output.contains("up to date"))
        #expect(try run().status == 0 && source.files.count == 35, "the older ones stay where they are")
        let older = try run(["--older", "foxes"])
        #expect(older.status == 0 && source.files.count == 45, "\(source.files.count)")
        #expect(older.errors.contains("foxes: 10 older images not fetched (the limit of"), "\(older.errors)")
        #expect(try run(["--older", "foxes"]).status == 0 && source.files.count == 55)
        #expect(try !run(["--older", "foxes"]).errors.contains("not fetched"))
    }

    @Test func whatALimitLeavesIsCountedAsFarAsItIsKnown() {
        var reading = WatchReading(of: ["a", "b"], limit: 2, known: nil)
        // Two files of one image count once.
        for id in ["1", "2", "3", "3", "4"] { _ = reading.admits(id, of: "a", isNew: true) }
        _ = reading.admits("1", of: "b", isNew: true)
        reading.finish("b")
        let sizes = [
            [:], ["a": ListingSize(count: 3)], ["a": ListingSize(count: 50)],
            ["a": ListingSize(count: 50, isTotal: true)],
        ]
        let left = sizes.map { reading.leftByLimit(of: $0) }
        #expect(left.map { $0.count } == [2, 2, 48, 48])
        #expect(left.map { $0.isExact } == [false, false, false, true])
    }

    @Test(arguments: [[], ["archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm"]])
    func killedRunLosesNothing(_ unwritten: [String]) async throws {
        grow(by: 30)
        let hooks = try Hook()
        #expect(
            try add(
                ["--jobs", "1", "--webhook", hooks.url], query: ["search", "-p", "foxes", "fox"] + hooks.arguments
            ).status == 0)
        let running = try RunningCommand(["watch", "run", "foxes"], home: source.home)
        // Two files are complete.
        _ = running.nextLine()
        _ = running.nextLine()
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.status()
        // The kill came before these were written.
        for name in unwritten { unlink("\(source.target.path)/.imgscript/\(name)") }
        #expect(try source.runWithout(["watch", "list"]).output.contains("new"))
        #expect(try run().status == 0)
        #expect(source.files.count == 30)
        #expect(Set(hooks.ids).count == 30, "\(hooks.ids)")
    }

    @Test func twoRunsAtOnceAreOne() async throws {
        let (reached, gate) = (Gate(), Gate())
        let source = try FoxSource { request in
            guard request.path == "/img/1.jpg" else { return nil }
            reached.open()
            return LoopbackReply([.wait(gate)] + LoopbackReply.answer(body: FoxSource.image(1)).steps)
        }
        let added = try source.runWithout(
            ["watch", "add", "foxes", "-d", source.target.path, "--", "search", "-p", "foxes", "fox"] + source.common)
        #expect(added.status == 0, "\(added.errors)")
        let running = try RunningCommand(["watch", "run", "foxes"], home: source.home)
        await reached.opened()
        let second = try source.runWithout(["watch", "run", "--all"])
        #expect(second.status == 0 && second.errors == "foxes is being run by another process\n", "\(second.errors)")
        #expect(try source.runWithout(["watch", "remove", "foxes"]).status == 1)
        gate.open()
        while running.nextLine() != nil {}
        #expect(running.status() == 0 && source.files.count == 6)
    }

    @Test func newImagesAreAnnouncedOnce() throws {
        let hooks = try Hook()
        grow(by: 2)
        let query = ["search", "-p", "foxes", "fox"] + hooks.arguments
        #expect(try add(["--webhook", hooks.url, "--exec", "touch {path}.seen"], query: query).status == 0)
        hooks.answer(500)
        let refused = try run()
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("the webhook at http://127.0.0.1:\(hooks.port) answered 500 (expected 2xx)"),
            "\(refused.errors)")
        #expect(
            try !refused.errors.contains("t0ken") && !source.runWithout(["watch", "list"]).output.contains("t0ken"))
        hooks.answer(204)
        grow(by: 1)
        #expect(try run().status == 0)
        #expect(hooks.ids.sorted() == ["1", "1", "2", "2", "3"], "the refused ones again, and the new one")
        #expect(source.files.filter { $0.hasSuffix(".seen") }.count == 3)
        #expect(try run().status == 0 && hooks.server.requests.count == 2)
        let body = String(decoding: try #require(hooks.server.requests.last?.body), as: UTF8.self)
        #expect(
            body.contains(#""watch":"foxes""#) && body.contains("\(source.target.path)/foxes/3-item-3.jpg"), "\(body)")
    }

    @Test func webhookOnThisMachineHasToBeAllowed() throws {
        let hooks = try Hook()
        grow(by: 1)
        #expect(try add(["--webhook", hooks.url]).status == 0)
        let refused = try run()
        #expect(refused.status == 1 && hooks.server.requests.isEmpty)
        #expect(refused.errors.contains("loopback addresses are blocked"), "\(refused.errors)")
    }

    @Test func collectionIsFollowed() throws {
        grow(by: 3)
        #expect(try add(query: ["show", "foxes:den:red"]).status == 0)
        #expect(try run().status == 0 && source.files.count == 3)
        grow(by: 1)
        #expect(try run().status == 0 && source.files.count == 4)
    }

    @Test(arguments: [
        ([], ["show", "foxes:1"], #""foxes:1" is an image (expected an album, a gallery or a user)"#),
        ([], ["search", "-p", "wolves", "x"], "wolves"),
        ([], ["download", "x"], #""download": cannot be watched (expected search, feed or show with a collection)"#),
        ([], ["search", "x", "--nonsense"], #"unknown option "--nonsense""#),
        ([], ["search", "-p", "foxes", "x", "--tags"], "--tags: not allowed in a watch"),
        ([], ["search", "-p", "foxes", "x", "--open"], "--open: not allowed in a watch"),
        ([], ["search", "-p", "foxes", "x", "--select"], "--select: not allowed in a watch"),
        (["--no-archive"], ["search", "x"], "--no-archive: not allowed in a watch"),
        (
            ["--webhook", "nowhere"], ["search", "x"], "--webhook: invalid value \"nowhere\" (expected an absolute URL)"
        ),
    ])
    func slipIsNamedAndNothingIsAdded(_ options: [String], _ query: [String], _ message: String) throws {
        let result = try add(options, query: query)
        #expect(result.status != 0 && result.errors.contains(message), "\(result.errors)")
        #expect(try source.runWithout(["watch", "list"]).output == "")
    }

    /// A changed letter would follow another query.
    @Test func damagedWatchIsRefusedAndCanBeRemoved() throws {
        #expect(try add().status == 0)
        let other = ["watch", "add", "others", "--", "search", "-p", "foxes", "x"]
        #expect(try source.runWithout(other + source.common).status == 0)
        let path = "\(source.home.path)/.config/imgscript/watches/foxes.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("\"fox\"", with: "\"fix\"").write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try run()
        #expect(refused.status == 1 && source.files.isEmpty)
        #expect(refused.errors.contains("watches/foxes.json is damaged (expected a watch as this program"))
        #expect(refused.errors.contains("hint: remove it with imgscript watch remove NAME, then add it again"))
        let list = try source.runWithout(["watch", "list"])
        #expect(list.status == 1 && list.output.contains("others") && list.errors.contains("is damaged"))
        #expect(try source.runWithout(["watch", "remove", "foxes"]).status == 0)
        #expect(try source.runWithout(["watch", "list"]).status == 0)
    }

    @Test func namesAreUniqueAndKnown() throws {
        #expect(try add().status == 0)
        let again = try add()
        #expect(again.status == 64 && again.errors.contains(#"there is a watch "foxes" already"#), "\(again.errors)")
        let unknown = try run(["foxs"])
        #expect(unknown.status == 4 && unknown.errors.contains(#"unknown watch "foxs"; did you mean "foxes"?"#))
        #expect(try source.runWithout(["watch", "run"]).status == 64)
        let bad = try source.runWithout(["watch", "add", "../x", "--", "search", "x"])
        #expect(bad.status == 64 && bad.errors.contains(#"name: found "../x""#), "\(bad.errors)")
        #expect(try source.runWithout(["watch", "remove", "foxes"]).status == 0)
        #expect(try source.runWithout(["watch", "remove", "foxes"]).status == 4)
    }
}

/// A server that takes announcements.
private final class Hook {
    let server: LoopbackServer
    private let answer: Answer

    private final class Answer: Sendable { let status = Mutex(204) }

    init() throws {
        let answer = Answer()
        self.answer = answer
        server = try LoopbackServer { _ in .answer(answer.status.withLock(\.self), text: "") }
    }

    func answer(_ status: Int) { answer.status.withLock { $0 = status } }

    var port: UInt16 { server.port }
    var url: String { "http://127.0.0.1:\(port)/t0ken" }
    var arguments: [String] { ["--allow-host", "127.0.0.1:\(port)"] }

    /// The ids of all announced images.
    var ids: [String] {
        server.requests.flatMap { request in
            String(decoding: request.body, as: UTF8.self).matches(of: /"id":"([^"]+)"/).map { String($0.1) }
        }
    }
}
