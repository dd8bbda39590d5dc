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
        "flickr", .details(), "flickr.photos.getInfo.xml", answering: "photos.getInfo",
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

    /// What people read of a short piece of HTML.
    private static func flickrText(_ path: String) -> SampleMapping {
        SampleMapping(path).map { $0.replacing(/<[^>]*>/, with: "") }
    }
}
