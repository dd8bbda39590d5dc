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

extension RecordedSample {
    static let flickr = [
        RecordedSample(
            "flickr", .search, "flickr.photos.search_extras.json", entries: "$.photos.photo", count: 30,
            total: "$.photos.total",
            first: [
                "id": "@.id", "title": "@.title", "description": flickrText("@.description._content"),
                "page": "https://www.flickr.com/photos/{@.owner}/{@.id}/",
                "author.name": "@.ownername", "author.id": "@.owner",
                "author.url": "https://www.flickr.com/photos/{@.owner}/",
                "license.id": "cc-by-nc-sa-2.0", "license.name": "CC BY-NC-SA 2.0",
                "license.url": "https://creativecommons.org/licenses/by-nc-sa/2.0/",
                "created": SampleMapping("@.datetaken").replacing(" ", with: "T"), "stats.views": "@.views",
            ],
            media: zip(["large", "regular", "small", "thumbnail"], ["l", "m", "s", "t"]).map { role, size in
                SampleFile(
                    role, SampleMapping("@.url_\(size)"), width: SampleMapping("@.width_\(size)"),
                    height: SampleMapping("@.height_\(size)"))
            }),
        RecordedSample(
            "flickr", .search, "flickr.photos.search.xml", entries: "//photo", count: 33, total: "//photos/@total",
            first: flickrRow, media: flickrFiles),
        RecordedSample(
            "flickr", .feed(["list": "recent"]), "flickr.photos.getRecent.xml", entries: "//photo", count: 99,
            total: "//photos/@total", first: flickrRow, media: flickrFiles),
        RecordedSample(
            "flickr", .search, "flickr.photos.search_empty.xml", entries: "//photo", count: 0,
            total: "//photos/@total"),
        RecordedSample(
            "flickr", .feed(), "feed_photos_public_potato.jsonp.txt", entries: "$.items", count: 20,
            first: [
                "id": SampleMapping("@.link").matching(#"/(\d+)/$"#), "title": "@.title", "page": "@.link",
                "description": SampleMapping("@.description").matching(#"rel="nofollow">(.*?)</a></p>$"#),
                "tags": SampleMapping("@.tags").split(by: " "),
                "author.name": SampleMapping("@.author").matching(#"\((.*)\)"#), "author.id": "@.author_id",
                "author.url": SampleMapping("@.link").matching(#"(.*/)\d+/$"#), "created": "@.date_taken",
            ],
            media: [
                SampleFile("regular", SampleMapping("@.media.m").replacing("_m.jpg", with: ".jpg")),
                SampleFile(
                    "small", "@.media.m", width: SampleMapping("@.description").matching(#"width="(\d+)""#),
                    height: SampleMapping("@.description").matching(#"height="(\d+)""#)),
                SampleFile("thumbnail", SampleMapping("@.media.m").replacing("_m.jpg", with: "_t.jpg")),
            ]),
        flickrDetails,
    ]

    private static let flickrRow: [String: SampleMapping] = [
        "id": "@id", "title": "@title", "page": "https://www.flickr.com/photos/{@owner}/{@id}/",
        "author.name": "@owner", "author.id": "@owner", "author.url": "https://www.flickr.com/photos/{@owner}/",
    ]

    private static let flickrFiles = [
        SampleFile("regular", "https://live.staticflickr.com/{@server}/{@id}_{@secret}.jpg"),
        SampleFile("small", "https://live.staticflickr.com/{@server}/{@id}_{@secret}_m.jpg"),
        SampleFile("thumbnail", "https://live.staticflickr.com/{@server}/{@id}_{@secret}_t.jpg"),
    ]

    /// Three methods are asked side by side; the third often fails where the others do not.
    private static let flickrDetails = RecordedSample(
        "flickr", .details(id: "5628095432"), "flickr.photos.getInfo.xml", answering: "photos.getInfo",
        files: ["photos.getSizes": "flickr.photos.getSizes.xml"],
        texts: ["photos.getExif": #"{"stat":"fail","code":1,"msg":"x"}"#],
        first: [
            "id": "//photo/@id", "title": "//photo/title", "description": "//photo/description",
            "page": "//urls/url[@type='photopage']", "tags": "//tag/@raw",
            "author.name": "//owner/@username", "author.id": "//owner/@nsid",
            "author.url": "https://www.flickr.com/photos/{//owner/@path_alias}/",
            "license.id": "all-rights-reserved", "license.name": "All Rights Reserved",
            "license.url": "https://www.flickr.com/help/terms",
            "created": SampleMapping("//dates/@taken").replacing(" ", with: "T"),
            "location.name": "{//location/locality}, {//location/region}, {//location/country}",
            "location.city": "//location/locality", "location.country": "//location/country",
            "location.latitude": SampleMapping("//location/@latitude").number,
            "location.longitude": SampleMapping("//location/@longitude").number,
            "stats.views": "//photo/@views", "stats.comments": "//photo/comments", "rating": "safe",
        ],
        media: [
            flickrSize("original", "Original", format: "jpeg"), flickrSize("large", "Large 1600"),
            flickrSize("large", "Large"), flickrSize("regular", "Medium 800"), flickrSize("regular", "Medium 640"),
            flickrSize("regular", "Medium"), flickrSize("small", "Small 400"), flickrSize("small", "Small 320"),
            flickrSize("small", "Small"), flickrSize("thumbnail", "Thumbnail"),
            flickrSize("thumbnail", "Large Square"), flickrSize("thumbnail", "Square"),
        ])

    private static func flickrSize(_ role: String, _ label: String, format: SampleMapping? = nil) -> SampleFile {
        func attribute(_ name: String) -> SampleMapping {
            SampleMapping("//size[@label='\(label)']/@\(name)").in("photos.getSizes")
        }
        return SampleFile(
            role, attribute("source"), width: attribute("width"), height: attribute("height"), format: format)
    }

    /// The visible text of a short piece of HTML.
    private static func flickrText(_ path: String) -> SampleMapping {
        SampleMapping(path).map { $0.replacing(/<[^>]*>/, with: "") }
    }
}
