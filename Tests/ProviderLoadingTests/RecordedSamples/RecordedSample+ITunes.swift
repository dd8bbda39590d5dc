extension RecordedSample {
    static let itunes = [
        RecordedSample(
            "itunes", .search, "search_movie_10results.json", count: 10, total: 10, lastID: "1579445837",
            first: """
                image 1063466898
                title: Star Wars: The Force Awakens
                description: Visionary director J.J. Abrams brings to…e hope of restoring peace to the galaxy.
                page: https://itunes.apple.com/us/movie/star-wars-the-force-awakens/id1063466898?uo=4
                tags: Action & Adventure
                author: J.J. Abrams | https://itunes.apple.com/us/artist/buena-vista-home-entertainment-inc/410641764?uo=4
                created: 2015-12-18T08:00:00Z
                large https://is4-ssl.mzstatic.com/image/thumb…1291b6dcdd/pr_source.lsr/1200x1200bb.jpg
                regular https://is4-ssl.mzstatic.com/image/thumb…401291b6dcdd/pr_source.lsr/600x600bb.jpg
                small https://is4-ssl.mzstatic.com/image/thumb…401291b6dcdd/pr_source.lsr/100x100bb.jpg
                thumbnail https://is4-ssl.mzstatic.com/image/thumb…1-401291b6dcdd/pr_source.lsr/60x60bb.jpg
                thumbnail https://is4-ssl.mzstatic.com/image/thumb…1-401291b6dcdd/pr_source.lsr/30x30bb.jpg
                """),
    ]
}
