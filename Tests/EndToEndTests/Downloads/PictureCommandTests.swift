import Foundation
import TestSupport
import Testing

/// Conversion and near-duplicates, from the command line.
struct PictureCommandTests {
    static let hasProgram = HelperProcess.path(of: "vipsthumbnail") != nil

    /// A source of real pictures, of which the first two look alike and the third is damaged.
    private static func source() throws -> FoxSource {
        try FoxSource { request in
            switch request.path {
            case "/img/1.jpg": .answer(body: TestPicture.scene(1))
            case "/img/2.jpg": .answer(body: TestPicture.scene(1, width: 90, height: 80, noise: 2))
            case "/img/3.jpg": .answer(body: TestPicture.undecodable())
            default: nil
            }
        }
    }

    @Test func missingProgramIsOneErrorBeforeAnythingIsFetched() throws {
        let source = try FoxSource()
        for options in [["--convert", "webp"], ["--max-side", "100"], ["--near-duplicates", "report"]] {
            let run = try source.run(
                "download", ["-d", source.target.path, "-p", "foxes", "fox"] + options,
                environment: ["PATH": "/nowhere"])
            #expect(run.status == 1)
            #expect(
                run.errors == """
                    error: could not find the program vipsthumbnail that converts and compares pictures (expected that of \
                    libvips-tools)
                    hint: apt install libvips-tools, or run the command without --convert, --max-side and --near-duplicates

                    """)
        }
        #expect(source.server.requests.isEmpty)
    }

    @Test(.enabled(if: hasProgram, "libvips-tools is not installed"))
    func picturesAreConvertedAndWhatCannotBeIsSaidOnce() throws {
        let source = try Self.source()
        let run = try source.download(["-p", "foxes", "-n", "3", "--convert", "webp", "--max-side", "60", "fox"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["foxes/1-item-1.webp", "foxes/2-item-2.webp", "foxes/3-item-3.png"])
        #expect(
            run.errors.components(separatedBy: "warning: foxes/3-item-3.png: not converted: ").count == 2,
            "\(run.errors)")
        #expect(run.errors.contains("  1 × not converted\n"), "\(run.errors)")
        #expect(source.bytes(of: "foxes/1-item-1.webp")?.starts(with: Array("RIFF".utf8)) == true)
        let credits = String(decoding: source.bytes(of: "credits.json") ?? [], as: UTF8.self)
        #expect(credits.contains(#""path":"foxes/1-item-1.webp""#))
        let again = try source.download(["-p", "foxes", "-n", "3", "--convert", "webp", "fox"])
        #expect(again.errors.contains("no files downloaded · 3 existing"), "\(again.errors)")
        #expect(source.requests(for: "/img/").count == 3)
        let plan = try source.download(["-p", "foxes", "-n", "4", "--convert", "webp", "--dry-run", "fox"])
        #expect(plan.output.hasPrefix("foxes/4-item-4.webp\t"), "\(plan.output)")
    }

    @Test(.enabled(if: hasProgram, "libvips-tools is not installed"))
    func picturesThatLookAlikeAreReportedOrSkipped() throws {
        let source = try Self.source()
        let options = ["-p", "foxes", "-n", "2", "--jobs", "1", "fox", "--near-duplicates"]
        let run = try source.download(options + ["report"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("foxes/2-item-2.png looks like foxes/1-item-1.png\n"), "\(run.errors)")
        #expect(run.errors.contains("1 file that looks like others"), "\(run.errors)")
        let other = try Self.source()
        let json = try other.download(options + ["report", "--progress", "json"])
        #expect(json.output.contains(#""nearDuplicate":{"path":"foxes/1-item-1.png","distance":"#), "\(json.output)")
        let third = try Self.source()
        let skipped = try third.download(options + ["skip", "--progress", "json"])
        #expect(
            skipped.output.contains(
                #"{"event":"skipped","key":"foxes:2:large","reason":"near-duplicate","path":"foxes/1-item-1.png"}"#),
            "\(skipped.output)")
        #expect(third.files == ["foxes/1-item-1.png"])
        #expect(try third.download(options + ["skip"]).errors.contains("2 existing"))
        #expect(third.requests(for: "/img/").count == 2)
    }

    @Test(.enabled(if: hasProgram, "libvips-tools is not installed"))
    func stagesFollowEachOther() throws {
        let source = try Self.source()
        let run = try source.download([
            "-p", "foxes", "-n", "2", "--jobs", "1", "fox", "--near-duplicates", "skip", "--convert", "jpeg", "--cbz",
            "--exec", "cp {path} {folder}/seen.jpg",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["fox.cbz", "foxes/seen.jpg"])
        #expect(source.bytes(of: "foxes/seen.jpg")?.starts(with: [0xff, 0xd8]) == true)
        let next = try source.download([
            "-p", "foxes", "-n", "3", "--jobs", "1", "fox", "--near-duplicates", "skip", "--convert", "jpeg", "--cbz",
        ])
        #expect(next.status == 0 && source.files == ["fox.cbz", "foxes/seen.jpg"], "\(next.errors)")
        #expect(source.requests(for: "/img/").count == 3)
    }
}
