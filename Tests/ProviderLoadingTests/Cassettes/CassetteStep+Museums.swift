extension CassetteStep {
    /// Museums, and sources that answer with plain pages of JSON.
    static let museums = museumsByPage + museumsByOffset + museumsInSteps + photographs + stock

    private static let museumsByPage = [
        CassetteStep("nasa", .search("coffee"), .items(23)),
        CassetteStep("nasa", .search("zzzznothing"), .items(0)),
        CassetteStep("nasa", .details(), id: "EX90100", .found("Crew coffee cup in free fall, view 1")),
        CassetteStep("nasa", .details(), id: "EX 2031 note 5", .found("Crew coffee cup in free fall, view 6")),
        CassetteStep("nasa", .collection, id: "album:Coffee-In-Space", .items(3)),  // and a film
        CassetteStep(
            "nasa", .search("bad year"), parameters: ["year_start": "2500"], page: 1,
            .failure(.unsupported, says: "Invalid value for year_start")),
        CassetteStep("nasa", .details(), id: "nothing", .failure(.notFound, says: "No assets found")),

        CassetteStep("artic", .search("coffee"), .items(23)),  // and a work without a picture
        CassetteStep("artic", .search("zzzznothing"), .items(0)),
        CassetteStep("artic", .feed, .items(4)),
        CassetteStep("artic", .feed, parameters: ["public_domain": "true"], .items(2)),
        CassetteStep("artic", .details(), id: "9900100", .found("Coffee pot with reeded handle")),
        CassetteStep("artic", .details(), id: "9900118", .found("Espresso machine, lever type")),
        CassetteStep("artic", .search("rate limit"), .failure(.rate, says: "Too Many Attempts")),
        CassetteStep("artic", .search("too far"), page: 501, .failure(.unsupported, says: "too many results")),
        CassetteStep("artic", .details(), id: "1", .failure(.notFound, says: "cannot be found")),

        CassetteStep("vam", .search("coffee"), .items(23)),
        CassetteStep("vam", .search("zzzznothing"), .items(0)),
        CassetteStep("vam", .feed, .items(3)),
        CassetteStep("vam", .feed, parameters: ["order_by": "date", "order_sort": "asc"], .items(2)),
        CassetteStep("vam", .details(), id: "O9900100", .found("Silver object")),
        CassetteStep("vam", .details(), id: "O9900103", .found("Drinking coffee in the arcade")),
        CassetteStep(
            "vam", .search("bad year"), parameters: ["year_made_from": "soon"], page: 1,
            .failure(.unsupported, says: "not a valid integer")),
        CassetteStep("vam", .details(), id: "O1", .failure(.notFound, says: "Object not found")),

        CassetteStep("loc", .search("coffee"), .items(22)),  // and a photograph that is not to be seen
        CassetteStep("loc", .search("zzzznothing"), .items(0)),
        CassetteStep("loc", .feed, .items(3)),
        CassetteStep("loc", .feed, parameters: ["dates": "1900/1909"], .items(1)),
        CassetteStep("loc", .details(), id: "99310000", .found("Coffee pot with reeded handle")),
        CassetteStep("loc", .details(), id: "99310024", .found("Percolator, model P-2")),
        CassetteStep("loc", .collection, id: "collection:coffee-houses", .items(3)),
        CassetteStep("loc", .search("rate limit"), .failure(.rate, says: "a page in place of data")),
        CassetteStep(
            "loc", .search("busy"), parameters: ["kind": "maps"], .failure(.rate, says: "Too Many Requests")),
        CassetteStep("loc", .details(), id: "1", .failure(.notFound, says: "Not found")),

        CassetteStep("science-museum", .search("coffee"), .items(22)),
        CassetteStep("science-museum", .search("zzzznothing"), .items(0)),
        CassetteStep("science-museum", .feed, .items(3)),
        CassetteStep("science-museum", .feed, parameters: ["image_license": "true"], .items(1)),
        CassetteStep("science-museum", .details(), id: "co9900000", .found("Coffee pot with reeded handle")),
        CassetteStep("science-museum", .details(), id: "co9900016", .found("Coffee tray with garden scene")),
        CassetteStep(
            "science-museum", .search("too far"), page: 51, .failure(.unsupported, says: "page number is too high")),
        CassetteStep("science-museum", .details(), id: "co1", .failure(.notFound, says: "Not found")),
    ]

    private static let museumsByOffset = [
        CassetteStep("cleveland", .search("coffee"), .items(24)),
        CassetteStep("cleveland", .search("zzzznothing"), .items(0)),
        CassetteStep("cleveland", .feed, .items(4)),
        CassetteStep("cleveland", .feed, parameters: ["cc0": "true"], .items(2)),
        CassetteStep("cleveland", .details(), id: "990200", .found("Coffee pot with reeded handle")),
        CassetteStep("cleveland", .details(), id: "2031.19", .found("Espresso machine, lever type")),
        CassetteStep(
            "cleveland", .search("bad year"), parameters: ["created_after": "soon"], page: 1,
            .failure(.unsupported, says: "must be a whole number")),
        CassetteStep("cleveland", .details(), id: "1", .failure(.notFound, says: "Artwork not found")),

        CassetteStep("smithsonian", .search("coffee"), .items(24)),
        CassetteStep("smithsonian", .search("zzzznothing"), .items(0)),
        CassetteStep("smithsonian", .feed, .items(3)),
        CassetteStep("smithsonian", .feed, parameters: ["unit": "NMAH", "usage": "CC0"], .items(2)),
        CassetteStep("smithsonian", .details(), id: "edanmdm-ex_9900", .found("Coffee pot with reeded handle")),
        CassetteStep("smithsonian", .details(), id: "edanmdm-ex_9909", .found("Ибрик, медь")),
        CassetteStep("smithsonian", .search("bad key"), .failure(.auth, says: "API_KEY_INVALID")),
        CassetteStep("smithsonian", .search("rate limit"), .failure(.rate, says: "OVER_RATE_LIMIT")),
        CassetteStep("smithsonian", .details(), id: "nothing", .failure(.notFound, says: "record not found")),
    ]

    private static let museumsInSteps = [
        CassetteStep("rijksmuseum", .search("coffee"), .items(14)),
        CassetteStep("rijksmuseum", .search("zzzznothing"), .items(0)),
        CassetteStep("rijksmuseum", .feed, .items(2)),
        CassetteStep("rijksmuseum", .feed, parameters: ["type": "print"], .items(1)),
        CassetteStep("rijksmuseum", .details(), id: "209900120", .found("Poster: “Café Lumière”")),
        CassetteStep("rijksmuseum", .details(), id: "EX-C-22", .found("Miniature coffee set for a doll’s house")),
        CassetteStep("rijksmuseum", .details(), id: "EX-0", .failure(.notFound, says: "no object EX-0")),
        CassetteStep("rijksmuseum", .details(), id: "1", .failure(.notFound, says: "no object 1")),

        CassetteStep("phylopic", .search("coffee"), .items(11)),
        CassetteStep("phylopic", .search("zzzznothing"), .items(0)),
        CassetteStep("phylopic", .feed, .items(4)),
        CassetteStep("phylopic", .feed, parameters: ["filter_license_nc": "false"], .items(1)),
        CassetteStep("phylopic", .details(), id: "7a7b9655-c170-4a7d-a6a8-a0eeb1520fa8", .found("Coffea exampla")),
        CassetteStep("phylopic", .details(), id: "83e082ec-ea10-4482-a006-e085ab3fd758", .found("Rubiaceae")),
        CassetteStep("phylopic", .search("old build"), .failure(.transport, says: "status 503")),
        CassetteStep("phylopic", .details(), id: "nothing", .failure(.notFound, says: "was not found")),
    ]

    private static let photographs = [
        CassetteStep("pexels", .search("coffee"), .items(24)),
        CassetteStep("pexels", .search("zzzznothing"), .items(0)),
        CassetteStep("pexels", .feed, .items(5)),
        CassetteStep("pexels", .details(), id: "990310000", .found("Coffee pot with reeded handle")),
        CassetteStep("pexels", .details(), id: "990310222", .found("")),
        CassetteStep("pexels", .collection, id: "collection:ex4mple", .items(3)),
        CassetteStep("pexels", .search("bad key"), .failure(.auth, says: "Unauthorized")),
        CassetteStep("pexels", .search("rate limit"), .failure(.rate, says: "Too many requests")),
        CassetteStep("pexels", .details(), id: "1", .failure(.notFound, says: "Not Found")),

        CassetteStep("wallhaven", .search("coffee"), .items(26)),
        CassetteStep("wallhaven", .search("zzzznothing"), .items(0)),
        CassetteStep("wallhaven", .feed, .items(4)),
        CassetteStep("wallhaven", .feed, parameters: ["sorting": "random"], .items(5)),  // two pages of one seed
        CassetteStep("wallhaven", .details(), id: "zz1000", .found("coffee, steam")),
        CassetteStep("wallhaven", .details(), id: "zz1077", .found("coffee, steam")),
        CassetteStep("wallhaven", .collection, id: "tag:990001", .items(3)),
        CassetteStep("wallhaven", .collection, id: "user:example-uploader", .items(2)),
        CassetteStep("wallhaven", .collection, id: "like:zz1007", .items(2)),
        CassetteStep("wallhaven", .collection, id: "favorites:example-uploader/9901", .items(4)),
        CassetteStep(
            "wallhaven", .search("bad key"), parameters: ["purity": "nsfw"],
            .failure(.auth, says: "Unauthorized")),
        CassetteStep("wallhaven", .search("rate limit"), .failure(.rate, says: "Too Many Requests")),
        CassetteStep("wallhaven", .details(), id: "nothing", .failure(.notFound, says: "Nothing here")),

        CassetteStep("stocksnap", .search("coffee"), .items(44)),
        CassetteStep("stocksnap", .search("zzzznothing"), .items(0)),
        CassetteStep("stocksnap", .feed, .items(5)),
        CassetteStep("stocksnap", .feed, parameters: ["sort": "downloads"], .items(1)),
        CassetteStep("stocksnap", .search("rate limit"), .failure(.rate, says: "429")),
        CassetteStep("stocksnap", .search("page"), .failure(.changed, says: "expected JSON")),

        CassetteStep("picsum", .feed, .items(24)),
        CassetteStep("picsum", .details(), id: "99100", .found("")),
        CassetteStep("picsum", .details(), id: "99107", .found("")),
        CassetteStep("picsum", .details(), id: "1000000", .failure(.notFound, says: "Image does not exist")),
    ]

    private static let stock = [
        CassetteStep("shutterstock", .search("coffee"), .items(23)),
        CassetteStep("shutterstock", .search("zzzznothing"), .items(0)),
        CassetteStep("shutterstock", .details(), id: "9901230000", .found("Coffee pot with reeded handle")),
        CassetteStep("shutterstock", .details(), id: "9901230044", .found("Kaffeekanne mit Deckel")),
        CassetteStep("shutterstock", .search("bad key"), .failure(.auth, says: "Invalid Basic authorization")),
        CassetteStep("shutterstock", .search("rate limit"), .failure(.rate, says: "rate limit exceeded")),
        CassetteStep(
            "shutterstock", .search("bad colour"), parameters: ["color": "teapot"],
            .failure(.unsupported, says: "color is not a hex value")),
        CassetteStep("shutterstock", .details(), id: "1", .failure(.notFound, says: "Not Found")),
    ]
}
