import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct CreditLedgerTests {
    private static let program = BuiltExecutable.path(of: "download-benchmark")

    private func run(_ folder: TemporaryFolder = TemporaryFolder(), anyContent: Bool = true) -> QueueRun {
        var run = QueueRun(folder, anyContent: anyContent)
        run.template = "{id}.{ext}"
        run.hasCredits = true
        return run
    }

    /// The files that credits.json names.
    private func credited(_ folder: String) throws -> [String] {
        struct Credits: Decodable {
            struct Entry: Decodable {
                var path: String
            }

            var credits: [Entry]
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/credits.json"))
        return try JSONDecoder().decode(Credits.self, from: data).credits.map(\.path)
    }

    @Test func filesAreCreditedAsTheirSourceAsks() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        var anonymous = source.item("2", title: "Fox [2]")
        anonymous.author = nil
        anonymous.license = nil
        let run = run()
        _ = try await run.run(source.requests([anonymous, source.item("1 a")]))
        #expect(
            run.text(of: "credits.md") == #"""
                <!-- Written by imgscript; updated by every download. -->

                # Image credits

                - [1 a.jpg](<1%20a.jpg>): “Red fox” by [Jean Exemple](<https://example.com/jean>), [CC BY 4.0](<https://creativecommons.org/licenses/by/4.0/>), [Example Pictures](<https://example.com/photos/1%20a>)
                  > Photo by Jean Exemple on Example
                - [2.jpg](<2.jpg>): “Fox \[2\]”, [Example Pictures](<https://example.com/photos/2>)
                  > “Fox \[2\]”, via Example Pictures

                """#)
        #expect(
            run.text(of: "credits.json").split(separator: "\n")[1] == """
                {"path":"1 a.jpg","provider":"example","id":"1 a","title":"Red fox","author":{"name":"Jean Exemple",\
                "url":"https://example.com/jean"},"source":{"name":"Example Pictures",\
                "url":"https://example.com/photos/1%20a"},"license":{"id":"cc-by-4.0","name":"CC BY 4.0",\
                "url":"https://creativecommons.org/licenses/by/4.0/"},"attribution":"Photo by Jean Exemple on Example"},
                """)
    }

    @Test func whatASourceWantsSaidIsSaidOnceAtTheEnd() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var source = ItemSource(server.origin)
        let run = run()
        _ = try await run.run(source.requests(["1"]))
        #expect(!run.text(of: "credits.json").contains("notices"))
        // Also of files that an earlier run credited without it.
        source.notice = "This product uses the Example API but is not endorsed by Example."
        _ = try await run.run(source.requests(["1", "2"]))
        #expect(
            run.text(of: "credits.md").hasSuffix(
                "  > Photo by Jean Exemple on Example\n\n\(source.notice ?? "")\n"))
        #expect(run.text(of: "credits.json").hasSuffix("\n],\n\"notices\":[\"\(source.notice ?? "")\"]}\n"))
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg"])
        #expect(run.text(of: "credits.md").split(separator: source.notice ?? "").count == 2)
    }

    @Test func creditsFollowRunsAndFilesDeletedByHand() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        let run = run()
        _ = try await run.run(source.requests(["3", "1"]))
        _ = try await run.run(source.requests(["2"]))
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg", "3.jpg"])
        try FileManager.default.removeItem(atPath: run.folder.path + "/2.jpg")
        _ = try await run.run(source.requests(["4"]))
        #expect(try credited(run.folder.path) == ["1.jpg", "3.jpg", "4.jpg"])
        // A file that comes to lie where a deleted one was has its own credit.
        var other = self.run(run.folder)
        other.template = "2.{ext}"
        _ = try await other.run(source.requests([source.item("9", title: "Another")]))
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
        #expect(run.text(of: "credits.md").contains("[2.jpg](<2.jpg>): “Another”"))
    }

    @Test func filesOfARunWithoutCreditsAreCreditedWhenTheyAreMetAgain() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        var run = run()
        run.hasCredits = false
        run.hasArchive = true
        _ = try await run.run(source.requests(["1", "2"]))
        run.hasCredits = true
        #expect(try await run.run(source.requests(["1", "2"])).summary.skipped == 2)
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg"])
    }

    @Test func creditOfAFileStaysWhenItsImageIsNamedByItsIdOnly() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        var run = run()
        run.hasArchive = true
        _ = try await run.run(source.requests(["1"]))
        let credits = run.text(of: "credits.md")
        #expect(credits.contains("Photo by Jean Exemple on Example"))
        let item = source.item("1")
        var named = Item(provider: item.provider, id: item.id)
        named.media = item.media
        #expect(try await run.run(source.requests([named])).summary.skipped == 1)
        #expect(run.text(of: "credits.md") == credits)
        // Where nothing is known of it, it is credited as far as it goes.
        try FileManager.default.removeItem(atPath: run.folder.path + "/.imgscript/archive.sqlite")
        _ = try await run.run(source.requests([named]))
        #expect(try credited(run.folder.path) == ["1.jpg"])
    }

    @Test func fileThatAKilledRunStoredIsCreditedWhereItIsMet() throws {
        let folder = TemporaryFolder()
        let request = ItemSource("https://a.example").requests(["1"])[0]
        try Data(ImageBytes.jpeg()).write(to: URL(fileURLWithPath: folder.path + "/1.jpg"))
        do {
            let killed = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
            try killed.store([(request.key, "elsewhere.jpg", Credit(request, from: request.media))])
        }
        let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
        try ledger.notePresent([(request, "1.jpg")])
        try ledger.update()
        #expect(try credited(folder.path) == ["1.jpg"])
    }

    @Test func fileThatAnotherProcessCreatedMeanwhileIsCredited() async throws {
        let folder = TemporaryFolder()
        let server = try FileServer([]) { _, _ in
            // The second was planned, but not begun, when the folder was still empty.
            try? Data(ImageBytes.jpeg()).write(to: URL(fileURLWithPath: folder.path + "/2.jpg"))
            return .answer(body: ImageBytes.jpeg())
        }
        var run = run(folder)
        run.options.jobs = 1
        let outcome = try await run.run(ItemSource(server.origin).requests(["1", "2"]))
        #expect(outcome.summary.finished == 1)
        #expect(outcome.summary.skipped == 1)
        #expect(try credited(folder.path) == ["1.jpg", "2.jpg"])
    }

    @Test func filesThatSayAllAlreadyAreLeftAlone() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        let run = run()
        let paths = CreditFormat.allCases.map { run.folder.path + "/" + $0.fileName }
        func numbers() throws -> [Int?] {
            try paths.map { try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int }
        }
        _ = try await run.run(source.requests(["1", "2"]))
        let (first, text) = (try numbers(), run.text(of: "credits.md"))
        _ = try await run.run(source.requests(["1", "2"]))
        #expect(try numbers() == first)
        // What was changed or removed is repaired, in all files.
        try Data((text + "and more").utf8).write(to: URL(fileURLWithPath: paths[0]))
        _ = try await run.run(source.requests(["1"]))
        #expect(run.text(of: "credits.md") == text)
        try FileManager.default.removeItem(atPath: paths[1])
        _ = try await run.run(source.requests(["1"]))
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg"])
        // So is the list when a file that it names has gone, or has come back.
        try FileManager.default.moveItem(atPath: run.folder.path + "/2.jpg", toPath: run.folder.path + "/away")
        _ = try await run.run(source.requests(["1"]))
        #expect(try credited(run.folder.path) == ["1.jpg"])
        try FileManager.default.moveItem(atPath: run.folder.path + "/away", toPath: run.folder.path + "/2.jpg")
        _ = try await run.run(source.requests(["1"]))
        #expect(try credited(run.folder.path) == ["1.jpg", "2.jpg"])
    }

    @Test func longListIsWrittenWholeAndInOrder() throws {
        let folder = TemporaryFolder()
        let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: CreditFormat.allCases)
        let names = (1...1_100).map { "\($0).jpg" }
        for request in ItemSource("https://a.example").requests((1...1_100).map(String.init)) {
            let name = "\(request.index).jpg"
            if !request.index.isMultiple(of: 7) {
                try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name))
            }
            try ledger.notePresent([(request, name)])
        }
        try ledger.update()
        let present = names.enumerated().filter { !($0.offset + 1).isMultiple(of: 7) }.map(\.element)
        #expect(try credited(folder.path) == present.sorted())
        let lines = try String(contentsOfFile: folder.path + "/credits.md", encoding: .utf8).split(separator: "\n- ")
        #expect(lines.dropFirst().map { $0.prefix { $0 != "]" }.dropFirst() } == present.sorted().map { $0[...] })
    }

    @Test func fileOfOnesOwnIsNotOverwritten() async throws {
        let run = run()
        let path = run.folder.path + "/credits.md"
        try Data("my notes".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DownloadError.self) {
            try CreditLedger(folder: DownloadFolder(path: run.folder.path), formats: [.markdown])
        }
        #expect(error?.message.contains("was not written by imgscript, and is not overwritten") == true)
        #expect(run.text(of: "credits.md") == "my notes")
    }

    @Test func secretsAreNotCredited() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var source = ItemSource(server.origin)
        source.key = "s3cret-key"
        let run = run()
        _ = try await run.run(source.requests([source.item("1", title: "s3cret-key")]))
        #expect(!run.text(of: "credits.json").contains("s3cret") && !run.text(of: "credits.md").contains("s3cret"))
    }

    @Test func killedRunsLeaveNoCreditOut() async throws {
        let server = try FileServer([]) { request, _ in
            .answer(body: patterned(5_000, seed: UInt64(request.path.count)))
        }
        let folder = TemporaryFolder()
        let target = folder.path + "/out"
        for round in 0..<6 {
            let names = (0..<60).map { "/\(round)-\($0).jpg" }
            let list = try URLFile(names.map { server.origin + $0 }, in: folder).path
            let seen = server.server.requests.count
            let process = try HelperProcess(
                Self.program, [list, target, "--any", "--jobs", "4", "--no-archive", "--credits"])
            while server.server.requests.count < seen + 20 + round { await Task.yield() }
            process.crash()
            _ = process.nextBytes()
        }
        // The last run has nothing to do with those that were killed.
        let last = try URLFile([server.origin + "/last.jpg"], in: folder).path
        #expect(try HelperProcess.run(Self.program, [last, target, "--any", "--no-archive", "--credits"]))
        let files = try FileManager.default.contentsOfDirectory(atPath: target).filter { $0.hasSuffix(".jpg") }.sorted()
        #expect(files.count > 6 * 10)
        #expect(try credited(target) == files)
    }

    @Test func twoProcessesInOneFolderAreBothCredited() async throws {
        let server = try FileServer([1, 2, 3])
        let folder = TemporaryFolder()
        let target = folder.path + "/out"
        let lists = try ["a", "b"].map { letter in
            try URLFile((0..<100).map { "\(server.origin)/\(letter)\($0).jpg" }, in: folder).path
        }
        async let first = HelperProcess.runOnThread(Self.program, [lists[0], target, "--any", "--credits"])
        async let second = HelperProcess.runOnThread(Self.program, [lists[1], target, "--any", "--credits"])
        #expect(try await [first, second] == [true, true])
        let files = try FileManager.default.contentsOfDirectory(atPath: target).filter { $0.hasSuffix(".jpg") }.sorted()
        #expect(files.count == 200)
        #expect(try credited(target) == files)
    }
}
