import ProviderModel
import Testing

@testable import Commands
@testable import ImgScript

@Suite("Settings and archives of gallery-dl")
struct GalleryDLTests {
    private static func settings(_ text: String) throws -> GalleryDLSettings {
        GalleryDLSettings(try JSONValue(parsing: Array(text.utf8))) { ["danbooru", "pixiv", "commons"].contains($0) }
    }

    private static func outcome(of path: String, in text: String) throws -> GalleryDLSettings.Outcome? {
        try settings(text).lines.first { $0.path == path }?.outcome
    }

    @Test(
        arguments: [
            (
                ["{category}", "{user[name]}"], "{id}_p{num:>02}.{extension}",
                "{provider}/{author.name}/{id}_p{file:02}.{ext}"
            ),
            (
                ["{category}"], "{date:%Y-%m-%d} {title[:60]}.{extension}",
                "{provider}/{created:yyyy-MM-dd} {title:60}.{ext}"
            ),
            ([], "{title|id!l}", "{title|id:lower}.{ext}"),
            (["art", ""], "{md5}.{extension}", nil),
            ([], "{id:?a/b/}.{extension}", nil),
            ([], "{id", nil),
        ] as [([String], String, String?)])
    func formatStringBecomesATemplateOrIsRefused(directory: [String], filename: String, name: String?) {
        #expect((try? GalleryDLTemplate.name(directory: directory, filename: filename)) == name)
    }

    @Test func everySettingOfTheFileIsListed() throws {
        let text = """
            {"extractor": {"#": "a comment", "base-directory": "~/pictures", "retries": -1, "timeout": 30.5, "nosuch": 1,
              "cookies": ["firefox", "work", null, "none"], "skip": "abort:5", "postprocessors": [{"name": "metadata"}, "zip"],
              "danbooru": {"username": "fox", "api-key": "secret-of-fox", "proxy": "http://p:1", "nosuch": {"a": 1}},
              "twitter": {"videos": true}, "wikimediacommons": {"timeout": 5}},
             "downloader": {"rate": "1M", "ytdl": {"module": "x"}, "http": {"verify": false}},
             "output": {"mode": "auto", "log": "x"}, "cache": {"file": "x"}}
            """
        let lines = try Self.settings(text).lines
        #expect(
            lines.map(\.path) == [
                "extractor.base-directory", "extractor.retries", "extractor.timeout", "extractor.nosuch",
                "extractor.cookies",
                "extractor.skip", "extractor.postprocessors", "extractor.postprocessors", "extractor.danbooru.username",
                "extractor.danbooru.api-key", "extractor.danbooru.proxy", "extractor.danbooru.nosuch",
                "extractor.twitter",
                "extractor.wikimediacommons.timeout", "downloader.rate", "downloader.ytdl", "downloader.http.verify",
                "output.mode", "output.log", "cache.file",
            ])
        #expect(!"\(lines)".contains("secret-of-fox"))
        #expect(!"\(lines)".contains("\"fox\""))
    }

    @Test(
        arguments: [
            ("extractor.retries", .setting(key: "retries", values: ["10"])),
            ("extractor.timeout", .setting(key: "timeout", values: ["31"])),
            ("extractor.cookies", .setting(key: "cookies-from-browser", values: ["firefox:work::none"])),
            ("extractor.skip", .setting(key: "abort-after", values: ["5"])),
            ("extractor.pixiv.timeout", .setting(key: "providers.pixiv.timeout", values: ["5"])),
            ("extractor.pixiv.password", .otherwise("imgscript auth set pixiv")),
            ("extractor.pixiv.skip", .otherwise("--abort-after 3 with this provider")),
            ("extractor.image-filter", .setting(key: "filter", values: ["width >= 2000"])),
            ("extractor.file-filter", .otherwise("--filter 'width >= 2000' has expressions of its own, not Python's")),
        ] as [(String, GalleryDLSettings.Outcome)])
    func settingIsTakenOver(path: String, outcome: GalleryDLSettings.Outcome) throws {
        let text = """
            {"extractor": {"retries": -1, "timeout": 30.5, "cookies": ["firefox", "work", null, "none"], "skip": "abort:5",
              "image-filter": "width >= 2000", "file-filter": "extension not in ('zip',)",
              "pixiv": {"timeout": 5, "password": "x", "skip": "exit:3"}}}
            """
        #expect(try Self.outcome(of: path, in: text) == outcome)
    }

    @Test(
        arguments: [
            ("danbooru123", ["danbooru:123:large", "danbooru:123:original"]),
            ("danboorut_red_fox_123", ["danbooru:123:large", "danbooru:123:original"]),
            ("wallhavens_fox_w8x7y9", ["wallhaven:w8x7y9:large", "wallhaven:w8x7y9:original"]),
            ("unsplashab_-12", ["unsplash:ab_-12:large", "unsplash:ab_-12:original"]),
            ("pixiv55_p2.png", ["pixiv:55:large.3", "pixiv:55:original.3"]),
            (
                "pixivf_7_55_p0.jpg",
                ["pixiv:55:large", "pixiv:55:large.1", "pixiv:55:original", "pixiv:55:original.1"]
            ),
            ("tumblr77_2", ["tumblr:77:large.2", "tumblr:77:original.2"]),
            ("pixiv-novel9", []), ("twitter12_1", []), ("danbooru", []),
        ])
    func entryNamesAFile(entry: String, keys: [String]) {
        let archive = GalleryDLArchive(entries: [entry])
        #expect(archive.keys.map(\.description).sorted() == keys)
        #expect(archive.count.known.isEmpty == keys.isEmpty)
        #expect(archive.count.unknown.isEmpty != keys.isEmpty)
    }
}
