import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite(.enabled(if: HelperProcess.path(of: "vipsthumbnail") != nil, "libvips-tools is not installed"))
struct PictureConverterTests {
    private func run(_ format: PictureConversion.Format?, maximumSide: Int? = nil) -> QueueRun {
        var run = QueueRun(anyContent: false)
        run.template = "{id}.{ext}"
        run.hasArchive = true
        run.options.conversion = PictureConversion(to: format, maximumSide: maximumSide)
        return run
    }

    private func size(of name: String, in run: QueueRun, _ format: MediaFormat) throws -> ImageSize? {
        let bytes = try #require(FileManager.default.contents(atPath: "\(run.folder.path)/\(name)"))
        return try ImageSize(of: BytesContent(Array(bytes)), as: format)
    }

    @Test(arguments: [
        (PictureConversion.Format.webp, "1.webp", MediaFormat.webp), (.jpeg, "1.jpg", .jpeg), (.avif, "1.avif", .avif),
    ])
    func pictureGetsTheFormatAndItsEnding(
        _ target: PictureConversion.Format, _ name: String, _ format: MediaFormat
    ) async throws {
        let picture = TestPicture.scene(1)
        let server = try FileServer(picture)
        var run = run(target)
        run.hasCredits = true
        run.hasSidecars = true
        let requests = ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "png")])
        let outcome = try await run.run(requests)
        #expect(outcome.errors.map(\.message) == [])
        #expect(outcome.finished.map(\.path) == [name])
        #expect(outcome.finished.first?.format == format.rawValue)
        #expect(outcome.finished.first?.notes.last == "converted from png of 180×160")
        #expect(try size(of: name, in: run, format) == ImageSize(width: 180, height: 160))
        #expect(run.names == [name, name + ".json", "credits.json", "credits.md"].sorted())
        #expect(run.text(of: "credits.json").contains("\"path\":\"\(name)\""))
        #expect(run.text(of: name + ".json").contains("\"path\":\"\(name)\""))
        // The archive knows what came, and the next run asks for nothing.
        let record = try DownloadArchive(path: run.folder.path + "/.archive/a.sqlite").record(of: requests[0].key)
        #expect(
            record?.content.map {
                fingerprint(picture).hasSuffix($0.prefix(6).map { String($0, radix: 16) }.joined(separator: "."))
            } == true)
        #expect(record?.sha256 != record?.content)
        #expect(try await run.run(requests).skips == [.archived(path: name)])
        #expect(server.server.requests.count == 1)
    }

    @Test(arguments: [(90, 80), (180, 160), (500, 160)]) func pictureIsScaledDownAndNeverUp(side: Int, height: Int)
        async throws
    {
        let picture = TestPicture.scene(1)
        let server = try FileServer(picture)
        let run = run(nil, maximumSide: side)
        let outcome = try await run.run(
            ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "png")]))
        #expect(outcome.finished.map(\.path) == ["1.png"])
        #expect(try size(of: "1.png", in: run, .png)?.height == height)
        if side >= 180 { #expect(run.content(of: "1.png") == fingerprint(picture), "it is not touched") }
    }

    @Test func animationStaysOneWhereTheFormatCan() async throws {
        let animation = TestPicture.gif(images: 3)
        let server = try FileServer(animation)
        let requests = ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "gif")])
        let moving = run(.webp)
        #expect(try await moving.run(requests).finished.map(\.path) == ["1.webp"])
        let pages = try #require(HelperProcess.path(of: "vipsheader"))
        #expect(
            try HelperProcess.run("/bin/sh", ["-c", "test $(\(pages) -f n-pages \(moving.folder.path)/1.webp) = 3"]))
        let still = run(.jpeg)
        let outcome = try await still.run(requests)
        #expect(outcome.finished.map(\.path) == ["1.gif"])
        #expect(outcome.finished.first?.unconverted == "it has several images, of which a jpeg file would keep one")
        #expect(outcome.summary.unconverted == 1 && outcome.summary.failed == 0)
        #expect(still.content(of: "1.gif") == fingerprint(animation))
    }

    @Test func damagedPictureStaysAsItCame() async throws {
        let picture = TestPicture.undecodable()
        let server = try FileServer(picture)
        let run = run(.webp)
        let outcome = try await run.run(
            ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "png")]))
        #expect(outcome.finished.map(\.path) == ["1.png"])
        #expect(outcome.finished.first?.unconverted?.isEmpty == false)
        #expect(outcome.summary.unconverted == 1)
        #expect(run.content(of: "1.png") == fingerprint(picture))
    }

    @Test func formatThatOthersWriteBetterIsLeftAlone() async throws {
        let picture = ImageBytes.bmp()
        let server = try FileServer(picture)
        let run = run(.webp)
        let outcome = try await run.run(
            ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "bmp")]))
        #expect(outcome.finished.map(\.path) == ["1.bmp"])
        #expect(outcome.finished.first?.unconverted == "bmp files are left as they are")
    }

    @Test func nothingIsLeftOfAConversionThatIsCancelled() async throws {
        let server = try FileServer(TestPicture.scene(1, width: 1_800, height: 1_600))
        let run = run(.avif)
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        let requests = ItemSource(server.origin).requests([ItemSource(server.origin).item("1", ending: "png")])
        let task = Task { try await queue.run(requests) }
        while server.server.requests.isEmpty { await Task.yield() }
        task.cancel()
        _ = await task.result
        #expect(run.names.filter { !$0.hasSuffix(".part") && !$0.hasSuffix(".avif") } == [])
        #expect(try await run.run(requests).summary.failed == 0)
        #expect(run.names == ["1.avif"])
    }
}

