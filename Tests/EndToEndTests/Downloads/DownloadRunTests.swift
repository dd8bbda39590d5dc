import Crypto
import Foundation
import TestSupport
import Testing

/// How a run of downloads ends, and how the next goes on from there.
struct DownloadRunTests {
    @Test(
        arguments: [
            ([1], 0), ([1, 404], 2), ([404], 4), ([403], 1), ([404, 403], 1), ([], 0),
        ] as [([Int], Int32)])
    func exitCodeSaysHowItWent(answers: [Int], status: Int32) throws {
        let source = try FoxSource { request in
            let status = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
            return status > 400 ? .answer(status, text: "no") : nil
        }
        let list = answers.map { "\(source.server.origin)/img/\($0).jpg\n" }.joined()
        let run = try source.download(["-"], input: list)
        #expect(run.status == status, "\(run.errors)")
    }

    @Test(arguments: [("50%", 0), ("1", 0), ("49%", 1), ("0", 1)] as [(String, Int32)])
    func failuresUpToTheirLimitAreNoError(limit: String, status: Int32) throws {
        let source = try FoxSource { $0.path == "/img/2.jpg" ? .answer(404, text: "gone") : nil }
        let list = [1, 2].map { "\(source.server.origin)/img/\($0).jpg\n" }.joined()
        for _ in 0..<2 {
            let run = try source.download(["-", "--max-failures", limit], input: list)
            #expect(run.status == status, "\(run.errors)")
            // With few failures allowed the run ends with the first, whatever has come by then.
            let isGivenUp = run.errors.contains("error: too many downloads failed: 1 of ")
            #expect(isGivenUp == (status != 0) && run.errors.contains("(expected at most \(limit))") == isGivenUp)
        }
    }

    @Test func passwordInAnAddressIsNotRepeated() throws {
        let source = try FoxSource()
        let run = try source.download(["https://anna:pw@127.0.0.1/x.jpg"])
        #expect(run.errors.contains("https://***@127.0.0.1/x.jpg: expected an absolute URL"))
        #expect(!(run.output + run.errors).contains("anna:pw"))
        let noted = try String(contentsOfFile: "\(source.target.path)/.imgscript/failed.jsonl", encoding: .utf8)
        #expect(noted.hasPrefix(#"{"url":"https://***@127.0.0.1/x.jpg","failed":{"code":"input","#))
    }

