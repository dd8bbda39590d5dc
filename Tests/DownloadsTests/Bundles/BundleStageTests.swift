import Foundation
import HTTPTransport
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct BundleStageTests {
    private let server: FileServer
    private let source: ItemSource
    private let folder = TemporaryFolder()

    init() throws {
        server = try FileServer([]) { request, _ in .answer(body: Self.bytes(of: request.path)) }
        source = ItemSource(server.origin)
    }

    private static func bytes(of path: String) -> [UInt8] {
        patterned(2_000, seed: UInt64(path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } & 0xffff))
    }

    private func run(_ format: DownloadOptions.Bundle.Format? = .zip) -> QueueRun {
        var run = QueueRun(folder)
        run.template = "{id}.{ext}"
        run.hasArchive = true
        run.hasCredits = true
        run.hasSidecars = true
        run.options.bundle = format.map { DownloadOptions.Bundle($0, name: "red fox") }
        return run
    }

    /// The requests for the images of an album.
    private func album(_ ids: [String], id: String = "7", title: String? = "Dens & dawns") -> [DownloadRequest] {
        var album = Item(provider: ProviderID("example")!, id: id, type: .collection)
        album.title = title
        album.created = "2024-05-06"
        return ids.enumerated().flatMap { place, id in
            try! DownloadRequest.requests(
                for: source.item(id), from: source.source, index: place + 1, of: album, place: place + 1)
        }
    }

    /// What an archive holds, by name, apart from what is written about its files.
    private func content(of path: String) throws -> [String: String] {
        var content: [String: String] = [:]
        for (name, bytes) in try entries(of: path) where !Self.generated.contains(name) {
            content[name] = fingerprint(bytes)
        }
        return content
    }

    private func entries(of path: String) throws -> [(name: String, bytes: [UInt8])] {
        let file = DescriptorContent(owning: open("\(folder.path)/\(path)", O_RDONLY))
        let reader = try ZIPReader(file.descriptor, path: path)
        var entries: [(name: String, bytes: [UInt8])] = []
        while let entry = try reader.next() { entries.append((entry.name, try reader.content())) }
        return entries
    }

    private static let generated = ["metadata.jsonl", "credits.md", "credits.json", "ComicInfo.xml"]

    private func expected(_ names: [(name: String, path: String)]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0.name, fingerprint(Self.bytes(of: $0.path))) })
    }

    private var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/.imgscript/bundles")) ?? []
    }

    // MARK: What goes where

    @Test func filesOfACollectionEndInOneArchiveWithTheirCredits() async throws {
        let run = run()
        let outcome = try await run.run(album(["1", "2", "3"]))
        #expect(outcome.bundles.map(\.path) == ["example/7-dens-dawns.zip"])
        #expect(outcome.bundles.map(\.files) == [3])
        #expect(
            try content(of: "example/7-dens-dawns.zip")
                == expected([("1.jpg", "/1.jpg"), ("2.jpg", "/2.jpg"), ("3.jpg", "/3.jpg")]))
        #expect(run.names == ["credits.json", "credits.md", "example"])
        #expect(run.text(of: "credits.json").contains(#""path":"example/7-dens-dawns.zip/2.jpg""#))
        let about = Dictionary(
            uniqueKeysWithValues: try entries(of: "example/7-dens-dawns.zip").map {
                ($0.name, String(decoding: $0.bytes, as: UTF8.self))
            })
        #expect(about["credits.json"]?.contains(#""path":"2.jpg""#) == true)
        #expect(about["credits.md"]?.contains("Photo by Jean Exemple on Example") == true)
        let lines = about["metadata.jsonl"]?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix(#"{"file":""#) })
        #expect(lines[1].contains(#""key":"example:2:original""#) && lines[1].contains(#""title":"Red fox""#))
        #expect(DownloadInput(line: lines[1])?.subject.reference == "example:2", "a list of inputs, too")
        #expect(leftovers == [])
    }

    @Test func metadataOfABareURLIsAnInputToo() async throws {
        let url = server.origin + "/1.jpg"
        var run = run()
        run.template = "{name}.{ext}"
        _ = try await run([url])
        let lines = try entries(of: "red fox.zip").first { $0.name == "metadata.jsonl" }
        let text = String(decoding: lines?.bytes ?? [], as: UTF8.self)
        #expect(DownloadInput(line: text)?.subject == .reference(url))
    }

    @Test func comicBookHasNumberedPagesAndSaysWhatItIs() async throws {
        let run = run(.cbz)
        _ = try await run.run(album(["b", "a", "c"]))
        #expect(
            try content(of: "example/7-dens-dawns.cbz")
                == expected([("00001.jpg", "/b.jpg"), ("00002.jpg", "/a.jpg"), ("00003.jpg", "/c.jpg")]))
        let entries = try entries(of: "example/7-dens-dawns.cbz")
        #expect(entries.prefix(3).map(\.name) == ["00001.jpg", "00002.jpg", "00003.jpg"], "in reading order")
        let comic = entries.first { $0.name == "ComicInfo.xml" }.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(
            comic == """
                <?xml version="1.0" encoding="utf-8"?>
                <ComicInfo>
                  <Title>Dens &amp; dawns</Title>
                  <Year>2024</Year>
                  <Month>5</Month>
                  <PageCount>3</PageCount>
                </ComicInfo>

                """)
    }

    @Test func itemOfSeveralFilesHasAnArchiveOfItsOwnAndTheOthersShareOne() async throws {
        var post = source.item("post")
        post.media = (1...3).map { number in
            var media = Media(role: .original, url: try! WebURL("\(server.origin)/page\(number).jpg"))
            media.file = number
            return media
        }
        let run = run(.cbz)
        let outcome = try await run.run(source.requests([post, source.item("1"), source.item("2")]))
        #expect(outcome.bundles.map(\.path) == ["example/post-red-fox.cbz", "red fox.cbz"])
        #expect(
            try content(of: "example/post-red-fox.cbz")
                == expected((1...3).map { ("0000\($0).jpg", "/page\($0).jpg") }))
        #expect(try content(of: "red fox.cbz") == expected([("00002.jpg", "/1.jpg"), ("00003.jpg", "/2.jpg")]))
    }

    @Test func tagsGoWithTheirFiles() async throws {
        var run = run(.cbz)
        run.sidecarFormats = [.json, .tags]
        _ = try await run.run(album(["1"]))
        let entries = try entries(of: "example/7-dens-dawns.cbz")
        #expect(
            entries.first { $0.name == "00001.jpg.txt" }.map { String(decoding: $0.bytes, as: UTF8.self) }
                == "fox\ndawn\n")
        _ = try await run.run(album(["1", "2"]))
        #expect(try self.entries(of: "example/7-dens-dawns.cbz").count { $0.name.hasSuffix(".txt") } == 2)
        #expect(run.names == ["credits.json", "credits.md", "example"])
    }

    // MARK: Later runs

    @Test(arguments: DownloadOptions.Bundle.Format.allCases)
    func laterRunAddsWhatIsNewAndAsksForNothingElse(_ format: DownloadOptions.Bundle.Format) async throws {
        let run = run(format)
        let path = "example/7-dens-dawns.\(format.rawValue)"
        _ = try await run.run(album(["1", "2"]))
        let before = try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)"))
        let again = try await run.run(album(["1", "2"]))
        #expect(again.bundles.isEmpty && again.summary.skipped == 2)
        #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)")) == before)
        let more = try await run.run(album(["3", "1", "2", "4"]))
        #expect(more.bundles.map(\.files) == [4])
        #expect(server.server.requests.map(\.path).sorted() == ["/1.jpg", "/2.jpg", "/3.jpg", "/4.jpg"])
        let names =
            format == .zip
            ? ["1.jpg", "2.jpg", "3.jpg", "4.jpg"] : ["00001.jpg", "00002.jpg", "00003.jpg", "00004.jpg"]
        let paths = ["/1.jpg", "/2.jpg", "/3.jpg", "/4.jpg"]
        #expect(try content(of: path) == expected(zip(names, paths).map { ($0, $1) }))
        let credits = try entries(of: path).first { $0.name == "credits.json" }
        #expect(String(decoding: credits?.bytes ?? [], as: UTF8.self).components(separatedBy: "\"path\"").count == 5)
    }

    @Test func pageThatFailedGetsItsNumberLater() async throws {
        let run = run(.cbz)
        _ = try await run.run(album(["1", "2", "3"]).filter { $0.place != 2 })
        _ = try await run.run(album(["1", "2", "3"]))
        #expect(
            try content(of: "example/7-dens-dawns.cbz")
                == expected([("00001.jpg", "/1.jpg"), ("00002.jpg", "/2.jpg"), ("00003.jpg", "/3.jpg")]))
    }

    @Test func otherFileOfTheSameNameIsKeptBesideTheFirst() async throws {
        var run = run()
        run.template = "{title}.{ext}"
        _ = try await run.run(album(["1"]))
        _ = try await run.run(album(["1", "2"]))
        let names = try content(of: "example/7-dens-dawns.zip").keys.sorted()
        #expect(names.count == 2 && names[0] == "Red fox.jpg" && names[1].hasPrefix("Red fox~"), "\(names)")
    }

    // MARK: Interruptions

    @Test func whatAKilledRunLeftIsTakenInWithoutARequest() async throws {
        _ = try await run(nil).run(album(["1", "2"]))
        // What it had begun to write, and a part of another archive.
        let own = folder.path + "/.imgscript/bundles"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for name in [BundleWriter.partName(of: "example/7-dens-dawns.zip"), "0123456789abcdef.part"] {
            try Data("PK half".utf8).write(to: URL(filePath: "\(own)/\(name)"))
        }
        try Data("+".utf8).write(to: URL(filePath: "\(folder.path)/.imgscript/runs.lock"))
        _ = try RunLock(DownloadFolder(path: folder.path))
        #expect(leftovers == [])
        let run = run()
        _ = try await run.run(album(["1", "2", "3"]))
        #expect(server.server.requests.count == 3)
        #expect(try content(of: "example/7-dens-dawns.zip").count == 3)
        #expect(run.names == ["credits.json", "credits.md", "example"])
    }

    @Test(arguments: DownloadOptions.Bundle.Format.allCases)
    func runThatWasKilledBehindTheRenamingIsRepeated(_ format: DownloadOptions.Bundle.Format) async throws {
        let path = "example/7-dens-dawns.\(format.rawValue)"
        _ = try await run(format).run(album(["1", "2"]))
        let archive = try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)"))
        let expected = try content(of: path)
        // The files lie in the folder still, and the archive of downloads says so.
        try FileManager.default.removeItem(atPath: folder.path)
        _ = try await run(nil).run(album(["1", "2"]))
        try FileManager.default.createDirectory(atPath: folder.path + "/example", withIntermediateDirectories: true)
        try archive.write(to: URL(filePath: "\(folder.path)/\(path)"))
        let outcome = try await run(format).run(album(["1", "2"]))
        #expect(outcome.bundles.map(\.files) == [2])
        #expect(try content(of: path) == expected)
        #expect(run().names == ["credits.json", "credits.md", "example"])
    }

    @Test func runThatWasKilledWhileItRemovedFilesIsRepaired() async throws {
        let run = run()
        let path = "example/7-dens-dawns.zip"
        _ = try await run.run(album(["1", "2"]))
        // As it was before the last steps: the records name the files, of which one is there still.
        let archive = try DownloadArchive(path: folder.path + "/.archive/a.sqlite")
        let keys = album(["1", "2"]).map(\.key)
        try archive.move(zip(keys, ["1.jpg", "2.jpg"]).map { (key: $0, path: $1) })
        try Data(Self.bytes(of: "/2.jpg")).write(to: URL(filePath: folder.path + "/2.jpg"))
        let outcome = try await run.run(album(["1", "2"]))
        #expect(outcome.bundles.map(\.files) == [2] && outcome.summary.skipped == 2)
        #expect(try content(of: path) == expected([("1.jpg", "/1.jpg"), ("2.jpg", "/2.jpg")]))
        let paths = ["\(path)/1.jpg", "\(path)/2.jpg"]
        #expect(try DownloadArchive(path: folder.path + "/.archive/a.sqlite").paths(of: keys) == paths)
        #expect(run.text(of: "credits.json").components(separatedBy: "\"path\"").count == 3)
        // And with nothing left to add.
        try archive.move(zip(keys, ["1.jpg", "2.jpg"]).map { (key: $0, path: $1) })
        #expect(try await run.run(album(["1", "2"])).bundles.isEmpty)
        #expect(try DownloadArchive(path: folder.path + "/.archive/a.sqlite").paths(of: keys) == paths)
        #expect(server.server.requests.count == 2)
    }

    @Test func archiveOfAnotherProgramIsLeftAloneAndTheFilesStay() async throws {
        let path = folder.path + "/example/7-dens-dawns.zip"
        try FileManager.default.createDirectory(atPath: folder.path + "/example", withIntermediateDirectories: true)
        for content in [[UInt8]("no archive".utf8), [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)] {
            try Data(content).write(to: URL(filePath: path))
            let run = run()
            let outcome = try await run.run(album(["1"]))
            #expect(outcome.summary.failedBundles == 1 && outcome.summary.failed == 0)
            let message = outcome.bundles.first?.failure?.message ?? ""
            #expect(
                message.contains("not a complete ZIP archive") || message.contains("was not written by imgscript"),
                "\(message)")
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(content))
            #expect(run.content(of: "1.jpg") == fingerprint(Self.bytes(of: "/1.jpg")))
            #expect(leftovers == [])
        }
    }

    @Test func contentInAnArchiveIsNotStoredTwice() async throws {
        var run = run()
        run.options.duplicates = .skip
        _ = try await run.run(album(["1"]))
        let other = try FileServer(Self.bytes(of: "/1.jpg"))
        let outcome = try await run.run(ItemSource(other.origin).requests(["9"]))
        #expect(outcome.skips == [.duplicate(path: "example/7-dens-dawns.zip/1.jpg")])
    }
}

