import Foundation

/// Every option of `search`, `feed` and `show` against what they list or show.
enum ListingTable {
    typealias Row = OptionTable.Row
    typealias Run = OptionTable.Run

    /// What is listed or shown.
    static let inputs: [OptionInput] = [.search, .feed, .collection, .id, .pageURL]
    private static let all = Set(inputs)
    private static let lists: Set<OptionInput> = [.search, .feed, .collection]
    private static let single: Set<OptionInput> = [.id, .pageURL]

    /// The command for an input.
    static func command(for input: OptionInput) -> String {
        switch input {
        case .search: "search"
        case .feed: "feed"
        default: "show"
        }
    }

    /// All runs; the order matters where one looks at what an earlier one has cached.
    static let runs = choosing + printing + asking

    // MARK: Which images

    private static let beside = [
        "-f", "{id}", "-n", "8", "--media", "image,animation,video", "--page-size", "4", "--pages-in-flight", "1",
        "--param", "kind=x", "--near", "1,2", "--contact", "me@sample.example", "--update-cookies", "--trace",
    ]

    private static let rowsBeside: [Row] = [
        .holds("format", all) { $0.lines.contains("good") },
        .holds("limit", lists) { $0.lines.contains("good") && !$0.lines.contains("last") },
        // One image is shown.
        .holds("limit", single) { $0.lines == ["good"] },
        .holds("media", lists) { $0.lines.contains("film") },
        // An image that was named is wanted, whatever it is.
        .holds("media", single) { $0.lines == ["good"] },
        .holds("page-size", lists) { $0.questions.contains { $0.target.contains("per_page=4") } },
        .refused("page-size", single, "--page-size: not used"),
        .holds("pages-in-flight", lists) { $0.questionsAtOnce == 1 },
        .refused("pages-in-flight", single, "--pages-in-flight: not used"),
        .holds("param", lists) { $0.questions.contains { $0.target.contains("kind=x") } },
        .refused("param", single, "--param: not used"),
        .holds("near", lists) { $0.questions.contains { $0.target.contains("near=1%2C2") } },
        .refused("near", single, "--near: not used"),
        .holds("contact", all) {
            $0.requests.allSatisfy { $0.header("User-Agent")?.contains("me@sample.example") == true }
        },
        .holds("cookies", all) { $0.requests.allSatisfy { $0.header("Cookie")?.contains("crumb=brown") == true } },
        .holds("update-cookies", all) { $0.storedSecrets.contains("seen") },
        .holds("trace", all) { $0.errors.contains("trace loop#") },
        .holds("allow-host", all) { !$0.requests.isEmpty }, .holds("providers-folder", all) { !$0.requests.isEmpty },
    ]

    private static let choosing: [Run] =
        [
            Run(
                name: "conditions", inputs: all,
                outcome: { try $0.list($1, OptionImage.conditions + beside + ["--cookies", $0.cookies]) },
                rows: OptionImage.leftOut.map { image in
                    .holds(image.id, lists) { !$0.lines.contains(image.id) && $0.lines.contains("good") }
                } + rowsBeside)
        ]
        + OptionImage.leftOut.map { image in
            Run(
                name: "a condition on \(image.id)", inputs: single,
                outcome: { try $0.list($1, ["-f", "{id}"] + OptionImage.condition(of: image.id), ids: [image.id]) },
                rows: [
                    .holds(image.id, single) { $0.output == "" && $0.errors.contains("does not meet --\(image.id)") }
                ])
        }

    // MARK: What is printed

    private static let printing: [Run] = [
        Run(
            name: "values as they are", inputs: all,
            outcome: {
                try $0.list($1, ["-f", "<{description}>", "--raw", "--verbose", "--profile", "work", "--refresh"])
            },
            rows: [
                .holds("raw", all) { $0.output.contains("<one\ntwo>") },
                .holds("verbose", all) { $0.errors.contains("→") },
                .holds("profile", all) {
                    $0.requests.allSatisfy { $0.header("User-Agent")?.contains("work@sample.example") == true }
                },
                // What an earlier run asked for is asked for again.
                .holds("refresh", all) { !$0.questions.isEmpty },
            ]),
        Run(
            name: "tags", inputs: all, outcome: { try $0.list($1, ["--tags", "--quiet"]) },
            rows: [
                .holds("tags", all) { $0.output.contains("cat") && !$0.output.contains("good") },
                .holds("quiet", all) { $0.errors == "" },
            ]),
        Run(
            name: "the rest", inputs: all,
            outcome: { bench, input in
                // Past a first page, so that the place of an earlier cell is replaced.
                _ = try bench.list(input, ["-n", "2", "--page-size", "1", "-f", "{id}"])
                return try bench.list(input, ["-n", "4", "-f", "{id}", "--resume"])
            },
            rows: [
                .holds("resume", lists) { $0.errors.contains("already delivered") && $0.lines.count == 2 },
                .refused("resume", single, "--resume: "),
            ]),
        Run(
            name: "places", inputs: all, outcome: { try $0.list($1, ["-f", "{id}", "--range", "2"]) },
            rows: [
                .holds("range", lists) { $0.lines.count == 1 && $0.lines != ["license"] },
                .refused("range", single, "--range: not used"),
            ]),
        Run(
            name: "pictures", inputs: all, outcome: { try $0.list($1, ["--preview", "--preview-format", "symbols"]) },
            rows: ["preview", "preview-format"].map { .refused($0, all, "the output is not a terminal") }),
        Run(
            name: "pages", inputs: all,
            outcome: { try $0.list($1, ["--open", "--open-limit", "1"], environment: ["BROWSER": "true"]) },
            rows: ["open", "open-limit"].map { .holds($0, all) { $0.errors.contains("opened 1 page") } }),
        Run(
            name: "a choice", inputs: all, outcome: { try $0.list($1, ["--select", "-d", "foxes"]) },
            rows: ["select", "directory"].map { .refused($0, all, "--select: not interactive") }),
        Run(
            name: "an image", inputs: [.search],
            outcome: { try $0.list($1, ["--image", "\($0.server.origin)/files/good.jpg"]) },
            rows: [.refused("image", [.search], "has no similar")]),
    ]

