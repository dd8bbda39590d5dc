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
        "Xmp.dc.description": "lang=\"x-default\" Two foxes, at dawn", "Xmp.dc.subject": "fox, dawn",
        "Xmp.photoshop.DateCreated": "2023-11-14", "Exif.Image.Artist": "Jean Exemple",
        "Exif.Image.Copyright": "CC BY 4.0", "Exif.Image.ImageDescription": "Two foxes, at dawn",
        "Xmp.dc.rights": "lang=\"x-default\" CC BY 4.0", "Xmp.xmpRights.UsageTerms": "lang=\"x-default\" CC BY 4.0",
        "Xmp.xmpRights.WebStatement": "https://creativecommons.org/licenses/by/4.0/",
        "Xmp.photoshop.Source": "https://example.com/photos/1",
        "Xmp.photoshop.Credit": "Photo by Jean Exemple on Example",
        "Xmp.plus.Licensor[1]/plus:LicensorURL": "https://example.com/photos/1",
    ]

    private static let iptc = [
        "Iptc.Application2.ObjectName": "Füchse “im” Schnee", "Iptc.Application2.Byline": "Jean Exemple",
        "Iptc.Application2.Copyright": "CC BY 4.0", "Iptc.Application2.Credit": "Example Pictures",
        "Iptc.Application2.Caption": "Two foxes, at dawn", "Iptc.Application2.DateCreated": "2023-11-14",
    ]

    @Test(arguments: [MediaFormat.jpeg, .png, .webp, .tiff])
    func whatIsKnownStandsInTheImageAndThePictureIsTheSame(format: MediaFormat) async throws {
        let image = SampleImages.bytes(format)
        let server = try FileServer(image)
        let source = ItemSource(server.origin)
        let run = run()
        var item = source.item("1", title: "Füchse “im” Schnee", ending: format.fileEnding)
        (item.description, item.created) = ("Two foxes, at dawn", "2023-11-14")
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
            try ImageCheck(BytesContent(written), of: item.media[0]).size
                == ImageCheck(BytesContent(image), of: item.media[0]).size)
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

    /// Writes into a JPEG with these segments; returns what became of it, and the run.
    private func write(_ segments: [[UInt8]], title: String = "Fox") async throws -> (bytes: [UInt8], run: QueueRun) {
        let image = Array(SampleImages.bytes(.jpeg))
        let inserted = segments.flatMap { [0xff] + $0.prefix(1) + ImageBytes.big($0.count + 1, 2) + $0.dropFirst() }
        let server = try FileServer(image.prefix(2) + inserted + image.dropFirst(2))
        let run = run()
        let outcome = try await run.run(
            ItemSource(server.origin).requests([ItemSource(server.origin).item("1", title: title)]))
        #expect(outcome.finished.map(\.file.notes) == [[]])
        return (Array(try #require(FileManager.default.contents(atPath: run.folder.path + "/1.jpg"))), run)
    }

    /// A colour profile, of whose content nobody looks at more than its length.
    private static let profile = ImageBytes.big(300, 4) + (4..<300).map { UInt8($0 * 7 & 255) }

    @Test func colourProfileStaysWhereverItsPiecesEnd() async throws {
        let name = [0xe2] + Array("ICC_PROFILE\0".utf8)
        let pieces = [name + [1, 2] + Self.profile[..<120], name + [2, 2] + Self.profile[120...]]
        let (bytes, run) = try await write(pieces)
        #expect(try value(of: "Xmp.dc.creator", in: run, "1.jpg") == "Jean Exemple")
        #expect(bytes.lastPlace(of: Array(Self.profile.suffix(100))) != nil)

        let picture = ImageBytes.png()
        let chunk = TestPicture.chunk("iCCP", Array("a name\0\0".utf8) + TestPicture.stored(Self.profile))
        let server = try FileServer(picture.prefix(33) + chunk + picture.dropFirst(33))
        let source = ItemSource(server.origin)
        let outcome = try await run.run(source.requests([source.item("2", ending: "png")]))
        #expect(outcome.finished.map(\.file.notes) == [[]])
        #expect(try value(of: "Xmp.dc.creator", in: run, "2.png") == "Jean Exemple")
    }

    private static func iptc(_ city: [UInt8]) -> [UInt8] {
        let data = [0x1c, 2, 90] + ImageBytes.big(city.count, 2) + city
        return [0xed] + Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 0, 0]
            + ImageBytes.big(data.count, 4) + data
            + (data.count % 2 == 0 ? [] : [0])
    }

    @Test(arguments: [
        (Array("Bern".utf8), "Füchse"), (Array("Zürich".utf8), "Füchse"), ([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68], nil),
    ])
    func textsOfIPTCAreAddedUnlessTheirCharactersCannotBe(_ city: [UInt8], _ title: String?) async throws {
        let (bytes, run) = try await write([Self.iptc(city)], title: "Füchse")
        #expect(bytes.lastPlace(of: [0x1c, 2, 90] + ImageBytes.big(city.count, 2) + city) != nil)
        #expect(try value(of: "Iptc.Application2.Byline", in: run, "1.jpg") == "Jean Exemple")
        #expect(try value(of: "Iptc.Application2.ObjectName", in: run, "1.jpg") == title)
    }

    /// Their offsets count from the beginning of the Exif data, which a new field there would move.
    @Test func notesOfACameraStayInTheirPlace() async throws {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            ImageBytes.little(tag, 2) + ImageBytes.little(type, 2) + ImageBytes.little(count, 4)
                + ImageBytes.little(value, 4)
        }
        let notes = Array("Invented\0".utf8) + [UInt8](repeating: 0xa5, count: 40)
        let exif =
            Array("II".utf8) + ImageBytes.little(42, 2) + ImageBytes.little(8, 4) + ImageBytes.little(1, 2)
            + entry(0x8769, 4, 1, 26) + ImageBytes.little(0, 4) + ImageBytes.little(1, 2)
            + entry(0x927c, 7, notes.count, 44) + ImageBytes.little(0, 4) + notes
        let (bytes, run) = try await write([[0xe1] + Array("Exif\0\0".utf8) + exif])
        #expect(try value(of: "Xmp.dc.creator", in: run, "1.jpg") == "Jean Exemple")
        #expect(try value(of: "Exif.Image.Artist", in: run, "1.jpg") == nil)
        let start = try #require(bytes.lastPlace(of: Array("Exif\0\0II".utf8))) + 6
        #expect(Array(bytes[(start + 44)...].prefix(notes.count)) == notes)
    }

    /// The library reads nothing of a property that is there twice, and would write its own over all of it.
    @Test func unreadableXMPIsLeftAsItIs() async throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">\
            <photoshop:City>Bern</photoshop:City><photoshop:City>Basel</photoshop:City>\
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let segment = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
        let jpeg = SampleImages.bytes(.jpeg)
        let image = jpeg.prefix(2) + [0xff, 0xe1] + ImageBytes.big(segment.count + 2, 2) + segment + jpeg.dropFirst(2)
        let server = try FileServer(Array(image))
        let run = run()
        let source = ItemSource(server.origin)
        let outcome = try await run.run(source.requests([source.item("1")]))
        #expect(
            outcome.finished.first?.file.notes == [
                "metadata not written: its XMP data cannot be read, and would have been lost"
            ])
        #expect(run.content(of: "1.jpg") == fingerprint(Array(image)))
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

/// ExifTool reads files by itself, and takes nothing over from the library that wrote them.
@Suite(.enabled(if: cmetadata_load() == nil && ExifTool.path != nil, "libgexiv2 or ExifTool is not installed"))
struct MetadataReadByOthersTests {
    @Test func otherProgramsReadWhatWasWritten() throws {
        let files = TemporaryFolder()
        for format in MetadataWriter.formats {
            let image = BytesContent(SampleImages.bytes(format))
            let edited = try #require(try MetadataEditor.add(ExifTool.fields, to: image, as: format))
            let name = "1." + format.fileEnding
            try Data(try edited.bytes(at: 0, count: edited.count)).write(to: URL(filePath: files.path + "/" + name))
        }
        let tags = try ExifTool.tags(of: MetadataWriter.formats.map { "\(files.path)/1.\($0.fileEnding)" })
        for format in MetadataWriter.formats {
            let found = try #require(tags["\(files.path)/1.\(format.fileEnding)"])
            let missing = ExifTool.expected(format).filter { !found.contains($0) }
            #expect(missing == [], "\(format): \(found)")
        }
    }
}
