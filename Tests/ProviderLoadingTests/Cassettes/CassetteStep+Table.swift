extension CassetteStep {
    /// What the cassettes of all shipped providers hold.
    static let all = unsplash + pixabay + flickr + itunes + openverse + boards + cursors + feeds + museums

    private static let photo = "https://images.unsplash.com/photo-1610000000000-7c27bdcb621a"

    private static let unsplash = [
        CassetteStep("unsplash", .search("coffee"), .items(24)),
        CassetteStep("unsplash", .search("zzzznothing"), .items(0)),
        CassetteStep("unsplash", .feed, .items(8)),
        CassetteStep("unsplash", .feed, parameters: ["order_by": "popular"], .items(3)),
        CassetteStep("unsplash", .details(), id: "nlHhMUj9CtX", .found("Flat white beside a rain-streaked window")),
        CassetteStep("unsplash", .details(), id: "ZWHNQzPJtwn", .found("喫茶店の朝")),
        CassetteStep("unsplash", .collection, id: "user:odalysfernwick", .items(3)),
        CassetteStep("unsplash", .collection, id: "collection:7310042", .items(4)),
        CassetteStep(
            "unsplash", .download(.original), id: "nlHhMUj9CtX",
            .found("\(photo)?crop=entropy&cs=srgb&fm=jpg&ixlib=rb-4.0.3&q=85")),
        CassetteStep(
            "unsplash", .download(.small), id: "nlHhMUj9CtX",
            .found("\(photo)?crop=entropy&cs=tinysrgb&fit=max&fm=jpg&ixid=M3wxzg5iwtgp&ixlib=rb-4.0.3&q=80&w=400")),
        CassetteStep("unsplash", .search("bad key"), .failure(.auth, says: "The access token is invalid")),
        CassetteStep("unsplash", .search("rate limit"), .failure(.rate, says: "Rate Limit Exceeded")),
        CassetteStep("unsplash", .search("spam"), .failure(.unsupported, says: "takes this query for spam")),
        CassetteStep("unsplash", .details(), id: "not-there", .failure(.notFound, says: "Couldn't find Photo")),
    ]

    private static let pixabay = [
        CassetteStep("pixabay", .search("coffee"), .items(23)),
        CassetteStep("pixabay", .search("zzzznothing"), .items(0)),
        CassetteStep("pixabay", .feed, .items(4)),
        CassetteStep("pixabay", .feed, parameters: ["order": "latest"], .items(6)),
        CassetteStep("pixabay", .details(), id: "99100000", .found("coffee, beans, roast, linen, texture")),
        CassetteStep("pixabay", .details(), id: "99124997", .found("coffee, milk, macro, swirl")),
        CassetteStep("pixabay", .search("bad key"), .failure(.auth, says: "Invalid or missing API key")),
        CassetteStep("pixabay", .search("rate limit"), .failure(.rate, says: "API rate limit exceeded")),
        CassetteStep(
            "pixabay", .search("past the end"), page: 26,
            .failure(.unsupported, says: #""page" is out of valid range"#)),
        CassetteStep("pixabay", .details(), id: "1", .failure(.notFound, says: "Pixabay has no image 1.")),
    ]

    private static let flickr = [
        CassetteStep("flickr", .search("coffee"), .items(23)),
        CassetteStep("flickr", .search("zzzznothing"), .items(0)),
        CassetteStep("flickr", .feed, .items(7)),
        CassetteStep("flickr", .feed, parameters: ["list": "interesting"], .items(4)),
        CassetteStep("flickr", .feed, parameters: ["list": "recent"], .items(3)),
        CassetteStep("flickr", .details(), id: "99702469154", .found("Grinder settings, page four of the notebook")),
        CassetteStep("flickr", .details(), id: "99701234577", .found("Coffee cherries on the branch")),
        CassetteStep("flickr", .collection, id: "user:boprovbild", .items(3)),
        CassetteStep("flickr", .collection, id: "album:909081462@N06/72177720300000042", .items(4)),
        CassetteStep("flickr", .collection, id: "album:boprovbild/72177720300000042", .items(4)),
        CassetteStep("flickr", .search("bad key"), .failure(.auth, says: "(100)")),
        CassetteStep("flickr", .search("rate limit"), .failure(.rate, says: "status 429")),
        CassetteStep("flickr", .search("unavailable"), .failure(.rate, says: "(10")),
        CassetteStep("flickr", .search(""), .failure(.unsupported, says: "(3)")),
        CassetteStep("flickr", .details(), id: "1", .failure(.notFound, says: "(1)")),
    ]

    private static let itunes = [
        CassetteStep("itunes", .search("coffee"), .items(16)),
        CassetteStep("itunes", .search("zzzznothing"), .items(0)),
        CassetteStep("itunes", .details(), id: "9900003001", .found("Second Cup")),
        CassetteStep(
            "itunes", .details(page: "https://music.apple.com/us/album/coffee-for-nobody/9900002003?uo=4"),
            id: "9900002003", .found("Coffee for Nobody")),
        CassetteStep("itunes", .details(), id: "9900003007", .found("Pour Over Timer")),
        CassetteStep("itunes", .collection, id: "9900000103", .items(3)),
        CassetteStep(
            "itunes", .search("bad country"), parameters: ["country": "ZZ"],
            .failure(.unsupported, says: "Invalid value(s) for key(s): [country]")),
        CassetteStep("itunes", .search("rate limit"), .failure(.rate, says: "20 requests a minute")),
        CassetteStep("itunes", .details(), id: "1", .failure(.notFound, says: "The store has nothing with id 1.")),
    ]

    private static let openverse = [
        CassetteStep("openverse", .search("coffee"), .items(25)),
        CassetteStep("openverse", .search("zzzznothing"), .items(0)),
        CassetteStep("openverse", .feed, .items(6)),
        CassetteStep("openverse", .feed, parameters: ["tags": "coffee,rain", "license": "cc0,pdm"], .items(2)),
        CassetteStep(
            "openverse", .details(), id: "3ca58220-77ac-4b66-ad83-bfc487f25d32", .found("Drying patios at noon")),
        CassetteStep("openverse", .details(), id: "dc05ded1-bce2-49df-a31b-522c6e3aa552", .found("Кава у Львові")),
        CassetteStep("openverse", .collection, id: "related:3ca58220-77ac-4b66-ad83-bfc487f25d32", .items(4)),
        CassetteStep("openverse", .search("bad key"), .failure(.auth, says: "credentials were not provided")),
        CassetteStep("openverse", .search("rate limit"), .failure(.rate, says: "Expected available in 37 seconds")),
        CassetteStep(
            "openverse", .search("bad licence"), parameters: ["license": "gpl"], page: 1,
            .failure(.unsupported, says: "gpl")),
        CassetteStep(
            "openverse", .details(), id: "00000000-0000-4000-8000-000000000000",
            .failure(.notFound, says: "No Image matches")),
    ]
}
