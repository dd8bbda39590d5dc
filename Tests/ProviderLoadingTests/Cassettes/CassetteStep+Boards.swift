extension CassetteStep {
    /// Image boards: one theme for each kind of software, and sites that use it.
    static let boards =
        danbooru + moebooru + konachan + yandere + gelbooru + safebooru + philomena + derpibooru
        + szurubooru

    private static let danbooru = [
        CassetteStep("danbooru", .search("coffee"), .items(24)),  // 26 posts, of which one is a film and one hidden
        CassetteStep("danbooru", .search("zzzznothing"), .items(0)),
        CassetteStep("danbooru", .feed, .items(5)),
        CassetteStep("danbooru", .feed, parameters: ["list": "popular"], .items(3)),  // the rest is not general
        CassetteStep("danbooru", .details(), id: "99099979", .found("barista, coffee, espresso_machine, original")),
        CassetteStep("danbooru", .collection, id: "pool:99012", .items(4)),
        CassetteStep("danbooru", .search("coffee cup steam"), .failure(.unsupported, says: "more than 2 tags")),
        CassetteStep("danbooru", .search("rate limit"), .failure(.rate, says: "too fast")),
        CassetteStep("danbooru", .search("bad key"), .failure(.auth, says: "Invalid API key")),
        CassetteStep("danbooru", .details(), id: "1", .failure(.notFound, says: "was not found")),
    ]

    private static let moebooru = moebooruSite("moebooru", items: 24, post: "9909994")
    private static let konachan = moebooruSite("konachan", items: 25, post: "9929994")
    private static let yandere = moebooruSite("yandere", items: 23, post: "9949994")

    private static func moebooruSite(_ site: String, items: Int, post: String) -> [CassetteStep] {
        [
            CassetteStep(site, .search("coffee"), .items(items)),
            CassetteStep(site, .search("zzzznothing"), .items(0)),
            CassetteStep(site, .feed, .items(4)),
            CassetteStep(site, .feed, parameters: ["list": "popular"], .items(4)),  // the rest is not safe
            CassetteStep(site, .details(), id: post, .found("coffee, latte_art, spoon")),
            CassetteStep(site, .collection, id: "pool:99077", .items(3)),
            CassetteStep(site, .details(), id: "1", .failure(.notFound, says: "There is no post 1.")),
            CassetteStep(site, .search("rate limit"), .failure(.rate, says: "429")),
            CassetteStep(site, .search("closed"), .failure(.auth, says: "403")),
        ]
    }

    private static let gelbooru =
        gelbooruSite("gelbooru", items: 24, post: "99809980") + [
            CassetteStep("gelbooru", .search("bad key"), .failure(.auth, says: "401"))
        ]
    private static let safebooru = gelbooruSite("safebooru", items: 26, post: "9959980")

    private static func gelbooruSite(_ site: String, items: Int, post: String) -> [CassetteStep] {
        [
            CassetteStep(site, .search("coffee"), .items(items)),
            CassetteStep(site, .search("zzzznothing"), .items(0)),
            CassetteStep(site, .feed, .items(5)),
            CassetteStep(
                site, .details(), id: post,
                .found(site == "gelbooru" ? "Second cup" : "coffee, chalkboard, menu")),
            CassetteStep(site, .collection, id: "user:quietkettle", .items(3)),
            CassetteStep(site, .details(), id: "1", .failure(.notFound, says: "There is no post 1.")),
            CassetteStep(site, .search("too deep"), .failure(.unsupported, says: "Too deep!")),
            CassetteStep(site, .search("abuse"), .failure(.rate, says: "limited due to abuse")),
            CassetteStep(site, .search("no key"), .failure(.auth, says: "Missing authentication")),
        ]
    }

    private static let philomena = philomenaSite("philomena", items: 24, post: "9939967")
    private static let derpibooru = philomenaSite("derpibooru", items: 26, post: "99699967")

    private static func philomenaSite(_ site: String, items: Int, post: String) -> [CassetteStep] {
        [
            CassetteStep(site, .search("coffee"), .items(items)),
            CassetteStep(site, .search("zzzznothing"), .items(0)),
            CassetteStep(site, .feed, .items(4)),
            CassetteStep(site, .feed, parameters: ["list": "popular"], .items(5)),
            CassetteStep(site, .details(), id: post, .found("coffee, cup, safe, artist:piet lantern")),
            CassetteStep(site, .collection, id: "gallery:9904", .items(3)),
            CassetteStep(site, .collection, id: "user:Ferncombe", .items(2)),
            CassetteStep(site, .details(), id: "1", .failure(.notFound, says: "404")),
            CassetteStep(site, .details(), id: "2", .failure(.notFound, says: "removed: Rule 2")),
            CassetteStep(site, .search("a b c ("), .failure(.unsupported, says: "Imbalanced parentheses")),
            CassetteStep(site, .search("rate limit"), .failure(.rate, says: "429")),
        ]
    }

    private static let szurubooru = [
        CassetteStep("szurubooru", .search("coffee"), .items(25)),
        CassetteStep("szurubooru", .search("zzzznothing"), .items(0)),
        CassetteStep("szurubooru", .feed, .items(4)),
        CassetteStep("szurubooru", .feed, parameters: ["sort": "score"], .items(3)),
        CassetteStep("szurubooru", .details(), id: "9797", .found("coffee, grinder")),
        CassetteStep("szurubooru", .collection, id: "pool:31", .items(3)),
        CassetteStep("szurubooru", .details(), id: "1", .failure(.notFound, says: "Post '1' not found")),
        CassetteStep("szurubooru", .search("id:x..y"), .failure(.unsupported, says: "not an integer")),
        CassetteStep("szurubooru", .search("private"), .failure(.auth, says: "Insufficient privileges")),
    ]
}
