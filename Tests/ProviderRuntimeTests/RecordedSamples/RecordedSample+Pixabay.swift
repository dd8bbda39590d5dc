extension RecordedSample {
    static let pixabay = [
        RecordedSample(
            "pixabay", .search, "search_nature_london_3hits.json", entries: "$.hits", count: 3, total: "$.totalHits",
            first: pixabayRecord("favorites"), media: pixabaySizes),
        RecordedSample(
            "pixabay", .search, "search_page1_20hits_capped500.json", entries: "$.hits", count: 20,
            total: "$.totalHits", first: pixabayRecord("collections"), media: pixabaySizes),
        RecordedSample(
            "pixabay", .details(), "doc_example_full_access.json", entries: "$.hits",
            first: pixabayRecord("favorites"),
            media: [
                SampleFile(
                    "original", "@.imageURL", width: "@.imageWidth", height: "@.imageHeight", bytes: "@.imageSize"),
                SampleFile("large", "@.fullHDURL"),
            ] + pixabaySizes),
    ]

    /// What is counted last has changed its name.
    private static func pixabayRecord(_ counted: String) -> [String: SampleMapping] {
        [
            "id": "@.id", "page": "@.pageURL", "tags": SampleMapping("@.tags").split(by: ", "),
            "author.name": "@.user", "author.id": "@.user_id",
            "author.url": "https://pixabay.com/users/{@.user}-{@.user_id}/",
            "license.id": "pixabay", "license.name": "Pixabay Content License",
            "license.url": "https://pixabay.com/service/license-summary/",
            "stats.views": "@.views", "stats.downloads": "@.downloads", "stats.likes": "@.likes",
            "stats.comments": "@.comments", "stats.\(counted)": SampleMapping("@.\(counted)"),
        ]
    }

    private static let pixabaySizes = [
        SampleFile("large", "@.largeImageURL"),
        SampleFile("regular", "@.webformatURL", width: "@.webformatWidth", height: "@.webformatHeight"),
        SampleFile("small", SampleMapping("@.webformatURL").replacing("_640.", with: "_340.")),
        SampleFile("thumbnail", "@.previewURL", width: "@.previewWidth", height: "@.previewHeight"),
    ]
}