@Suite struct ZIPFileTests {
    @Test(.enabled(if: HelperProcess.path(of: "python3") != nil, "python3 is not installed"))
    func otherProgramsReadNamesAndContent() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.zip"
        let file = DescriptorContent(owning: open(path, O_RDWR | O_CREAT, 0o644))
        let writer = try ZIPWriter(to: file.descriptor, path: path)
        try writer.add("a/żółć 狐.jpg", Array("fox".utf8), time: 1_700_000_000)
        try writer.finish()
        let script = """
            import zipfile, sys
            a = zipfile.ZipFile(sys.argv[1])
            i = a.infolist()
            sys.exit(not (a.testzip() is None and len(i) == 1 and i[0].filename == 'a/żółć 狐.jpg'
                and i[0].compress_type == 0 and a.read(i[0]) == b'fox'))
            """
        let python = try #require(HelperProcess.path(of: "python3"))
        #expect(try HelperProcess.run(python, ["-c", script, path]))
    }
}

@Suite struct DownloadOptionsTests {
    @Test func whatNeedsARecordIsRefusedWithoutOne() throws {
        var options = DownloadOptions()
        options.bundle = DownloadOptions.Bundle(.zip)
        try options.validate()
        options.archive = .none
        #expect((#expect(throws: DownloadError.self) { try options.validate() })?.code == .option)
        options.bundle = nil
        try options.validate()
        options.nearDuplicates = .report
        #expect((#expect(throws: DownloadError.self) { try options.validate() })?.code == .option)
        options = DownloadOptions()
        options.bundle = DownloadOptions.Bundle(.cbz)
        options.output = .shards(.default)
        #expect((#expect(throws: DownloadError.self) { try options.validate() })?.code == .option)
    }
}
