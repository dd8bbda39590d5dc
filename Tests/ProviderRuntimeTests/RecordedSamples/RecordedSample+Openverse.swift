extension RecordedSample {
    static let openverse = [
        RecordedSample(
            "openverse", .search, "search_birds_trimmed.json", entries: "$.results", count: 3,
            total: "$.result_count", first: openverseRecord,
            media: [SampleFile("original", "@.url"), SampleFile("thumbnail", "@.thumbnail")]),
        RecordedSample(
            "openverse", .details(), "image_detail.json",
            first: openverseRecord.merging(["rating": "safe"]) { $1 },
            media: [
                SampleFile("original", "@.url", width: "@.width", height: "@.height"),
                SampleFile("thumbnail", "@.thumbnail"),
            ]),
        RecordedSample(
            "openverse", .search, "search_empty.json", entries: "$.results", count: 0, total: "$.result_count"),
    ]

    private static let openverseRecord: [String: SampleMapping] = [
        "id": "@.id", "title": "@.title", "page": "@.foreign_landing_url", "tags": "@.tags[*].name",
        "author.name": "@.creator", "author.url": "@.creator_url",
        "license.id": "cc-{@.license}-{@.license_version}",
        "license.name": SampleMapping("cc {@.license} {@.license_version}").map { $0.uppercased() },
        "license.url": "@.license_url",
    ]
}
