extension RecordedSample {
    /// Museums, and sources that answer with plain pages of JSON.
    static let museums = [
        nasaSearch, chicagoList, chicagoWork, clevelandList, victoriaAndAlbert, smithsonian, scienceMuseum, phylopic,
        RecordedSample("cleveland", .search, "artworks_empty.json", entries: "$.data", count: 0),  // past the end
    ]

    private static let nasaSearch = RecordedSample(
        "nasa", .search, "search_stars_page1_trimmed.json", entries: "$.collection.items", count: 12,
        total: "$.collection.metadata.total_hits",
        first: [
            "id": "@.data[0].nasa_id", "title": "@.data[0].title", "description": "@.data[0].description",
            "page": "https://images.nasa.gov/details/{@.data[0].nasa_id}", "tags": "@.data[0].keywords",
            "created": "@.data[0].date_created",
        ],
        media: [SampleFile("thumbnail", "@.links[0].href", format: "jpeg")])

    private static let chicagoList = RecordedSample(
        "artic", .search, "artworks_list_page2.json", entries: "$.data", count: 20, total: "$.pagination.total",
        first: [
            "id": "@.id", "title": "@.title", "page": "https://www.artic.edu/artworks/{@.id}",
            "author.name": "@.artist_title",
        ],
        media: chicagoFiles("@"))

    /// A work under copyright: nothing above 843 pixels.
    private static let chicagoWork = RecordedSample(
        "artic", .details(), "artwork_209980.json",
        first: [
            "id": "$.data.id", "title": "$.data.title", "page": "https://www.artic.edu/artworks/{$.data.id}",
            "author.name": "$.data.artist_title", "author.id": "$.data.artist_id", "tags": "$.data.term_titles",
            "description": SampleMapping("$.data.description").map {
                $0.replacing(/<[^>]*>/, with: "").replacing("\n", with: "")
            },
        ],
        media: chicagoFiles("$.data"))

    private static func chicagoFiles(_ work: String) -> [SampleFile] {
        [("regular", 843), ("small", 400), ("thumbnail", 200)].map { role, width in
            let height = SampleMapping.computed("\(work).thumbnail.width", "\(work).thumbnail.height") {
                ($0[1] * Double(width) / $0[0]).rounded()
            }
            return SampleFile(
                role, SampleMapping("{$.config.iiif_url}/{\(work).image_id}/full/\(width),/0/default.jpg"),
                width: SampleMapping("\(width)"), height: height, format: "jpeg")
        }
    }

