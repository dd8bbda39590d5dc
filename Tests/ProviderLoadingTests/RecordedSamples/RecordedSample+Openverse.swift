extension RecordedSample {
    static let openverse = [
        RecordedSample(
            "openverse", .search, "search_birds_trimmed.json", count: 3, total: 10_000,
            lastID: "b61022d9-d85b-432f-8e83-17270580bef5",
            first: """
                image da5cb478-c093-4d62-b721-cda18797e3fb
                title: bird
                page: https://www.flickr.com/photos/8488209@N07/2385230430
                tags: bird
                author: Chester Zoo | https://www.flickr.com/photos/8488209@N07
                license: cc-by-nd-2.0 | CC BY-ND 2.0 | https://creativecommons.org/licenses/by-nd/2.0/
                original https://live.staticflickr.com/2129/2385230430_a699b25f12_b.jpg
                thumbnail http://localhost:49153/v1/images/da5cb478-c093-4d62-b721-cda18797e3fb/thumb/
                """),
        RecordedSample(
            "openverse", .details, "image_detail.json",
            first: """
                image e9d97a98-621b-4ec2-bf70-f47a74380452
                title: bubbles in honey
                page: https://www.flickr.com/photos/85398171@N00/272777927
                tags: bubbles, honey
                author: mutednarayan | https://www.flickr.com/photos/85398171@N00
                license: cc-by-sa-2.0 | CC BY-SA 2.0 | https://creativecommons.org/licenses/by-sa/2.0/
                original 500x375 https://live.staticflickr.com/79/272777927_6f5df1b3cb.jpg
                thumbnail http://localhost:49153/v1/images/e9d97a98-621b-4ec2-bf70-f47a74380452/thumb/
                rating: safe
                """),
        RecordedSample("openverse", .search, "search_empty.json", count: 0, total: 0),
    ]
}
