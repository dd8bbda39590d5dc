import Foundation

extension RecordedSample {
    /// Servers of the Fediverse, feeds, and sites that are read as HTML.
    static let feeds = [
        RecordedSample(
            "mastodon", .details(), "status_with_media.json",
            first: [
                "id": "{$.id}-{$.media_attachments[0].id}", "title": "$.media_attachments[0].description",
                "description": SampleMapping("$.content").matching("<p>(.*)</p>"), "page": "$.url",
                "author.name": "$.account.display_name", "author.id": "$.account.acct",
                "author.url": "$.account.url", "created": "$.created_at", "stats.boosts": "$.reblogs_count",
                "stats.likes": "$.favourites_count", "stats.replies": "$.replies_count", "rating": "sensitive",
                "media[0].type": "image",
            ],
            media: [mastodonFile("original", "url", "original"), mastodonFile("small", "preview_url", "small")]),
        // Five posts without an image.
        RecordedSample(
            "mastodon", .collection(id: "user:x"), "account_statuses_page1.json", answering: "/statuses",
            texts: ["accounts/lookup": #"{"id":"1"}"#], entries: "$", count: 0),
        RecordedSample(
            "zerochan", .search, "tag_feed_trimmed.rss", entries: "//item", count: 4,
            first: [
                "id": SampleMapping("./guid").matching(#"(\d+)$"#), "title": "./title",
                "page": SampleMapping("./guid").replacing("http:", with: "https:"),
                "tags": SampleMapping("./*[name()='media:keywords']")
                    .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.split(by: ", "),
                "rating": "sensitive",
            ],
            media: [
                SampleFile("regular", "./*[name()='media:content']/@url"),
                SampleFile("thumbnail", "./*[name()='media:thumbnail']/@url"),
            ]),
        zerochanPage,
        RecordedSample(
            "rss", .feed(), "observations.atom", entries: "//*[name()='entry']", count: 2,  // two images in one entry
            last: SampleMapping("//*[name()='entry']/*[name()='id']").map { "\($0)#2" },
            first: [
                "id": "./*[name()='id']", "title": "./*[name()='title']",
                "page": "./*[name()='link'][@rel='alternate']/@href", "author.name": "./*[name()='author']/*",
                "created": "./*[name()='published']",
                "location.latitude": SampleMapping("./*[name()='georss:point']").matching(#"^(\S+)"#),
                "location.longitude": SampleMapping("./*[name()='georss:point']").matching(#"(\S+)$"#),
            ],
            media: [
                SampleFile(
                    "regular", SampleMapping("./*[name()='content']").matching(#"<img[^>]* src="([^"]*)""#))
            ]),
    ]

    private static func mastodonFile(_ role: String, _ url: String, _ size: String) -> SampleFile {
        SampleFile(
            role, SampleMapping("$.media_attachments[0].\(url)"),
            width: SampleMapping("$.media_attachments[0].meta.\(size).width"),
            height: SampleMapping("$.media_attachments[0].meta.\(size).height"))
    }

    /// HTML that is no XML, and leads on by the last picture's number.
    private static let zerochanPage = RecordedSample(
        "zerochan", .collection(id: "tag:x"), "tag_page.html", count: 21,
        last: .capture(#"href="\?o=(\d+)"[^>]*rel="next""#),
        first: [
            "id": .capture(#"<li >\s*<a href="/(\d+)""#), "title": .capture(#"alt="([^"]*)""#),
            "page": SampleMapping.capture(#"<li >\s*<a href="/(\d+)""#).map { "https://www.zerochan.net/\($0)" },
            "stats.favorites": .capture(#"<span>(\d+) Fav"#),
        ],
        media: [
            SampleFile(
                "thumbnail", .capture(#"<img\s+src="([^"]*)""#), width: .capture(#"style="width: (\d+)px; height"#),
                height: .capture(#"style="width: \d+px; height: (\d+)px"#))
        ])
}

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

extension RecordedSample {
    static let itunes = [
        RecordedSample(
            "itunes", .search, "search_movie_10results.json", entries: "$.results", count: 10,
            total: "$.resultCount", last: "$.results[-1].collectionId",  // an audiobook has no track
            first: [
                "id": "@.trackId", "title": "@.trackName", "description": "@.longDescription",
                "page": "@.trackViewUrl", "tags": SampleMapping("@.primaryGenreName").listed,
                "author.name": "@.artistName", "author.url": "@.collectionArtistViewUrl", "created": "@.releaseDate",
            ],
            media: [
                SampleFile("large", scaled("1200x1200bb")), SampleFile("regular", scaled("600x600bb")),
                SampleFile("small", artwork("@.artworkUrl100")), SampleFile("thumbnail", artwork("@.artworkUrl60")),
                SampleFile("thumbnail", artwork("@.artworkUrl30")),
            ])
    ]

    private static func artwork(_ path: String) -> SampleMapping {
        SampleMapping(path).replacing("http:", with: "https:")
    }

    private static func scaled(_ size: String) -> SampleMapping {
        artwork("@.artworkUrl100").replacing("100x100bb", with: size)
    }
}
