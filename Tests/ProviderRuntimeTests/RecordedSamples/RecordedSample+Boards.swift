import Foundation

extension RecordedSample {
    /// Image boards: attributes in XML, and JSON.
    static let boards = [
        RecordedSample(
            "gelbooru", .search, "dapi_posts_trimmed.xml", entries: "//post", count: 2, total: "//posts/@count",
            first: [
                "id": "@id", "page": "https://gelbooru.com/index.php?page=post&s=view&id={@id}",
                "tags": SampleMapping("@tags").split(by: " "),
                "created": SampleMapping("@created_at").map(utcTime), "stats.score": "@score", "rating": "safe",
            ],
            media: [
                SampleFile("original", "@file_url", width: "@width", height: "@height", format: "png"),
                boardFile("large", "sample"), boardFile("thumbnail", "preview"),
            ]),
        RecordedSample(
            "konachan", .search, "post_index_trimmed.xml", entries: "//post", count: 2, total: "//posts/@count",
            first: moebooruPost("").merging(["created": SampleMapping("@created_at").map(utcTime)]) { $1 },
            media: moebooruFiles("")),
        RecordedSample(
            "konachan", .feed(["list": "popular"]), "post_index_trimmed.json", entries: "$", count: 2,
            first: moebooruPost(".").merging(["created": SampleMapping("@.created_at.s").map(utcTime)]) { $1 },
            media: moebooruFiles(".")),
        RecordedSample(
            "derpibooru", .search, "search_images_trimmed.json", entries: "$.images", count: 2, total: "$.total",
            first: [
                "id": "@.id", "page": "https://derpibooru.org/images/{@.id}", "tags": "@.tags[*]",
                "author.name": SampleMapping("@.tags[-1]").matching("artist:(.*)"), "created": "@.created_at",
                "stats.score": "@.score", "stats.favorites": "@.faves", "stats.upvotes": "@.upvotes",
                "stats.downvotes": "@.downvotes", "stats.comments": "@.comment_count", "rating": "safe",
            ],
            media: [
                SampleFile(
                    "original", "@.representations.full", width: "@.width", height: "@.height", format: "@.format"),
                philomenaFile("large", "large"), philomenaFile("large", "tall"), philomenaFile("regular", "medium"),
                philomenaFile("small", "small"), philomenaFile("thumbnail", "thumb"),
                philomenaFile("thumbnail", "thumb_small"), philomenaFile("thumbnail", "thumb_tiny"),
            ]),
    ]

    /// The attributes of XML are the members of JSON, which `dot` leads to.
    private static func moebooruPost(_ dot: String) -> [String: SampleMapping] {
        [
            "id": SampleMapping("@\(dot)id"), "page": SampleMapping("https://konachan.net/post/show/{@\(dot)id}"),
            "tags": SampleMapping("@\(dot)tags").split(by: " "), "author.name": SampleMapping("@\(dot)author"),
            "author.id": SampleMapping("@\(dot)creator_id"), "stats.score": SampleMapping("@\(dot)score"),
            "rating": "safe",
        ]
    }

    /// What the sample calls the middle size is the original again.
    private static func moebooruFiles(_ dot: String) -> [SampleFile] {
        [
            SampleFile(
                "original", SampleMapping("@\(dot)file_url"), width: SampleMapping("@\(dot)width"),
                height: SampleMapping("@\(dot)height"), bytes: SampleMapping("@\(dot)file_size"), format: "jpeg"),
            boardFile("thumbnail", "preview", dot),
        ]
    }

    private static func boardFile(_ role: String, _ size: String, _ dot: String = "") -> SampleFile {
        SampleFile(
            role, SampleMapping("@\(dot)\(size)_url"), width: SampleMapping("@\(dot)\(size)_width"),
            height: SampleMapping("@\(dot)\(size)_height"), format: "jpeg")
    }

    private static func philomenaFile(_ role: String, _ size: String) -> SampleFile {
        SampleFile(role, SampleMapping("@.representations.\(size)"), format: "@.format")
    }

    /// `Wed Sep 20 10:31:15 -0500 2017`, or Unix seconds.
    @Sendable private static func utcTime(_ text: String) throws -> String? {
        if let seconds = Double(text) { return Date(timeIntervalSince1970: seconds).formatted(.iso8601) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        return format.date(from: text)?.formatted(.iso8601)
    }
}
