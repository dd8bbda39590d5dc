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
