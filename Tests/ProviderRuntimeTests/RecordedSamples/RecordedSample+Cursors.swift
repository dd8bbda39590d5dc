import Foundation

extension RecordedSample {
    /// Sources that page by cursors and tokens, or by two steps.
    static let cursors =
        commons + europeana + archive + met + inaturalist + reddit + imgur + giphy + googleCSE + anilist + nappy

    /// One batch, which comes in three parts.
    private static let commons = [
        RecordedSample(
            "commons", .feed(), "query_allimages_batch1_part1.json",
            files: [
                "gucontinue=Edvard": "query_allimages_batch1_part2.json",
                "gucontinue=Niedercunnersdorf": "query_allimages_batch1_part3.json",
            ],
            count: 9, last: "$.query.pages.44672212.title",
            first: [
                "id": SampleMapping("\(page).title"), "title": metadata("ObjectName"),
                "description": metadata("ImageDescription"), "page": file("descriptionurl"),
                "tags": metadata("Categories").split(by: "|"), "author.name": metadata("Artist"),
                "author.url": file("extmetadata.Artist.value").matching(#"href="([^"]+)"#),
                "license.id": "public-domain", "license.name": metadata("LicenseShortName"),
                "created": metadata("DateTimeOriginal"),
            ],
            media: [
                SampleFile(
                    "original", file("url"), width: file("width"), height: file("height"), bytes: file("size"))
            ])
    ]

    /// The first page of the batch.
    private static let page = "$.query.pages.18263872"

    private static func file(_ field: String) -> SampleMapping { SampleMapping("\(page).imageinfo[0].\(field)") }

    /// The visible text of a piece of HTML about the first page's file.
    private static func metadata(_ name: String) -> SampleMapping {
        file("extmetadata.\(name).value").map { $0.replacing(/<[^>]*>/, with: "") }
    }

    private static let europeana = [
        RecordedSample(
            "europeana", .search, "search_cursor_trimmed.json", entries: "$.items", count: 4, total: "$.totalResults",
            first: [
                "id": "@.id", "title": "@.title[0]", "page": SampleMapping("@.guid").matching(#"([^?]*)"#),
                "description": "{@.dcDescription[0]}\n{@.dcDescription[1]}",
                "tags": "@.edmConceptPrefLabelLangAware.es", "author.name": "@.edmAgentLabel[0].def",
                "license.id": "cc0-1.0", "license.name": "CC0 1.0",
                "license.url": SampleMapping("@.rights[0]").replacing("http:", with: "https:"),
            ],
            media: [SampleFile("original", "@.edmIsShownBy[0]"), SampleFile("thumbnail", "@.edmPreview[0]")])
    ]

    private static let archive = [
        RecordedSample(
            "internet-archive", .search, "scrape_cursor.json", entries: "$.items", count: 100, total: "$.total",
            first: ["id": "@.identifier", "page": "https://archive.org/details/{@.identifier}"],
            media: [SampleFile("thumbnail", "https://archive.org/services/img/{@.identifier}")])
    ]

    private static let met = [
        RecordedSample(
            "met", .details(id: "45734"), "object_with_additional_images.json",
            first: [
                "id": "@.objectID", "title": "@.title", "page": "@.objectURL", "tags": "@.tags[*].term",
                "author.name": "@.artistDisplayName", "author.url": "@.artistWikidata_URL", "license.id": "cc0-1.0",
                "license.name": "CC0 1.0", "license.url": "https://creativecommons.org/publicdomain/zero/1.0/",
            ],
            media: [SampleFile("original", "@.primaryImage"), SampleFile("regular", "@.primaryImageSmall")])
    ]

    private static let inaturalist = [
        RecordedSample(
            "inaturalist", .search, "observations_page1.json", entries: "$.results", count: 1,
            first: [
                "id": "{@.id}-{@.photos[0].id}", "title": "@.taxon.preferred_common_name", "page": "@.uri",
                "tags": SampleMapping("@.taxon.name").listed, "author.name": "@.user.login",
                "author.id": "@.user.login", "author.url": "https://www.inaturalist.org/people/{@.user.login}",
                "license.id": "@.photos[0].license_code",
                "license.name": SampleMapping("@.photos[0].license_code").map { text in
                    text.uppercased().replacing("CC-", with: "CC ")
                },
                "created": "@.time_observed_at", "location.name": "@.place_guess",
                "location.latitude": "@.geojson.coordinates[1]", "location.longitude": "@.geojson.coordinates[0]",
                "stats.likes": "@.faves_count", "stats.comments": "@.comments_count",
            ],
            media: [
                photo("original", "original", within: 2048), photo("large", "large", within: 1024),
                photo("regular", "medium", within: 500), photo("small", "small", within: 240),
                SampleFile("thumbnail", "@.photos[0].url", width: "75", height: "75"),
            ])
    ]

    private static func photo(_ role: String, _ word: String, within most: Double) -> SampleFile {
        func side(_ name: String) -> SampleMapping {
            .computed(
                "@.photos[0].original_dimensions.\(name)", "@.photos[0].original_dimensions.width",
                "@.photos[0].original_dimensions.height"
            ) { ($0[0] * min(1, most / max($0[1], $0[2]))).rounded() }
        }
        let url = SampleMapping("@.photos[0].url").replacing("/square.", with: "/\(word).")
        return SampleFile(role, url, width: side("width"), height: side("height"))
    }

    private static let reddit = [
        RecordedSample(
            "reddit", .feed(), "listing_hot_trimmed.json", entries: "$.data.children", count: 4,
            last: "$.data.children[3].data.id", first: redditPost("@.data").merging(["id": "@.data.id"]) { $1 },
            media: [SampleFile("original", "@.data.url"), preview("large", "source")]
                + zip(["large", "regular", "small", "small", "thumbnail"], 1...5).map { role, place in
                    preview(role, "resolutions[\(-place)]")
                }),
        RecordedSample(
            "reddit", .details(id: "huw6vs"), "comments_gallery_post.json",
            first: redditPost("$[0].data.children[0].data").merging([
                "id": "$[0].data.children[0].data.id",
                "description": "test.jpg\ntest.png",
                "media[0].file": "1", "media[1].file": "1", "media[2].file": "2", "media[3].file": "2",
                "media[4].file": "3", "media[5].file": "3", "media[6].file": "4", "media[7].file": "4",
            ]) { $1 },
            media: [
                ("pb7qsvi6i3c51", "u", "png"), ("14wmudl6i3c51", "u", "jpeg"), ("vkm62gm6i3c51", "gif", "gif"),
                ("wka18en6i3c51", "u", "png"),
            ].flatMap { id, address, format in
                [
                    galleryFile("original", of: id, "s", address, format: SampleMapping(format)),
                    galleryFile("thumbnail", of: id, "p[0]", "u"),
                ]
            }),
    ]

    private static func galleryFile(
        _ role: String, of id: String, _ name: String, _ address: String, format: SampleMapping? = nil
    ) -> SampleFile {
        let path = "$[0].data.children[0].data.media_metadata.\(id).\(name)"
        return SampleFile(
            role, SampleMapping("\(path).\(address)"), width: SampleMapping("\(path).x"),
            height: SampleMapping("\(path).y"), format: format)
    }

    private static func redditPost(_ path: String) -> [String: SampleMapping] {
        [
            "title": SampleMapping("\(path).title"),
            "page": SampleMapping("https://www.reddit.com{\(path).permalink}").map { text in
                text.replacing("<", with: "%3C").replacing(">", with: "%3E")
            },
            "author.name": SampleMapping("\(path).author"),
            "author.url": SampleMapping("https://www.reddit.com/user/{\(path).author}").map { text in
                text.replacing("<", with: "%3C").replacing(">", with: "%3E")
            },
            "created": SampleMapping("\(path).created_utc").map { text in
                Double(text).map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
            },
            "stats.score": SampleMapping("\(path).score"), "stats.likes": SampleMapping("\(path).ups"),
            "stats.comments": SampleMapping("\(path).num_comments"), "rating": "safe",
        ]
    }

    private static func preview(_ role: String, _ name: String) -> SampleFile {
        let path = "@.data.preview.images[0].\(name)"
        return SampleFile(
            role, SampleMapping("\(path).url"), width: SampleMapping("\(path).width"),
            height: SampleMapping("\(path).height"))
    }

    private static let imgur = [
        RecordedSample(
            "imgur", .feed(), "gallery_trimmed.json", entries: "$.data", count: 5, last: "album:{$.data[-1].id}",
            first: [
                "id": "@.id", "title": "@.title", "description": "@.description", "page": "https://imgur.com/{@.id}",
                "tags": "@.tags[*].display_name", "author.name": "@.account_url", "author.id": "@.account_id",
                "author.url": "https://imgur.com/user/{@.account_url}",
                "created": SampleMapping("@.datetime").map { text in
                    Double(text).map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
                },
                "stats.views": "@.views", "stats.likes": "@.ups", "stats.downvotes": "@.downs",
                "stats.score": "@.score",
                "stats.comments": "@.comment_count",
                "stats.favorites": "@.favorite_count", "rating": "safe",
            ],
            media: [
                SampleFile(
                    "original", "https://i.imgur.com/{@.id}.gif", width: "@.width", height: "@.height",
                    bytes: "@.size", format: "gif"),
                smaller("small", "m", 320), smaller("thumbnail", "t", 160),
            ])
    ]

    private static func smaller(_ role: String, _ suffix: String, _ most: Double) -> SampleFile {
        func side(_ name: String) -> SampleMapping {
            .computed("@.\(name)", "@.width", "@.height") { ($0[0] * most / max($0[1], $0[2])).rounded() }
        }
        return SampleFile(
            role, SampleMapping("https://i.imgur.com/{@.id}\(suffix).jpg"), width: side("width"),
            height: side("height"))
    }

    private static let giphy = [
        RecordedSample(
            "giphy", .search, "search_trimmed.json", entries: "$.data", count: 4, total: "$.pagination.total_count",
            first: [
                "id": "@.id", "page": "@.url",
                "created": SampleMapping("@.import_datetime").replacing(" ", with: "T"), "rating": "safe",
            ],
            media: [
                ("original", "original"), ("regular", "fixed_height"), ("regular", "fixed_width"),
                ("regular", "fixed_height_downsampled"), ("regular", "fixed_width_downsampled"),
            ].flatMap { role, name in [rendition(role, name, "url", "gif"), rendition(role, name, "webp", "webp")] }
                + [rendition("small", "preview_webp", "url", "webp"), rendition("small", "preview_gif", "url", "gif")]
                + ["fixed_height_small", "fixed_width_small"].flatMap { name in
                    [rendition("thumbnail", name, "url", "gif"), rendition("thumbnail", name, "webp", "webp")]
                })
    ]

    private static func rendition(_ role: String, _ name: String, _ field: String, _ format: String) -> SampleFile {
        let path = "@.images.\(name)"
        return SampleFile(
            role, SampleMapping("\(path).\(field)"), width: SampleMapping("\(path).width"),
            height: SampleMapping("\(path).height"),
            bytes: SampleMapping("\(path).\(field == "url" ? "size" : "webp_size")"), format: SampleMapping(format))
    }

    private static let googleCSE = [
        RecordedSample(
            "google-cse", .search, "search_image_cat.json", entries: "$.items", count: 10,
            total: "$.searchInformation.totalResults",
            first: ["id": "@.link", "title": "@.title", "description": "@.snippet", "page": "@.image.contextLink"],
            media: [
                SampleFile(
                    "original", "@.link", width: "@.image.width", height: "@.image.height", bytes: "@.image.byteSize",
                    format: "jpeg"),
                SampleFile(
                    "thumbnail", "@.image.thumbnailLink", width: "@.image.thumbnailWidth",
                    height: "@.image.thumbnailHeight"),
            ])
    ]

    private static let anilist = [
        RecordedSample(
            "anilist", .details(id: "1"), "media_1_fields_trimmed.json",
            first: ["id": "$.data.Media.id", "title": "$.data.Media.title.userPreferred"],
            media: [
                SampleFile("large", "$.data.Media.coverImage.extraLarge"),
                SampleFile("regular", "$.data.Media.coverImage.large"),
            ])
    ]

    private static let nappy = [
        RecordedSample(
            "nappy", .feed(), "images_page1.json", entries: "$.images", count: 10, total: "$.total_results",
            first: [
                "id": "@.foreign_identifier", "title": "@.title", "page": "@.foreign_landing_url",
                "tags": SampleMapping("@.tags").split(by: ","), "author.name": "@.creator",
                "author.url": "@.creator_url", "license.id": "cc0-1.0", "license.name": "CC0 1.0",
                "license.url": "https://creativecommons.org/publicdomain/zero/1.0/", "stats.views": "@.views",
                "stats.downloads": "@.downloads", "stats.saves": "@.saves",
            ],
            media: [SampleFile("original", "@.url", width: "@.width", height: "@.height", format: "jpeg")])
    ]
}