@Suite struct PictureConversionTests {
    @Test(
        arguments: [
            (PictureConversion.Format.webp, nil, MediaFormat.jpeg, MediaFormat.webp), (.webp, nil, .webp, nil),
            (.webp, 100, .webp, .webp), (nil, 100, .jpeg, .jpeg), (nil, 4_000, .jpeg, nil), (nil, nil, .jpeg, nil),
            (.jpeg, 100, .mp4, nil), (.jpeg, nil, .zip, nil),
        ] as [(PictureConversion.Format?, Int?, MediaFormat, MediaFormat?)])
    func onlyPicturesThatAreNotAsTheyShouldBeAreConverted(
        _ format: PictureConversion.Format?, _ side: Int?, _ source: MediaFormat, _ expected: MediaFormat?
    ) {
        let conversion = PictureConversion(to: format, maximumSide: side)
        #expect(conversion.target(of: source, ImageSize(width: 4_000, height: 3_000)) == expected)
    }

    @Test(arguments: [
        ("exit 255", "libvips failed (exit status 255); it may have no more than 2 GB of memory"),
        ("echo vipsthumbnail: unable to thumbnail stdin >&2; echo pngload: bad data >&2; exit 1", "pngload: bad data"),
        ("kill -9 $$", "libvips failed (killed by signal 9); it may have no more than 2 GB of memory"),
    ])
    func failureIsSaidInTheWordsOfTheProgram(_ script: String, _ reason: String) async throws {
        let folder = TemporaryFolder()
        for name in ["vipsthumbnail", "vipsheader"] {
            let path = "\(folder.path)/\(name)"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let program = try PictureProgram(environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        let part = try PartFile("a.part", in: try DownloadFolder(path: folder.path).root)
        let error = await #expect(throws: PictureProgram.Failure.self) {
            _ = try await program.thumbnail(of: part, size: "9x8!", as: ".pgm")
        }
        #expect(error?.reason == reason)
    }

    @Test func missingProgramIsSaidWithItsPackage() {
        let error = #expect(throws: DownloadError.self) { try PictureProgram(environment: ["PATH": "/nowhere"]) }
        #expect(error?.code == .pictures)
        #expect(
            error?.message
                == "could not find the program vipsthumbnail that converts and compares pictures (expected that of libvips-tools)"
        )
    }
}
