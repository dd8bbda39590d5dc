extension RecordedSample {
    /// Sources of photographs with plain pages of JSON.
    static let photographs = [
        RecordedSample(
            "pexels", .search, "search_nature_per_page1.json", entries: "$.photos", total: "$.total_results",
            first: pexelsPhoto("@"), media: pexelsSizes("@")),
        RecordedSample(
            "pexels", .feed(), "curated_per_page1.json", entries: "$.photos", total: "$.total_results",
            first: pexelsPhoto("@").merging(pexelsSight("@")) { $1 }, media: pexelsSizes("@")),
        RecordedSample(
            "pexels", .details(), "photo_2014422.json",
            first: pexelsPhoto("$").merging(pexelsSight("$")) { $1 }, media: pexelsSizes("$")),
        stocksnap, picsum, shutterstock,
    ]

    private static func pexelsPhoto(_ photo: String) -> [String: SampleMapping] {
        [
            "id": SampleMapping("\(photo).id"), "page": SampleMapping("\(photo).url"),
            "author.name": SampleMapping("\(photo).photographer"),
            "author.id": SampleMapping("\(photo).photographer_id"),
            "author.url": SampleMapping("\(photo).photographer_url"),
            "license.id": "pexels", "license.name": "Pexels License",
            "license.url": "https://www.pexels.com/license/",
        ]
    }

    /// What answers have had since 2020.
    private static func pexelsSight(_ photo: String) -> [String: SampleMapping] {
        ["title": SampleMapping("\(photo).alt"), "colors": SampleMapping("\(photo).avg_color").listed]
    }

    private static func pexelsSizes(_ photo: String) -> [SampleFile] {
        func within(_ width: Double, _ height: Double, _ side: Int) -> SampleMapping {
            .computed("\(photo).width", "\(photo).height") { size in
                (size[side] * min(width / size[0], height / size[1])).rounded()
            }
        }
        func file(_ role: String, _ name: String, _ width: SampleMapping, _ height: SampleMapping) -> SampleFile {
            SampleFile(role, SampleMapping("\(photo).src.\(name)"), width: width, height: height)
        }
        return [
            file("original", "original", SampleMapping("\(photo).width"), SampleMapping("\(photo).height")),
            file("large", "large2x", within(1880, 1300, 0), within(1880, 1300, 1)),
            file("regular", "large", within(940, 650, 0), within(940, 650, 1)),
            file("regular", "portrait", "800", "1200"), file("regular", "landscape", "1200", "627"),
            file("small", "medium", within(.infinity, 350, 0), "350"), file("thumbnail", "tiny", "280", "200"),
            file("thumbnail", "small", within(.infinity, 130, 0), "130"),
        ]
    }

    private static let stocksnap = RecordedSample(
        "stocksnap", .feed(), "load_photos_page1_trimmed.json", entries: "$.results", count: 6,
        first: [
            "id": "@.img_id", "page": "https://stocksnap.io/photo/{@.keywords[0]}-{@.keywords[1]}-{@.img_id}",
            "tags": SampleMapping("@.tags").map { $0.replacing(/,\s+/, with: ",") }.split(by: ","),
            "author.name": "@.author_name", "author.id": "@.author_id", "author.url": "@.author_profile",
            "license.id": "cc0-1.0", "license.name": "CC0 1.0",
            "license.url": "https://creativecommons.org/publicdomain/zero/1.0/",
            "stats.downloads": "@.downloads_raw", "stats.favorites": "@.favorites_raw",
            "stats.views": "@.page_views_raw",
        ],
        media: [
            SampleFile(
                "large", "https://cdn.stocksnap.io/img-thumbs/960w/{@.keywords[0]}-{@.keywords[1]}_{@.img_id}.jpg",
                width: "960",
                height: .computed("@.img_width", "@.img_height") { ($0[1] * 960 / $0[0]).rounded() }, format: "jpeg"),
            SampleFile(
                "small", "https://cdn.stocksnap.io/img-thumbs/280h/{@.keywords[0]}-{@.keywords[1]}_{@.img_id}.jpg",
                width: "@.adjustedWidth", height: "280", format: "jpeg"),
        ])

    private static let picsum = RecordedSample(
        "picsum", .feed(), "list_trimmed.json", entries: "$", count: 25,
        first: [
            "id": "@.id", "page": "@.url", "author.name": "@.author", "license.id": "unsplash",
            "license.name": "Unsplash License", "license.url": "https://unsplash.com/license",
        ],
        media: [SampleFile("original", "@.download_url", width: "@.width", height: "@.height")]
            + [("large", 1600), ("regular", 800), ("small", 400), ("thumbnail", 200)].map { role, width in
                let height = SampleMapping.computed("@.width", "@.height") {
                    ($0[1] * Double(width) / $0[0]).rounded()
                }
                let url = SampleMapping("https://picsum.photos/id/{@.id}/\(width)/").followed(by: height)
                return SampleFile(role, url, width: SampleMapping("\(width)"), height: height)
            })

    private static let shutterstock = RecordedSample(
        "shutterstock", .search, "images_search_trimmed.json", entries: "$.data", count: 5, total: "$.total_count",
        first: [
            "id": "@.id", "title": "@.description", "page": "https://www.shutterstock.com/image-{@.image_type}/{@.id}",
            "license.id": "shutterstock", "license.name": "Shutterstock License",
            "license.url": "https://www.shutterstock.com/license",
        ],
        media: [
            shutterstockFile("large", "preview_1500", watermarked: true),
            shutterstockFile("large", "preview_1000", watermarked: true),
            shutterstockFile("regular", "preview", watermarked: true), shutterstockFile("small", "huge_thumb"),
            shutterstockFile("thumbnail", "large_thumb"), shutterstockFile("thumbnail", "small_thumb"),
        ])

    private static func shutterstockFile(_ role: String, _ name: String, watermarked: Bool? = nil) -> SampleFile {
        let asset = "@.assets.\(name)"
        return SampleFile(
            role, SampleMapping("\(asset).url"), width: SampleMapping("\(asset).width"),
            height: SampleMapping("\(asset).height"), watermarked: watermarked)
    }
}
