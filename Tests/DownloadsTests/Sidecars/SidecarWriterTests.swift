import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct SidecarWriterTests {
    private func run(hasSidecars: Bool = true) -> QueueRun {
        var run = QueueRun()
        run.template = "{id}.{ext}"
        run.hasArchive = true
        run.hasSidecars = hasSidecars
        return run
    }

    @Test func wholeItemAndHowItWasFetchedStandBesideTheImage() async throws {
        let image = ImageBytes.jpeg()
        let server = try FileServer(image)
        let run = run()
        _ = try await run.run(ItemSource(server.origin).requests(["7"]))
        let hash = Hashes.sha256(image).hexadecimal
        #expect(
            run.text(of: "7.jpg.json") == """
                {"provider":"example","id":"7","type":"image","title":"Red fox","page":"https://example.com/photos/7",\
                "tags":["fox","dawn"],"author":{"name":"Jean Exemple","url":"https://example.com/jean"},\
                "license":{"id":"cc-by-4.0","url":"https://creativecommons.org/licenses/by/4.0/"},\
                "media":[{"role":"original","url":"\(server.origin)/7.jpg"}],"fetched":{"key":"example:7:original",\
                "role":"original","url":"\(server.origin)/7.jpg","path":"7.jpg","bytes":\(image.count),"sha256":"\(hash)",\
                "format":"jpeg","width":40,"height":30,"time":"2023-11-14T22:13:20Z"}}

                """)
        #expect(run.names == ["7.jpg", "7.jpg.json"])
    }

    @Test func tagsStandOneALine() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var run = run()
        run.sidecarFormats = [.tags]
        var source = ItemSource(server.origin)
        source.key = "s3cret"
        var item = source.item("7", title: "Fox")
        item.tags = ["red fox", "two\nlines", "s3cret tag"]
        _ = try await run.run(source.requests([item]))
        #expect(run.text(of: "7.jpg.txt") == "red fox\ntwo lines\n*** tag\n")
        #expect(run.names == ["7.jpg", "7.jpg.txt"])
    }

    @Test(.enabled(if: ExifTool.path != nil, "exiftool is not installed"))
    func photoLibrariesReadTheXMP() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var run = run()
        run.sidecarFormats = [.xmp]
        let source = ItemSource(server.origin)
        var item = source.item("7", title: "Füchse <im> Schnee & “Eis”")
        (item.tags, item.created, item.description) = (["fox", "dawn, late"], "2023-11-14T06:30:00Z", "Two foxes")
        _ = try await run.run(source.requests([item]))
        #expect(run.names == ["7.jpg", "7.jpg.xmp"])
        let path = run.folder.path + "/7.jpg.xmp"
        let found = try ExifTool.tags(of: [path])[path] ?? []
        for tag in [
            "XMP:Title=Füchse <im> Schnee & “Eis”", "XMP:Creator=Jean Exemple", "XMP:Subject=fox | dawn, late",
            "XMP:TagsList=fox | dawn, late", "XMP:Description=Two foxes", "XMP:Rights=CC BY 4.0",
            "XMP:WebStatement=https://creativecommons.org/licenses/by/4.0/",
            "XMP:DateCreated=2023:11:14 06:30:00Z", "XMP:DateTimeOriginal=2023:11:14 06:30:00Z",
            "XMP:LicensorURL=https://example.com/photos/7", "XMP:Credit=Photo by Jean Exemple on Example",
        ] { #expect(found.contains(tag), "\(tag) in \(found.sorted())") }
        #expect(!found.contains { $0.hasPrefix("ExifTool:Warning") || $0.hasPrefix("ExifTool:Error") })
    }

    @Test func bareURLHasOneToo() async throws {
        let server = try FileServer([1, 2, 3])
        let run = run()
        _ = try await run([server.origin + "/a.bin?size=2"])
        #expect(run.text(of: "a.bin.json").contains("\"url\":\"\(server.origin)/a.bin?size=2\""))
    }

    @Test(arguments: ["s3cret-key", "pass\"word\\1", "a b/c+d"])
    func secretsAreNeverWritten(_ key: String) async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var source = ItemSource(server.origin)
        source.key = key
        var item = source.item("1", title: "with \(key) inside")
        item.extra = JSONText(validated: #"{"token":"\#(PercentEncoding.encode(key))"}"#)
        let run = run()
        #expect(try await run.run(source.requests([item])).summary.finished == 1)
        let text = run.text(of: "1.jpg.json")
        #expect(text.contains("with *** inside"))
        for form in [key, PercentEncoding.encode(key), key.replacing("\"", with: "\\\"")] {
            #expect(!text.contains(form))
        }
    }

    @Test func signedLastMomentURLIsWrittenWithoutItsSignature() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var run = run()
        run.resolver = SigningResolver(url: server.origin + "/real.jpg?signature=abcdef")
        _ = try await run.run(ItemSource(server.origin).requests(["1"]))
        #expect(run.text(of: "1.jpg.json").contains("\"url\":\"\(server.origin)/real.jpg\""))
        #expect(!run.text(of: "1.jpg.json").contains("abcdef"))
    }

    @Test func fileThatCameIntoAnEmptyFolderMeanwhileHasOneToo() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let run = run()
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: run.folder.path + "/1.jpg"))
        #expect(try await queue.run(ItemSource(server.origin).requests(["1"])).skipped == 1)
        #expect(run.names == ["1.jpg", "1.jpg.json"])
        #expect(server.server.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func missingSidecarIsAddedWithoutARequest(hasArchive: Bool) async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        var first = run(hasSidecars: false)
        first.hasArchive = hasArchive
        _ = try await first.run(source.requests(["1", "2"]))
        var second = QueueRun(first.folder)
        second.template = first.template
        second.hasArchive = hasArchive
        second.hasSidecars = true
        #expect(try await second.run(source.requests(["1", "2"])).summary.skipped == 2)
        #expect(second.names == ["1.jpg", "1.jpg.json", "2.jpg", "2.jpg.json"])
        #expect(second.text(of: "2.jpg.json").contains(Hashes.sha256(ImageBytes.jpeg()).hexadecimal))
        #expect(server.server.requests.count == 2)
    }

    @Test func deletedImageGetsNoSidecar() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let run = run()
        _ = try await run.run(ItemSource(server.origin).requests(["1"]))
        for name in run.names { try FileManager.default.removeItem(atPath: run.folder.path + "/" + name) }
        _ = try await run.run(ItemSource(server.origin).requests(["1"]))
        #expect(run.names.isEmpty)
    }
}

private struct SigningResolver: MediaResolver {
    let url: String

    func media(for planned: PlannedFile) async throws -> Media? { Media(role: .original, url: try WebURL(url)) }
}