    // MARK: What is asked

    private static let asking: [Run] = [
        Run(
            name: "without connections", inputs: all, outcome: { try $0.list($1, ["-f", "{id}", "--offline"]) },
            rows: [.holds("offline", all) { $0.requests.isEmpty && !$0.lines.isEmpty }]),
        Run(
            name: "without the cache", inputs: all,
            outcome: {
                try $0.list($1, ["-f", "{id}", "--no-cache"], environment: ["XDG_CACHE_HOME": $0.file("cache")])
            },
            rows: [
                .holds("no-cache", all) {
                    FileManager.default.enumerator(atPath: "\($0.home)/cache")?.nextObject() == nil
                }
            ]),
        Run(
            name: "samples", inputs: all, outcome: { try $0.list($1, ["--sample"]) },
            rows: [.holds("sample", all) { $0.requests.isEmpty && $0.errors.contains("no samples") }]),
        Run(
            name: "a dry run", inputs: all, outcome: { try $0.list($1, ["--dry-run"]) },
            rows: [.holds("dry-run", all) { $0.requests.isEmpty && $0.output.contains("GET http://127.0.0.1") }]),
        Run(
            name: "a proxy", inputs: all,
            outcome: { try $0.list($1, ["-f", "{id}", "--proxy", $0.server.origin, "--no-cache"]) },
            rows: [
                .holds("proxy", all) { $0.requests.allSatisfy { $0.target.hasPrefix("http://") } && !$0.lines.isEmpty }
            ]),
        Run(
            name: "limits of scripts", inputs: all,
            outcome: { bench, input in
                try? FileManager.default.removeItem(atPath: bench.file("saved.json"))
                let options = OptionTable.limits + ["--save-response", bench.file("saved.json")]
                // Of several providers, a show has one.
                let outcomes = try
                    (lists.subtracting([.collection]).contains(input)
                    ? [OptionProvider.faulty] : OptionProvider.faulty.map { [$0] }).map {
                        try bench.list(input, options, providers: $0)
                    }
                return OptionBench.Outcome.joined(outcomes)
            },
            rows: OptionTable.rowsOfLimits + [OptionTable.rowOfSavedResponse]),
        Run(
            name: "a status of the sources", inputs: all,
            outcome: { try $0.list($1, OptionTable.statusOptions($0, $1)) }, rows: OptionTable.rowsOfStatus),
        Run(
            name: "a server", inputs: all,
            outcome: { try $0.list($1, ["-f", "{id}", "--instance", $0.server.origin], providers: ["many"]) },
            rows: [.holds("instance", all) { !$0.lines.isEmpty }]),
        Run(
            name: "the provider", inputs: [.search, .feed],
            outcome: {
                try $0.list($1, ["-f", "{provider}", "--group", "mine=loop", "-n", "1"], providers: ["@mine"])
            },
            rows: [.holds("provider", all) { $0.lines == ["loop"] }, .holds("group", all) { $0.lines == ["loop"] }]),
        Run(
            name: "a group of no use", inputs: [.collection, .id, .pageURL],
            outcome: { try $0.list($1, ["-f", "{provider}", "--group", "mine"]) },
            rows: [.refused("group", all, "expected a name of a–z")]),
        Run(
            name: "an option of the provider", inputs: all,
            outcome: { try $0.list($1, ["-f", "{id}", "--provider-option", "loop:license=cc-by"]) },
            rows: [.holds("provider-option", all) { !$0.lines.contains("good") && $0.errors.contains("filtered out") }]),
        Run(
            name: "a server that is busy, and one that is mute", inputs: all,
            outcome: { bench, input in
                OptionBench.Outcome.joined(
                    try OptionProvider.unreachable.map {
                        try bench.list(input, ["--retries", "1", "--timeout", "2.5", "--no-cache"], providers: [$0])
                    })
            },
            rows: [
                .holds("retries", all) { $0.requests.count { $0.path.hasPrefix("/api/busy") } == 2 },
                .holds("timeout", all) { $0.errors.contains("2.5 seconds") },
            ]),
        Run(
            name: "a server that does not answer", inputs: all,
            outcome: { bench, input in
                let hole = try BlackHole()
                return try bench.list(
                    input,
                    [
                        "--proxy", hole.origin, "--allow-host", hole.address, "--connect-timeout", "0.1", "--retries",
                        "0",
                        "--no-cache",
                    ])
            },
            rows: [.holds("connect-timeout", all) { $0.errors.contains("0.1 seconds") }]),
        Run(
            name: "a certificate", inputs: all,
            outcome: { try $0.list($1, ["--ca-file", "/nowhere/ca.pem"]) },
            rows: [.refused("ca-file", all, "could not read the certificates in /nowhere/ca.pem")]),
        Run(
            name: "a browser", inputs: all,
            outcome: { try $0.list($1, ["--cookies-from-browser", "firefox", "--no-cache"]) },
            rows: [
                .holds("cookies-from-browser", all) { $0.status != 0 && $0.errors.lowercased().contains("firefox") }
            ]),
    ]
}
