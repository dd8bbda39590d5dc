import Foundation
import TestSupport
import Testing

/// Posts of several files, films and archives of frames, from the command line.
struct SeveralFilesTests {
    /// A source of one post of three files (the third a film), one film, and one archive of frames.
    private final class PostSource {
        let server: LoopbackServer
        let target = TemporaryFolder()
        private let providers = TemporaryFolder()
        private let home = TemporaryFolder()

        init() throws {
            server = try LoopbackServer { request in
                if request.path == "/list" { return .answer(text: "{}") }
                let number = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
                if request.path.hasSuffix(".mp4") { return .answer(body: OptionImage.film) }
                if request.path.hasSuffix(".zip") {
                    return .answer(
                        body: [0x50, 0x4b, 3, 4, UInt8(number), 0, 0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 18))
                }
                return .answer(body: FoxSource.image(number))
            }
            FolderListing.write(Self.provider(port: server.port), to: "\(providers.path)/posts.js")
        }

        func run(_ command: String, _ arguments: [String], input: String = "") throws -> CommandRun {
            try CommandRun(
                [command] + arguments + [
                    "--providers-folder", providers.path, "--allow-host", "127.0.0.1:\(server.port)",
                ],
                input: input, environment: ["HOME": home.path])
        }

        var files: [String] {
            FolderListing.allFiles(under: target.path).map { String($0.dropFirst(target.path.count + 1)) }
                .filter { !$0.hasPrefix(".imgscript") && !$0.hasPrefix("credits.") }.sorted()
        }

        private static func provider(port: UInt16) -> String {
            """
            const at = 'http://127.0.0.1:\(port)/';
            const file = (name, number, role = 'original') => ({ role, url: at + name, file: number });
            const items = [
              { id: 'post', title: 'Kettles', media: [
                file('1.jpg', 1), file('10.jpg', 1, 'small'), file('2.jpg', 2), file('3.mp4', 3), file('30.jpg', 3, 'small')] },
              { id: 'film', type: 'video', title: 'Steam', media: [file('4.mp4'), file('40.jpg', 1, 'thumbnail')] },
              { id: 'moving', type: 'animation', title: 'Spin', media: [{ role: 'original', url: at + '5.zip', type: 'animation',
                frames: [{ file: '0.jpg', delay: 80 }, { file: '1.jpg', delay: 120 }] }] },
            ];
            module.exports = {
              contract: 1, id: 'posts', name: 'Posts', version: '1.0.0',
              hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1'], paging: 'none',
              search: { request: () => ({ url: at + 'list' }), parse: () => ({ items }) },
              details: { request: () => ({ url: at + 'list' }), parse: (res, item) => items.find(({ id }) => id === item.id) },
            };
            """
        }
    }

    @Test func filesOfAPostComeInOrderAndFilmsOnlyWhereAskedFor() throws {
        let source = try PostSource()
        let arguments = ["-d", source.target.path, "-p", "posts", "x"]
        let run = try source.run("download", arguments)
        #expect(run.status == 0, "\(run.errors)")
        let pictures = [
            "posts/moving-spin.zip", "posts/moving-spin.zip.json", "posts/post-kettles-01.jpg",
            "posts/post-kettles-02.jpg",
        ]
        #expect(source.files == pictures)
        #expect(run.errors.contains("1 filtered out"), "\(run.errors)")
        let again = try source.run("download", arguments)
        #expect(again.errors.contains("no files downloaded · 3 existing"), "\(again.errors)")
        let all = try source.run("download", arguments + ["--media", "image,animation,video"])
        #expect(all.status == 0 && all.errors.contains("3 existing"), "\(all.errors)")
        #expect(source.files == (pictures + ["posts/film-steam.mp4", "posts/post-kettles-03.mp4"]).sorted())
        let fetched = source.server.requests.map(\.path).filter { $0 != "/list" }
        #expect(fetched.sorted() == ["/1.jpg", "/2.jpg", "/3.mp4", "/4.mp4", "/5.zip"])
        let frames = try String(contentsOfFile: "\(source.target.path)/posts/moving-spin.zip.json", encoding: .utf8)
        #expect(frames.contains(#""frames":[{"file":"0.jpg","delay":80},{"file":"1.jpg","delay":120}]"#))
    }

    @Test func jsonLinesLeadToTheSameFiles() throws {
        let source = try PostSource()
        let listed = try source.run("search", ["-p", "posts", "--media", "all", "-f", "jsonl", "x"])
        #expect(listed.output.split(separator: "\n").count == 3)
        let run = try source.run(
            "download", ["-d", source.target.path, "--media", "all", "--name", "{id}/{file|'0'}.{ext}", "-"],
            input: listed.output)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            source.files == [
                "film/0.mp4", "moving/0.zip", "moving/0.zip.json", "post/1.jpg", "post/2.jpg", "post/3.mp4",
            ])
    }

    @Test(arguments: [
        ([], ["1.jpg", "2.jpg", "5.zip"]),
        (["--media", "video"], ["3.mp4", "4.mp4"]),
        (["--media", "all"], ["1.jpg", "2.jpg", "3.mp4", "4.mp4", "5.zip"]),
    ])
    func addressesAreOfTheWantedKinds(_ options: [String], _ expected: [String]) throws {
        let source = try PostSource()
        let run = try source.run("search", ["-p", "posts", "-f", "urls", "x"] + options)
        #expect(run.output.split(separator: "\n").map { String($0.split(separator: "/").last!) } == expected)
    }

    @Test func filmThatIsLeftOutIsSaidOncePerRun() throws {
        let source = try PostSource()
        let note = "1 video left out; include with --media image,animation,video\n"
        let run = try source.run("download", ["-d", source.target.path, "-p", "posts", "x"])
        #expect(run.status == 0 && run.errors.components(separatedBy: note).count == 2, "\(run.errors)")
        let plan = try source.run("download", ["-d", source.target.path, "-p", "posts", "x", "--dry-run"])
        #expect(plan.errors.contains(note), "\(plan.errors)")
        let json = try source.run("download", ["-d", source.target.path, "-p", "posts", "x", "--progress", "json"])
        #expect(json.output.contains(#"{"event":"left-out","kind":"video","count":1}"#), "\(json.output)")
        let all = try source.run("download", ["-d", source.target.path, "-p", "posts", "--media", "all", "x"])
        #expect(!all.errors.contains("left out"), "\(all.errors)")
    }

    @Test func kindThatWasNotAskedForIsSaid() throws {
        let source = try PostSource()
        let run = try source.run("download", ["-d", source.target.path, "posts:film"])
        #expect(run.status == 1)
        #expect(
            run.errors.contains("posts:film is of the kind video (expected image or animation)"), "\(run.errors)")
        #expect(run.errors.contains("hint: --media image,animation,video,audio downloads other kinds of files"))
        let url = try source.run(
            "download", ["-d", source.target.path, "http://127.0.0.1:\(source.server.port)/9.mp4"])
        #expect(url.status == 1 && url.errors.contains("a video (expected image or animation)"), "\(url.errors)")
        let bad = try source.run("search", ["-p", "posts", "--media", "image,vidoe", "x"])
        #expect(bad.status == 64)
        #expect(bad.errors.contains(#"unknown kind of file "vidoe"; did you mean "video"?"#), "\(bad.errors)")
    }
}
