extension DocumentedProviders {
    /// Invented answers by provider: a URL, and the members of a recorded response.
    static let answers: [String: [(url: String, response: String)]] = [
        "dogs": [
            (
                "https://dog.ceo/api/breed/hound/images",
                #""json": {"message": ["https://images.dog.ceo/breeds/hound-afghan/n1.jpg"], "status": "success"}"#
            )
        ],
        "nasa": [
            (
                "https://images-api.nasa.gov/search",
                """
                "json": {"collection": {"metadata": {"total_hits": 1}, "items": [{
                    "data": [{"nasa_id": "m1", "title": "Moon", "date_created": "1969-07-20T00:00:00Z"}],
                    "links": [{"href": "https://images-assets.nasa.gov/m1~thumb.jpg"}]
                }]}}
                """
            )
        ],
        "met": [
            (
                "https://collectionapi.metmuseum.org/public/collection/v1/search",
                #""json": {"total": 2, "objectIDs": [7, 8]}"#
            ),
            (
                "https://collectionapi.metmuseum.org/public/collection/v1/objects/7",
                """
                "json": {
                    "objectID": 7, "title": "Fox", "artistDisplayName": "", "isPublicDomain": true,
                    "primaryImage": "https://images.metmuseum.org/7.jpg"
                }
                """
            ),
            (
                "https://collectionapi.metmuseum.org/public/collection/v1/objects/8",
                #""json": {"objectID": 8, "title": "Hare", "primaryImage": ""}"#
            ),
        ],
        "fediverse": [
            (
                "https://mastodon.social/api/v1/timelines/tag/fox",
                """
                "json": [{
                    "id": "1", "url": "https://mastodon.social/@ann/1", "created_at": "2026-08-01T13:52:34.108Z",
                    "content": "<p>Look &amp; see</p>", "sensitive": false,
                    "account": {"acct": "ann", "display_name": "", "url": "https://mastodon.social/@ann"},
                    "media_attachments": [
                        {
                            "id": "2", "type": "image", "description": "A fox", "url": "https://files.example/2.jpg",
                            "preview_url": "https://files.example/2s.jpg", "meta": null
                        },
                        {"id": "3", "type": "video"}
                    ]
                }]
                """
            )
        ],
        "stock": [
            (
                "https://api.stock.example/search",
                #""json": {"total": 1, "results": [\#(photo("s1", "Fox"))]}"#
            ),
            ("https://api.stock.example/photos/s1", #""json": \#(photo("s1", "Fox"))"#),
            ("https://api.stock.example/users/anna/photos", #""json": {"results": [\#(photo("s2", "Hare"))]}"#),
        ],
        "asking": [
            (
                "https://api.asking.example/search",
                #""json": {"total": 1, "hits": [{"id": "f1", "url": "https://cdn.asking.example/f1.jpg"}]}"#
            )
        ],
        "guestbook": [
            (
                "https://api.guest.example/pictures/new/0",
                #""json": [{"id": 5, "url": "https://api.guest.example/5.png"}]"#
            )
        ],
        "wallpapers": [
            (
                "https://wallpapers.example/search",
                #"""
                "text": "<ul><li class='wallpaper' data-id='w1'>\#
                <a href='/w/1'> Fox in snow </a><img src='//img.wallpapers.example/1.jpg'></ul>"
                """#
            ),
            (
                "https://wallpapers.example/feed.xml",
                #"""
                "text": "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item><guid>w9</guid>\#
                <title>Fox &amp;amp; hare</title><link>https://wallpapers.example/w/9</link>\#
                <pubDate>Wed, 01 May 2024 12:00:00 +0000</pubDate>\#
                <media:content url='https://img.wallpapers.example/9.jpg'/></item></channel></rss>"
                """#
            ),
        ],
        "board": [
            (
                "https://board.example/post.json",
                """
                "json": [{
                    "id": 3, "tags": "fox snow", "file_url": "https://files.board.example/3.png", "width": 10, "height": 20
                }]
                """
            )
        ],
    ]

    private static func photo(_ id: String, _ title: String) -> String {
        """
        {
            "id": "\(id)", "title": "\(title)", "user": {"id": "anna", "name": "Anna"}, "width": 800, "height": 600,
            "urls": {
                "full": "https://cdn.stock.example/\(id).jpg", "thumb": "https://cdn.stock.example/\(id)-small.jpg"
            }
        }
        """
    }
}
