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
