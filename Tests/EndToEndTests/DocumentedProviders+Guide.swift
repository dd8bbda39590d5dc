extension DocumentedProviders {
    /// Invented answers for the providers of the guide.
    static let guideAnswers: [String: [(url: String, response: String)]] = [
        "lakes": [
            (
                "https://api.lakes.example/v1/photos?query=swan&page=1&per_page=2",
                """
                "json": {"total": 1, "photos": [{
                    "id": 11, "page_url": "https://lakes.example/p/11", "caption": "Swan at dawn", "tags": "swan, lake",
                    "taken_at": "2024-05-01T06:10:00Z", "user": "anna", "likes": 3,
                    "thumb_url": "https://cdn.lakes.example/t/11.jpg", "thumb_width": 150, "thumb_height": 100,
                    "image_url": "https://cdn.lakes.example/11.jpg", "width": 4000, "height": 3000
                }]}
                """
            )
        ],
        "ferns": [
            (
                "https://ferns.example/api/find?q=fern&skip=0&take=20",
                #""json": {"count": 2, "rows": [\#(fern(1)), \#(fern(2))]}"#
            )
        ],
        "reeds": [
            ("https://reeds.example/search?q=reed&limit=20", #""json": {"posts": [\#(post("a"))], "after": "t2"}"#),
            (
                "https://reeds.example/search?q=reed&limit=20&after=t2",
                #""json": {"posts": [\#(post("b"))], "after": null}"#
            ),
        ],
        "tides": [
            (
                "https://tides.example/tagged?tag=sea&limit=20",
                """
                "headers": {"link": "<https://tides.example/tagged?tag=sea&limit=20&max_id=7>; rel=\\"next\\""},
                "json": [{"id": 8, "file": "https://tides.example/8.png"}]
                """
            ),
            (
                "https://tides.example/tagged?tag=sea&limit=20&max_id=7",
                #""json": [{"id": 6, "file": "https://tides.example/6.png"}]"#
            ),
        ],
        "herbarium": [
            ("https://herbarium.example/search?q=rose", #""json": {"ids": [1, 2, 3]}"#),
            (
                "https://herbarium.example/sheets/1",
                #""json": {"id": 1, "taxon": "Rosa", "scan": "https://scans.herbarium.example/1.jpg"}"#
            ),
            ("https://herbarium.example/sheets/2", #""json": {"id": 2, "taxon": "Rosa", "scan": ""}"#),
            (
                "https://herbarium.example/sheets/3",
                #""json": {"id": 3, "taxon": "Rosa canina", "scan": "https://scans.herbarium.example/3.jpg"}"#
            ),
        ],
        "murals": [
            (
                "https://murals.example/search?q=whale&p=1",
                """
                "text": "<main class='results'><ul><li data-id='m1'><a href='/m/1'> Whale </a><img src='//img.murals.example/1.jpg'></li></ul></main>"
                """
            )
        ],
        "oaks": [
            (
                "https://oaks.example/new.rss",
                #"""
                "text": "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item><guid>o1</guid><title>Oak</title>\#
                <link>https://oaks.example/1</link><pubDate>Wed, 01 May 2024 12:00:00 GMT</pubDate>\#
                <media:content url='https://cdn.oaks.example/1.jpg' width='640'/></item></channel></rss>"
                """#
            )
        ],
        "owls": [
            (
                "POST https://gql.owls.example/",
                #""json": {"data": {"owls": {"total": 1, "nodes": [{"id": "w", "name": "Owl", "image": "https://img.owls.example/w.webp"}]}}}"#
            )
        ],
        "members": [
            (
                "https://members.example/search?q=box&page=1",
                #""text": "<main><ul><li data-id='1'><a href='/p/1'><img src='/t/1.jpg' alt='Box'></a></li></ul></main>""#
            )
        ],
        "shelf": [
            (
                "https://shelf.example/api/photos?q=box&page=1&size=20",
                #""json": [{"id": "s1", "path": "/files/s1.jpg"}]"#
            )
        ],
    ]

    private static func fern(_ id: Int) -> String {
        #"{"id": \#(id), "name": "Fern \#(id)", "file": "https://files.ferns.example/\#(id).jpg"}"#
    }

    private static func post(_ id: String) -> String {
        #"{"id": "\#(id)", "url": "https://i.reeds.example/\#(id).jpg"}"#
    }
}

extension DocumentedRun {
    /// What is typed for the providers of the guide.
    static let guide = [
        DocumentedRun(
            "search -p lakes swan", "{id} {title} {author.name} {width} {media.thumbnail.url}",
            prints: "11 Swan at dawn anna 4000 https://cdn.lakes.example/t/11.jpg"),
        DocumentedRun("search -p ferns fern", "{id} {title}", prints: "1 Fern 1\n2 Fern 2"),
        DocumentedRun(
            "search -p reeds reed", "{id} {url}",
            prints: "a https://i.reeds.example/a.jpg\nb https://i.reeds.example/b.jpg"),
        DocumentedRun(
            "search -p tides sea", "{id} {url}", prints: "8 https://tides.example/8.png\n6 https://tides.example/6.png"),
        DocumentedRun(
            "search -p herbarium rose", "{id} {title} {url}",
            prints: "1 Rosa https://scans.herbarium.example/1.jpg\n3 Rosa canina https://scans.herbarium.example/3.jpg"),
        DocumentedRun(
            "search -p murals whale", "{id} {title} {page} {url}",
            prints: "m1 Whale https://murals.example/m/1 https://img.murals.example/1.jpg"),
        DocumentedRun(
            "feed -p oaks", "{id} {title} {created} {width}", prints: "o1 Oak 2024-05-01T12:00:00Z 640"),
        DocumentedRun("search -p owls owl", "{id} {title} {url}", prints: "w Owl https://img.owls.example/w.webp"),
        DocumentedRun(
            "search -p members box", "{id} {title} {page} {url}",
            prints: "1 Box https://members.example/p/1 https://members.example/t/1.jpg"),
        DocumentedRun("search -p shelf box", "{id} {url}", prints: "s1 https://shelf.example/files/s1.jpg"),
    ]
}