    private static let clevelandList = RecordedSample(
        "cleveland", .search, "artworks_trimmed.json", entries: "$.data", count: 3, total: "$.info.total",
        first: [
            "id": "@.id", "title": "@.title", "description": "@.wall_description", "page": "@.url",
            "tags[0]": "@.type", "tags[1]": "@.culture[0]",
            "author.name": SampleMapping("@.creators[0].description").matching(#"^(.*?) \("#),
            "license.id": "cc0-1.0", "license.name": "CC0 1.0",
            "license.url": "https://creativecommons.org/publicdomain/zero/1.0/",
        ],
        media: [("original", "full", "tiff"), ("large", "print", "jpeg"), ("regular", "web", "jpeg")].map {
            let image = "@.images.\($0.1)"
            return SampleFile(
                $0.0, SampleMapping("\(image).url"), width: SampleMapping("\(image).width"),
                height: SampleMapping("\(image).height"), bytes: SampleMapping("\(image).filesize"),
                format: SampleMapping($0.2))
        })

    private static let victoriaAndAlbert = RecordedSample(
        "vam", .search, "objects_search_trimmed.json", entries: "$.records", count: 5, total: "$.info.record_count",
        first: [
            "id": "@.systemNumber", "title": "@._primaryTitle",
            "page": "https://collections.vam.ac.uk/item/{@.systemNumber}/",
            "author.name": "@._primaryMaker.name", "location.name": "@._primaryPlace",
        ],
        media: [("original", "full"), ("large", "!1600,1600"), ("regular", "!768,768"), ("small", "!400,400")].map {
            SampleFile(
                $0.0, SampleMapping("{@._images._iiif_image_base_url}full/\($0.1)/0/default.jpg"), format: "jpeg")
        } + [SampleFile("thumbnail", "@._images._primary_thumbnail", format: "jpeg")])

    private static let smithsonian = RecordedSample(
        "smithsonian", .search, "search_10rows.json", entries: "$.response.rows", count: 10,
        total: "$.response.rowCount",
        first: [
            "id": "@.id", "title": "@.title", "page": "https://collections.si.edu/search/detail/{@.url}",
            "tags": "@.content.indexedStructured.topic", "author.name": "@.content.freetext.name[0].content",
            "license.id": "cc0-1.0", "license.name": "CC0 1.0",
            "license.url": "https://creativecommons.org/publicdomain/zero/1.0/",
        ],
        media: [
            SampleFile("original", "@.content.descriptiveNonRepeating.online_media.media[0].content"),
            SampleFile("thumbnail", "@.content.descriptiveNonRepeating.online_media.media[0].thumbnail"),
        ])

    private static let scienceMuseum = RecordedSample(
        "science-museum", .search, "search_objects.json", entries: "$.data", count: 1,
        total: "$.meta.count.type.objects",
        first: [
            "id": "@.id", "title": "@.attributes.summary_title", "page": "@.links.self",
            "description": "@.attributes.description[1].value", "tags[0]": "@.attributes.name[0].value",
            "tags[1]": "@.attributes.categories[0].name",
            "location.name": "@.attributes.lifecycle.creation[0].places[0].summary_title",
            "license.id": "cc-by-nc-sa-4.0", "license.name": "CC BY-NC-SA 4.0",
            "license.url": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        ],
        media: [
            scienceFile("original", "zoom", format: "tiff"), scienceFile("large", "large"),
            scienceFile("regular", "medium"), scienceFile("small", "large_thumbnail", isAbsolute: true),
            scienceFile("thumbnail", "medium_thumbnail"), scienceFile("thumbnail", "small_thumbnail"),
        ])

    private static func scienceFile(
        _ role: String, _ size: String, format: SampleMapping = "jpeg", isAbsolute: Bool = false
    ) -> SampleFile {
        let file = "@.attributes.multimedia[0].processed.\(size)"
        let base = isAbsolute ? "" : "https://coimages.sciencemuseumgroup.org.uk/images/"
        return SampleFile(
            role, SampleMapping("\(base){\(file).location}"),
            width: SampleMapping("\(file).measurements.dimensions[1].value"),
            height: SampleMapping("\(file).measurements.dimensions[0].value"), format: format)
    }

    private static let phylopic = RecordedSample(
        "phylopic", .details(), "image_record.json",
        first: [
            "id": "$.uuid", "title": "$._links.specificNode.title", "tags": "$._links.nodes[*].title",
            "page": "https://www.phylopic.org/images/{$.uuid}", "created": "$.created",
            "author.name": "$.attribution",
            "author.url": SampleMapping("https://www.phylopic.org{$._links.contributor.href}").matching(#"(.*)\?"#),
            "license.id": "cc0-1.0", "license.name": "CC0 1.0", "license.url": "$._links.license.href",
        ],
        media: [phylopicFile("original", "vectorFile", format: "svg")]
            + [("large", 0), ("large", 1), ("regular", 2)].map { phylopicFile($0.0, "rasterFiles[\($0.1)]") }
            + (0..<3).map { phylopicFile("thumbnail", "thumbnailFiles[\($0)]") })

    private static func phylopicFile(_ role: String, _ link: String, format: SampleMapping = "png") -> SampleFile {
        let sizes = SampleMapping("$._links.\(link).sizes")
        let rounded: @Sendable (String) -> String? = { Double($0).map { "\(Int($0.rounded()))" } }
        return SampleFile(
            role, SampleMapping("$._links.\(link).href"), width: sizes.matching("^(.*)x").map(rounded),
            height: sizes.matching("x(.*)$").map(rounded), format: format)
    }
}
