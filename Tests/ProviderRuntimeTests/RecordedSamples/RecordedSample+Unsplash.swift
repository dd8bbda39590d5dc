extension RecordedSample {
    static let unsplash = [
        RecordedSample(
            "unsplash", .search, "search_photos_paris_page1.json", entries: "$.results", count: 10, total: "$.total",
            first: unsplashPhoto.merging([
                "title": "@.description", "description": "@.alt_description", "tags": "@.tags[*].title",
            ]) { $1 },
            media: unsplashSizes),
        RecordedSample(
            "unsplash", .feed(), "photos_list_latest_page1.json", entries: "$", count: 10,
            total: SampleMapping.header("x-total"),
            first: unsplashPhoto.merging(["title": "@.description", "description": "@.alt_description"]) { $1 },
            media: unsplashSizes),
        RecordedSample(
            "unsplash", .details(), "photo_detail_ZUaqqMxtxYk.json",
            first: unsplashPhoto.merging(unsplashExif) { $1 }.merging([
                "tags": "@.tags[*].title", "stats.views": "@.views", "stats.downloads": "@.downloads",
                "location.name": "@.location.name", "location.city": "@.location.city",
                "location.country": "@.location.country", "location.latitude": "@.location.position.latitude",
                "location.longitude": "@.location.position.longitude",
            ]) { $1 },
            media: unsplashSizes),
        RecordedSample(
            "unsplash", .details(), "photo_random.json",
            first: unsplashPhoto.merging(unsplashExif) { $1 }.merging([
                "title": "@.description", "description": "@.alt_description", "stats.views": "@.views",
                "stats.downloads": "@.downloads",
            ]) { $1 },
            media: unsplashSizes),
    ]

    private static let utm = "?utm_source=imgscript&utm_medium=referral"

    private static let unsplashPhoto: [String: SampleMapping] = [
        "id": "@.id", "page": SampleMapping("{@.links.html}\(utm)"),
        "author.name": "@.user.name", "author.id": "@.user.username",
        "author.url": SampleMapping("{@.user.links.html}\(utm)"),
        "license.id": "unsplash", "license.name": "Unsplash License", "license.url": "https://unsplash.com/license",
        "created": "@.created_at", "colors": SampleMapping("@.color").listed, "stats.likes": "@.likes",
    ]

    private static let unsplashExif: [String: SampleMapping] = [
        "camera.make": "@.exif.make", "camera.model": "@.exif.model", "camera.exposure": "@.exif.exposure_time",
        "camera.aperture": "@.exif.aperture", "camera.focalLength": "@.exif.focal_length", "camera.iso": "@.exif.iso",
    ]

    private static let unsplashSizes = [
        SampleFile("original", "@.urls.raw", width: "@.width", height: "@.height"),
        SampleFile("large", "@.urls.full", width: "@.width", height: "@.height", format: "jpeg"),
        fitted("regular", "@.urls.regular", 1080),
        fitted("small", "@.urls.small", 400),
        fitted("thumbnail", "@.urls.thumb", 200),
    ]

    /// A size of a given width, for photos that are wider.
    private static func fitted(_ role: String, _ url: SampleMapping, _ width: Double) -> SampleFile {
        let height = SampleMapping.computed("@.width", "@.height") { ($0[1] * width / $0[0]).rounded() }
        return SampleFile(role, url, width: SampleMapping("\(Int(width))"), height: height, format: "jpeg")
    }
}
