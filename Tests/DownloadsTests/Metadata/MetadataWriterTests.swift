import CMetadata
import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite(.enabled(if: cmetadata_load() == nil, "libgexiv2 is not installed")) struct MetadataWriterTests {
    private func run() -> QueueRun {
        var run = QueueRun(anyContent: false)
        run.template = "{id}.{ext}"
        run.hasArchive = true
        run.options.writesMetadata = true
        return run
    }

    private func value(of tag: String, in run: QueueRun, _ name: String) throws -> String? {
        let file = DescriptorContent(owning: open(run.folder.path + "/" + name, O_RDONLY))
        var value = [CChar](repeating: 0, count: 512)
        guard cmetadata_read(file.descriptor, tag, &value, value.count) == 0 else { return nil }
        return String(decoding: value.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static let expected = [
        "Xmp.dc.title": "lang=\"x-default\" Füchse “im” Schnee", "Xmp.dc.creator": "Jean Exemple",
        "Xmp.dc.rights": "lang=\"x-default\" CC BY 4.0", "Xmp.xmpRights.UsageTerms": "lang=\"x-default\" CC BY 4.0",
        "Xmp.xmpRights.WebStatement": "https://creativecommons.org/licenses/by/4.0/",
        "Xmp.photoshop.Source": "https://example.com/photos/1",
        "Xmp.photoshop.Credit": "Photo by Jean Exemple on Example",
        "Xmp.plus.Licensor[1]/plus:LicensorURL": "https://example.com/photos/1",
    ]

    private static let iptc = [
        "Iptc.Application2.ObjectName": "Füchse “im” Schnee", "Iptc.Application2.Byline": "Jean Exemple",
        "Iptc.Application2.Copyright": "CC BY 4.0", "Iptc.Application2.Credit": "Example Pictures",
    ]

    @Test(arguments: [MediaFormat.jpeg, .png, .webp, .tiff])
    func whatIsKnownStandsInTheImageAndThePictureIsTheSame(format: MediaFormat) async throws {
        let image = SampleImages.bytes(format)
        let server = try FileServer(image)
        let source = ItemSource(server.origin)
        let run = run()
        let item = source.item("1", title: "Füchse “im” Schnee", ending: format.fileEnding)
        let outcome = try await run.run(source.requests([item]))
        #expect(!SampleImages.picture(image, format).isEmpty)
        let name = "1." + format.fileEnding
        #expect(outcome.finished.map(\.file.notes) == [[]])
        for (tag, text) in Self.expected { #expect(try value(of: tag, in: run, name) == text, "\(tag)") }
        if format == .jpeg || format == .tiff {
            for (tag, text) in Self.iptc { #expect(try value(of: tag, in: run, name) == text, "\(tag)") }
        }
        let written = Array(try #require(FileManager.default.contents(atPath: run.folder.path + "/" + name)))
        #expect(SampleImages.picture(written, format) == SampleImages.picture(image, format))
        #expect(
            try ImageCheck(MemoryContent(written), of: item.media[0]).size
                == ImageCheck(MemoryContent(image), of: item.media[0]).size)
    }

    @Test func archiveKnowsTheFileAsItLiesThereAndTheNextRunSkipsIt() async throws {
        let server = try FileServer(SampleImages.bytes(.jpeg))
        let run = run()
        let requests = ItemSource(server.origin).requests(["1"])
        let outcome = try await run.run(requests)
        let record = try #require(
            try DownloadArchive(path: run.folder.path + "/.archive/a.sqlite").record(of: outcome.finished[0].key))
        let written = Array(try #require(FileManager.default.contents(atPath: run.folder.path + "/1.jpg")))
        #expect(record.sha256 == Hashes.sha256(written) && record.bytes == written.count)
        #expect(record.content == Hashes.sha256(SampleImages.bytes(.jpeg)))
        #expect(try await run.run(requests).summary.skipped == 1)
        #expect(server.server.requests.count == 1)
    }

    @Test func whatWasChangedIsFoundAgainByWhatItWas() async throws {
        let server = try FileServer(SampleImages.bytes(.jpeg))
        var run = run()
        let source = ItemSource(server.origin)
        _ = try await run.run(source.requests(["1"]))
        run.options.duplicates = .skip
        #expect(try await run.run(source.requests(["2"])).skips == [.duplicate(path: "1.jpg")])
    }

    @Test func whatAnImageSaysAlreadyStays() async throws {
        let server = try FileServer(SampleImages.bytes(.jpeg))
        let run = run()
        let source = ItemSource(server.origin)
        _ = try await run.run(source.requests([source.item("1", title: "first")]))
        let first = Array(try #require(FileManager.default.contents(atPath: run.folder.path + "/1.jpg")))
        let second = try FileServer(first)
        var item = ItemSource(second.origin).item("2", title: "second")
        item.author = Author(name: "Somebody Else")
        _ = try await run.run(ItemSource(second.origin).requests([item]))
        #expect(try value(of: "Xmp.dc.title", in: run, "2.jpg") == "lang=\"x-default\" first")
        #expect(try value(of: "Xmp.dc.creator", in: run, "2.jpg") == "Jean Exemple")
        #expect(try value(of: "Iptc.Application2.Byline", in: run, "2.jpg") == "Jean Exemple")
    }

    @Test func formatThatCannotCarryItIsSaidAndLeft() async throws {
        let image = ImageBytes.gif()
        let server = try FileServer(image)
        let run = run()
        let source = ItemSource(server.origin)
        let outcome = try await run.run(source.requests([source.item("1", ending: "gif")]))
        #expect(
            outcome.finished.first?.file.notes == [
                "metadata not written: gif files cannot carry it here, jpeg, png, webp, tiff can"
            ])
        #expect(run.content(of: "1.gif") == fingerprint(image))
    }

    @Test func sameContentIsFoundThoughItsMetadataDiffer() async throws {
        let server = try FileServer(SampleImages.bytes(.png))
        var run = run()
        run.options.jobs = 1
        run.options.duplicates = .skip
        let source = ItemSource(server.origin)
        let items = ["1", "2"].map { source.item($0, title: "Title \($0)", ending: "png") }
        let outcome = try await run.run(source.requests(items))
        #expect(outcome.skips == [.duplicate(path: "1.png")])
        #expect(run.names == ["1.png"])
    }

    @Test func hostileTextsAreValuesAndNothingElse() async throws {
        let server = try FileServer(SampleImages.bytes(.jpeg))
        let run = run()
        let source = ItemSource(server.origin)
        let title = "lang=\"de\" <x:xmpmeta> ]]> & \u{1}\u{0} " + String(repeating: "ü", count: 4_000)
        _ = try await run.run(source.requests([source.item("1", title: title)]))
        let written = try #require(try value(of: "Xmp.dc.title", in: run, "1.jpg"))
        #expect(written.hasPrefix("lang=\"x-default\" lang=\"de\" <x:xmpmeta> ]]> &"))
    }
}
