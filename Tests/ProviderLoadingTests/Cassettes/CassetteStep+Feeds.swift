extension CassetteStep {
    /// Servers of the Fediverse, feeds, and sites that are read as HTML.
    static let feeds = mastodon + rss + apod + zerochan + burst

    private static let mastodon = [
        CassetteStep("mastodon", .search("coffee"), .items(33)),
        CassetteStep("mastodon", .search("zzzznothing"), .items(0)),
        CassetteStep("mastodon", .feed, .items(8)),
        CassetteStep("mastodon", .feed, parameters: ["local": "true"], .items(3)),
        CassetteStep(
            "mastodon", .details(), id: "115899999997999994-115000000000000201",
            .found("Hand-drawn chart of grind sizes.")),
        CassetteStep("mastodon", .collection, id: "post:115899999997999994", .items(2)),
        CassetteStep("mastodon", .collection, id: "user:marlow", .items(5)),
        CassetteStep("mastodon", .collection, id: "user:nobody", .failure(.notFound, says: "Record not found")),
        CassetteStep("mastodon", .details(), id: "1", .failure(.notFound, says: "Record not found")),
        CassetteStep("mastodon", .details(), id: "2", .failure(.notFound, says: "The post has no image.")),
        CassetteStep("mastodon", .search("rate limit"), .failure(.rate, says: "Too many requests")),
        CassetteStep("mastodon", .search("closed"), .failure(.auth, says: "wants a token")),
    ]

    private static let rss = [
        CassetteStep("rss", .feed, .items(6))  // four with enclosures, then two in Atom; one entry has no image
    ]

    private static let apod = [
        CassetteStep("apod", .feed, .items(4)),
        CassetteStep("apod", .details(), id: "260920", .found("Aurora Over an Empty Fairground")),
        CassetteStep("apod", .details(), id: "260917", .failure(.unsupported, says: "That of 2026-09-17 is a film.")),
        CassetteStep("apod", .details(), id: "260101", .failure(.notFound, says: "404")),
    ]

    private static let zerochan = [
        CassetteStep("zerochan", .search("coffee"), .items(26)),
        CassetteStep("zerochan", .search("zzzznothing"), .items(0)),
        CassetteStep("zerochan", .feed, .items(5)),
        CassetteStep("zerochan", .feed, parameters: ["s": "fav"], .items(3)),
        CassetteStep("zerochan", .details(), id: "9949961", .found("Barista")),
        CassetteStep("zerochan", .collection, id: "tag:Coffee Cup", .items(6)),
        CassetteStep("zerochan", .details(), id: "1", .failure(.notFound, says: "404")),
        CassetteStep("zerochan", .search("rate limit"), .failure(.rate, says: "429")),
    ]

    private static let burst = [
        CassetteStep("burst", .search("coffee"), .items(12)),
        CassetteStep("burst", .search("zzzznothing"), .items(0)),
        CassetteStep("burst", .feed, .items(5)),
        CassetteStep("burst", .feed, parameters: ["sort": "trending"], .items(3)),
        CassetteStep(
            "burst", .details(), id: "invented-barista-pours-latte-art", .found("Barista Pours Latte Art")),
        CassetteStep("burst", .collection, id: "user:odilebrack", .items(3)),
        CassetteStep("burst", .collection, id: "tag:espresso", .items(2)),
        CassetteStep("burst", .details(), id: "not-there", .failure(.notFound, says: "404")),
        CassetteStep("burst", .search("rate limit"), .failure(.rate, says: "429")),
    ]
}