    @Test func failuresAreGroupedAndTriedAgain() throws {
        let mended = Mended()
        let source = try FoxSource { request in
            ["/img/2.jpg", "/img/5.jpg"].contains(request.path) && !mended.isTrue ? .answer(404, text: "gone") : nil
        }
        let first = try source.download(["-p", "foxes", "fox"])
        #expect(first.status == 2)
        #expect(first.errors.contains("\n  2 × gone (404): foxes:"))
        #expect(
            first.errors.contains(
                "hint: imgscript download -d \(source.target.path) --retry-failed retries the failed downloads"))
        _ = try source.download(["-p", "foxes", "fox"])
        mended.set()
        let asked = source.requests(for: "/img/").count
        let again = try source.download(["--retry-failed"])
        #expect(again.status == 0, "\(again.errors)")
        #expect(source.requests(for: "/img/").dropFirst(asked).sorted() == ["/img/2.jpg", "/img/5.jpg"])
        #expect(source.files.count == 6)
        let last = try source.download(["--retry-failed"])
        #expect(last.errors == "no failed downloads in \(source.target.path)\n")
    }

    @Test func deadLinksAreNotRequestedInEachRun() throws {
        let source = try FoxSource { $0.path == "/img/2.jpg" ? .answer(404, text: "gone") : nil }
        #expect(try source.download(["-p", "foxes", "fox"]).status == 2)
        let again = try source.download(["-p", "foxes", "fox"])
        #expect(again.status == 2)
        #expect(again.errors.contains("no files downloaded · 5 existing · 1 failed before"), "\(again.errors)")
        #expect(again.errors.contains("1 dead link of earlier runs was not requested again"), "\(again.errors)")
        #expect(again.errors.contains("--retry-failed retries the failed downloads"), "\(again.errors)")
        #expect(source.requests(for: "/img/2.jpg").count == 1)
        let plan = try source.download(["-p", "foxes", "fox", "--dry-run"])
        #expect(plan.errors.contains("5 existing · 1 failed before"), "\(plan.errors)")
        _ = try source.download(["-p", "foxes", "fox", "--dead-link-age", "0"])
        #expect(source.requests(for: "/img/2.jpg").count == 2)
        let events = try source.download(["-p", "foxes", "fox", "--progress", "json"]).output
        #expect(events.contains(#"{"event":"skipped","key":"foxes:2:large","reason":"failed-before"}"#), "\(events)")
    }

    @Test(arguments: ["", "--progress json"])
    func readerThatLeavesDoesNotEndTheDownloads(options: String) throws {
        let source = try FoxSource()
        let words = ["download", "-d", source.target.path, "-p", "foxes", "fox"] + source.common
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try CommandRun(
            shell: "imgscript \(line) \(options) | head -n 1", environment: ["HOME": source.home.path])
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(source.files.count == 6)
        #expect(!run.errors.contains("error"), "\(run.errors)")
        #expect(run.errors.contains("6 files in"), "\(run.errors)")
    }

    @Test func outputThatCannotBeWrittenFailsWhenAllIsDownloaded() throws {
        let source = try FoxSource()
        let words = ["download", "-d", source.target.path, "-p", "foxes", "fox"] + source.common
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try CommandRun(shell: "imgscript \(line) >/dev/full", environment: ["HOME": source.home.path])
        #expect(run.status == 1)
        #expect(source.files.count == 6)
        #expect(run.errors.contains("error: could not write the output: No space left on device"), "\(run.errors)")
    }

    @Test func nameOfTheServerStandsForAnAddressWithoutOne() throws {
        let source = try FoxSource { request in
            guard request.path == "/get" else { return nil }
            let id = request.target.split(separator: "=").last.map(String.init) ?? ""
            let name = "attachment; filename=\"x.jpg\"; filename*=UTF-8''f%C3%BCchse%20\(id).jpg"
            return .answer(headers: [("Content-Disposition", name)], body: FoxSource.image(Int(id) ?? 0))
        }
        let urls = [1, 2].map { "\(source.server.origin)/get?id=\($0)" } + ["\(source.server.origin)/img/3.jpg"]
        #expect(try source.download(urls).status == 0)
        #expect(source.files == ["127.0.0.1/3.jpg", "127.0.0.1/füchse 1.jpg", "127.0.0.1/füchse 2.jpg"])
        #expect(try source.download(urls).errors.contains("3 existing"))
        let other = ["-d", source.target.path + "/other", "--no-archive"]
        for _ in 1...2 { _ = try source.run("download", other + urls) }
        let found = source.files.filter { $0.hasPrefix("other/127.0.0.1/") }.map {
            $0.dropFirst("other/127.0.0.1/".count)
        }
        #expect(found.count == 3 && found.contains("3.jpg") && found.contains("get.jpg"), "\(found)")
        #expect(source.requests(for: "/get").count == 4)
    }

    @Test func eventsAreOneObjectToALine() throws {
        let source = try FoxSource { $0.path == "/img/2.jpg" ? .answer(404, text: "gone") : nil }
        _ = try source.download(["foxes:1"])
        let run = try source.download(["-p", "foxes", "-n", "3", "--progress", "json", "fox"])
        let events = try run.output.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        func event(_ name: String) -> [String: Any]? { events.first { $0["event"] as? String == name } }
        #expect(event("skipped")?["reason"] as? String == "archived")
        #expect(event("failed")?["subject"] as? String == "foxes:2")
        #expect(event("failed")?["code"] as? String == "notFound")
        #expect(event("finished")?["path"] as? String == "foxes/3-item-3.jpg")
        #expect(event("finished")?["bytes"] as? Int == FoxSource.image(3).count)
        let digest = SHA256.hash(data: FoxSource.image(3)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        #expect(event("finished")?["sha256"] as? String == digest.joined())
        #expect(event("input-ended")?["count"] as? Int == 3)
        let summary = try #require(events.last)
        #expect(summary["event"] as? String == "summary")
        #expect(["finished", "skipped", "failed"].map { summary[$0] as? Int } == [1, 1, 1])
    }

    @Test func archiveServesSeveralFolders() throws {
        let source = try FoxSource()
        let archive = ["--archive", source.target.path + "/all.sqlite", "--credits", "none"]
        _ = try source.download(["-p", "foxes", "-n", "3", "fox"] + archive)
        let other = source.target.path + "/other"
        let run = try source.run("download", ["-d", other, "-p", "foxes", "fox"] + archive)
        #expect(run.output.split(separator: "\n").count == 3)
        #expect(source.requests(for: "/img/").count == 6)
    }

    @Test func runEndsAfterSoManyThatWereThere() throws {
        let source = try FoxSource(total: 30)
        _ = try source.download(["-p", "foxes", "-n", "10", "fox"])
        let run = try source.download([
            "-p", "foxes", "-n", "30", "--abort-after", "5", "--pages-in-flight", "1", "fox",
        ])
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("no files downloaded · 5 existing"))
        #expect(run.errors.contains("stopped by --abort-after: 5 existing files in a row"))
        #expect(source.files.count == 10)
    }

    @Test func interruptKeepsWhatIsThereAndTheNextRunGoesOn() async throws {
        let large = FoxSource.image(9, payload: 700_000)
        let half = Gate()
        let interrupted = Mended()
        let source = try FoxSource { request in
            guard request.path == "/img/9.jpg" else { return nil }
            let head = [("ETag", "\"9\""), ("Accept-Ranges", "bytes")]
            if let range = request.header("range"), interrupted.isTrue {
                let start = Int(range.dropFirst(6).prefix { $0.isNumber }) ?? 0
                let place = ("Content-Range", "bytes \(start)-\(large.count - 1)/\(large.count)")
                return .answer(206, headers: head + [place], body: Array(large[start...]))
            }
            guard case .send(let bytes)? = LoopbackReply.answer(headers: head, body: large).steps.first else {
                return nil
            }
            // Where nothing was kept, the whole is asked for again.
            if interrupted.isTrue { return .answer(headers: head, body: large) }
            half.open()
            return LoopbackReply([.send(Array(bytes.prefix(400_000))), .stall])
        }
        let list = source.target.path + "/list"
        FolderListing.write("foxes:1\n\(source.server.origin)/img/9.jpg\n", to: list)
        let arguments = ["download", "-d", source.target.path, "-i", list, "--name", "{id}.{ext}"] + source.common
        let command = try RunningCommand(arguments)
        #expect(command.nextLine() == "1.jpg")
        await half.opened()
        let begun = { source.files.contains { $0.hasPrefix("9.") } }
        while !begun() { await Task.yield() }
        command.process.interrupt()
        #expect(command.status() == 130)
        #expect(source.files.filter { $0 != "list" }.map { $0.hasSuffix(".part") ? "part" : $0 } == ["1.jpg", "part"])
        interrupted.set()
        let again = try source.run("download", Array(arguments.dropFirst().dropLast(source.common.count)))
        #expect(again.status == 0, "\(again.errors)")
        #expect(source.files == ["1.jpg", "9.jpg", "list"])
        #expect(source.bytes(of: "9.jpg") == large)
        #expect(source.requests(for: "/img/1.").count == 1)
    }

    @Test func secondInterruptEndsAtOnce() async throws {
        let asked = Gate()
        let source = try FoxSource { request in
            guard request.path == "/img/1.jpg" else { return nil }
            asked.open()
            return LoopbackReply([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n0123456789".utf8)), .stall])
        }
        let command = try RunningCommand(["download", "-d", source.target.path, "foxes:1"] + source.common)
        await asked.opened()
        let deadline = ContinuousClock.now + .seconds(10)
        while command.process.isRunning, ContinuousClock.now < deadline {
            command.process.interrupt()
            await Task.yield()
        }
        #expect(command.status() == 130)
        #expect(source.files.allSatisfy { $0.hasSuffix(".part") || $0 == "foxes" })
    }
}

/// Whether something has happened, for a server's threads.
final class Mended: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isTrue: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
