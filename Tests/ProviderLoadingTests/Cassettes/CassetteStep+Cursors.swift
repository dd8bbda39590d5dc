extension CassetteStep {
    /// Sources that page by cursors and tokens, or by two steps.
    static let cursors =
        commons + europeana + internetArchive + met + inaturalist + reddit + imgur + deviantart + giphy + googleCSE
        + anilist + nappy + flickrFeed

    private static let commons = [
        CassetteStep("commons", .search("coffee"), .items(26)),  // the first page comes in two parts
        CassetteStep("commons", .search("zzzznothing"), .items(0)),
        CassetteStep("commons", .feed, .items(8)),
        CassetteStep("commons", .feed, parameters: ["list": "featured"], .items(4)),
        CassetteStep(
            "commons", .details(), id: "File:Enamel coffee pot on a blue stove.jpg",
            .found("Enamel coffee pot on a blue stove")),
        CassetteStep(
            "commons", .details(), id: "File:Siphon brewer, blue flame.svg", .found("Siphon brewer, blue flame")),
        CassetteStep("commons", .collection, id: "Category:Coffee pots (example)", .items(3)),
        CassetteStep("commons", .collection, id: "User:Odalys Fernwick", .items(3)),
        CassetteStep("commons", .search("too fast"), .failure(.rate, says: "exceeded your rate limit")),
        CassetteStep("commons", .search("bad \"syntax"), .failure(.unsupported, says: "(cirrussearch-parse-error)")),
        CassetteStep(
            "commons", .details(), id: "File:Not there.jpg",
            .failure(.notFound, says: "Commons has no file File:Not there.jpg.")),
    ]

    private static let europeana = [
        CassetteStep("europeana", .search("coffee"), .items(24)),
        CassetteStep("europeana", .search("zzzznothing"), .items(0)),
        CassetteStep("europeana", .feed, .items(6)),
        CassetteStep(
            "europeana", .feed,
            parameters: ["reusability": "open", "colourpalette": "#8B4513", "filters": "COUNTRY:Examplia"], .items(3)),
        CassetteStep(
            "europeana", .details(), id: "/9900/example_item_0001", .found("Enamel coffee pot on a blue stove")),
        CassetteStep("europeana", .details(), id: "/9900/example_item_0004", .found("Three cups and a crossword")),
        CassetteStep("europeana", .search("bad key"), .failure(.auth, says: "status 401")),
        CassetteStep("europeana", .search("rate limit"), .failure(.rate, says: "status 429")),
        CassetteStep("europeana", .search("bad \"query"), .failure(.unsupported, says: "Invalid query parameter.")),
        CassetteStep("europeana", .details(), id: "/9900/not_there", .failure(.notFound, says: "Invalid record")),
    ]

    private static let internetArchive = [
        CassetteStep("internet-archive", .search("coffee"), .items(107)),
        CassetteStep("internet-archive", .search("zzzznothing"), .items(0)),
        CassetteStep("internet-archive", .feed, .items(9)),
        CassetteStep(
            "internet-archive", .details(), id: "example-coffee-pot-0001", .found("Two plates of a coffee pot")),
        CassetteStep(
            "internet-archive", .details(), id: "example-coffee-pot-0001/plates/plate 02.tif",
            .found("Two plates of a coffee pot")),
        CassetteStep("internet-archive", .collection, id: "example-coffee-pot-0001", .items(2)),
        CassetteStep("internet-archive", .collection, id: "collection:example-museum", .items(5)),
        CassetteStep("internet-archive", .search("bad query"), .failure(.unsupported, says: "Invalid query syntax")),
        CassetteStep("internet-archive", .search("rate limit"), .failure(.rate, says: "Too many requests")),
        CassetteStep("internet-archive", .details(), id: "not-there", .failure(.notFound, says: "no item not-there")),
    ]

    private static let met = [
        CassetteStep("met", .search("coffee"), .items(23)),  // of 26 works one is gone, and two are withheld
        CassetteStep("met", .search("zzzznothing"), .items(0)),
        CassetteStep("met", .search("urn"), parameters: ["departmentId": "12", "medium": "Silver"], .items(2)),
        CassetteStep("met", .feed, .items(3)),
        CassetteStep("met", .details(), id: "990000", .found("Coffeepot")),
        CassetteStep("met", .details(), id: "990003/2", .found("Three cups and a crossword")),
        CassetteStep("met", .collection, id: "990003", .items(4)),
        CassetteStep("met", .search("withheld"), .items(0)),
        CassetteStep("met", .search("blocked"), .failure(.blocked, says: "guard against programs")),
        CassetteStep("met", .details(), id: "1", .failure(.notFound, says: "ObjectID not found")),
    ]

    private static let inaturalist = [
        CassetteStep("inaturalist", .search("coffee"), .items(39)),  // of 24 observations
        CassetteStep("inaturalist", .search("zzzznothing"), .items(0)),
        CassetteStep("inaturalist", .feed, parameters: ["order": "asc", "iconic_taxa": "Insecta,Aves"], .items(2)),
        CassetteStep("inaturalist", .feed, parameters: ["photo_license": "cc0,cc-by"], .items(5)),
        CassetteStep("inaturalist", .details(), id: "990000020", .found("Arabian coffee")),
        CassetteStep("inaturalist", .details(), id: "990000019-9900000192", .found("Robusta coffee")),
        CassetteStep("inaturalist", .collection, id: "observation:990000019", .items(3)),
        CassetteStep("inaturalist", .collection, id: "user:tove_pahittad", .items(2)),
        CassetteStep("inaturalist", .collection, id: "taxon:99", .items(2)),
        CassetteStep("inaturalist", .search("rate limit"), .failure(.rate, says: "Too many requests")),
        CassetteStep("inaturalist", .search("bad filter"), .failure(.unsupported, says: "Unknown filter")),
        CassetteStep("inaturalist", .details(), id: "1", .failure(.notFound, says: "Not found")),
        CassetteStep("inaturalist", .details(), id: "990000000", .failure(.notFound, says: "has no photo")),
    ]

    private static let reddit = [
        CassetteStep("reddit", .search("coffee"), .items(34)),  // of 29 posts, some galleries and some without image
        CassetteStep("reddit", .search("zzzznothing"), .items(0)),
        CassetteStep(
            "reddit", .search("moka"), parameters: ["subreddit": "examplecoffee", "sort": "top", "t": "year"],
            .items(2)),
        CassetteStep("reddit", .feed, .items(8)),
        CassetteStep(
            "reddit", .feed, parameters: ["subreddit": "examplecoffee+examplepots", "sort": "new"], .items(6)),
        CassetteStep("reddit", .details(), id: "9inv00", .found("Enamel coffee pot on a blue stove")),
        CassetteStep("reddit", .details(), id: "9inv04-med04b", .found("Кавова крамниця зранку")),
        CassetteStep("reddit", .collection, id: "post:9inv04", .items(3)),
        CassetteStep("reddit", .collection, id: "r:examplecoffee", .items(6)),
        CassetteStep("reddit", .collection, id: "user:petra_mustermann", .items(3)),
        CassetteStep("reddit", .search("bad key"), .failure(.auth, says: "Unauthorized")),
        CassetteStep("reddit", .search("rate limit"), .failure(.rate, says: "Too Many Requests")),
        CassetteStep("reddit", .details(), id: "9gone0", .failure(.notFound, says: "Not Found")),
        CassetteStep("reddit", .details(), id: "9invtx", .failure(.notFound, says: "The post has no image.")),
    ]

    private static let imgur = [
        CassetteStep("imgur", .search("coffee"), .items(64)),
        CassetteStep("imgur", .search("zzzznothing"), .items(0)),
        CassetteStep(
            "imgur", .search("moka"), parameters: ["sort": "top", "window": "month", "q_type": "png"], .items(2)),
        CassetteStep("imgur", .feed, .items(8)),
        CassetteStep("imgur", .feed, parameters: ["section": "top", "sort": "time", "window": "week"], .items(2)),
        CassetteStep("imgur", .details(), id: "Inv0001", .found("Enamel coffee pot on a blue stove")),
        CassetteStep("imgur", .collection, id: "album:Alb03", .items(4)),
        CassetteStep("imgur", .collection, id: "user:glorem", .items(3)),
        CassetteStep("imgur", .search("bad key"), .failure(.auth, says: "Invalid client_id")),
        CassetteStep("imgur", .search("rate limit"), .failure(.rate, says: "Too many requests")),
        CassetteStep("imgur", .details(), id: "Gone000", .failure(.notFound, says: "Unable to find an image")),
    ]

    private static let work = "99000000-0000-4000-8000-000000000002"

    private static let deviantart = [
        CassetteStep("deviantart", .search("coffee"), .items(25)),  // of 29 deviations, three of words and one deleted
        CassetteStep("deviantart", .search("zzzznothing"), .items(0)),
        CassetteStep("deviantart", .search("coffee pot"), parameters: ["by": "tags"], .items(3)),
        CassetteStep("deviantart", .feed, .items(5)),
        CassetteStep(
            "deviantart", .feed, parameters: ["list": "dailydeviations", "date": "2024-05-01"], .items(3)),
        CassetteStep("deviantart", .details(), id: work, .found("Drying patio above the river")),
        CassetteStep(
            "deviantart", .details(), id: "kwame_invented/art/Drying-patio-above-the-river-990000002",
            .found("Drying patio above the river")),
        CassetteStep("deviantart", .collection, id: "user:kwame_invented", .items(3)),
        CassetteStep(
            "deviantart", .download(.original), id: work,
            .found(
                "https://wixmp-ed30a86b8c4ca887773594c2.wixmp.com/f/99000000/original-invented.png?token=INVENTED")),
        CassetteStep("deviantart", .search("bad key"), .failure(.auth, says: "invalid_token")),
        CassetteStep("deviantart", .search("rate limit"), .failure(.rate, says: "user_api_threshold")),
        CassetteStep("deviantart", .search("bad request"), .failure(.unsupported, says: "invalid_request")),
        CassetteStep(
            "deviantart", .details(), id: "00000000-0000-4000-8000-00000000dead",
            .failure(.notFound, says: "invalid_request")),
    ]

    private static let giphy = [
        CassetteStep("giphy", .search("coffee"), .items(29)),
        CassetteStep("giphy", .search("zzzznothing"), .items(0)),
        CassetteStep("giphy", .feed, .items(7)),
        CassetteStep("giphy", .feed, parameters: ["kind": "stickers", "rating": "g"], .items(3)),
        CassetteStep("giphy", .details(), id: "xInv00000001", .found("Latte with a lopsided heart GIF")),
        CassetteStep("giphy", .details(), id: "xInv00000003", .found("Three cups and a crossword GIF")),
        CassetteStep("giphy", .search("bad key"), .failure(.auth, says: "Unauthorized")),
        CassetteStep("giphy", .search("rate limit"), .failure(.rate, says: "API rate limit exceeded")),
        CassetteStep("giphy", .details(), id: "notthere", .failure(.notFound, says: "Not Found")),
    ]

    private static let googleCSE = [
        CassetteStep("google-cse", .search("coffee"), .items(13)),
        CassetteStep("google-cse", .search("zzzznothing"), .items(0)),
        CassetteStep(
            "google-cse", .search("latte"),
            parameters: ["imgType": "photo", "rights": "cc_publicdomain,cc_attribute"], .items(3)),
        CassetteStep("google-cse", .search("bad key"), .failure(.auth, says: "API key not valid")),
        CassetteStep("google-cse", .search("rate limit"), .failure(.rate, says: "Quota exceeded")),
    ]

    private static let anilist = [
        CassetteStep("anilist", .search("coffee"), .items(36)),  // covers of 24 works, and banners of half of them
        CassetteStep("anilist", .search("zzzznothing"), .items(0)),
        CassetteStep("anilist", .feed, .items(5)),
        CassetteStep(
            "anilist", .feed,
            parameters: ["sort": "POPULARITY_DESC", "type": "MANGA", "genre_in": "Drama,Slice of Life"], .items(3)),
        CassetteStep("anilist", .details(), id: "990000", .found("Kōhī Biyori")),
        CassetteStep("anilist", .details(), id: "990001-banner", .found("Siphon no Mahō")),
        CassetteStep("anilist", .search("rate limit"), .failure(.rate, says: "Too Many Requests.")),
        CassetteStep("anilist", .search("bad variable"), .failure(.unsupported, says: "got invalid value")),
        CassetteStep("anilist", .details(), id: "1", .failure(.notFound, says: "Not Found.")),
    ]

    private static let nappy = [CassetteStep("nappy", .feed, .items(16))]

    private static let flickrFeed = [
        CassetteStep("flickr-feed", .search("coffee"), .items(16)),
        CassetteStep("flickr-feed", .search("zzzznothing"), .items(0)),
        CassetteStep("flickr-feed", .feed, .items(4)),
        CassetteStep(
            "flickr-feed", .feed, parameters: ["format": "atom", "tags": "coffee,rain", "tagmode": "any"], .items(3)),
        CassetteStep("flickr-feed", .feed, parameters: ["format": "rss_200"], .items(2)),
        CassetteStep("flickr-feed", .collection, id: "user:909013577@N01", .items(3)),
        CassetteStep("flickr-feed", .collection, id: "group:909900001@N20", .items(2)),
        CassetteStep("flickr-feed", .search("gone"), .failure(.notFound, says: "404")),
    ]
}
