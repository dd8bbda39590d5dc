import Foundation

/// Every option of a download against every kind of input: for each pair either an effect that is seen, or a message that refuses it.
///
/// An option that is declared and not here fails a test, as does one without an effect for one of the inputs.
struct OptionTable {
    typealias Outcome = OptionBench.Outcome

    /// What is seen of an option with an input.
    enum Effect: Sendable {
        /// It has this effect.
        case holds(@Sendable (Outcome) -> Bool)
        /// It is refused, or said to be of no use, with these words.
        case refused(String)
    }

    /// An option with the inputs for which it has an effect.
    struct Row: Sendable {
        let option: String
        let inputs: Set<OptionInput>
        let effect: Effect
    }

    /// One command line with many options, each of which is looked for in what came of it.
    struct Run: Sendable {
        let name: String
        var inputs = Set(OptionInput.allCases)
        let outcome: @Sendable (OptionBench, OptionInput) throws -> Outcome
        let rows: [Row]

        /// The rows for an input.
        func rows(for input: OptionInput) -> [Row] {
            inputs.contains(input) ? rows.filter { $0.inputs.contains(input) } : []
        }
    }

    /// All cells, as `option × input`.
    static var cells: Set<String> {
        Set(
            OptionInput.allCases.flatMap { input in
                runs.flatMap { $0.rows(for: input) }.map { name(of: $0.option, input) }
            })
    }

    /// The name of a cell.
    static func name(of option: String, _ input: OptionInput) -> String { "--\(option) × \(input.rawValue)" }

    /// All runs; the order matters where one looks at what an earlier one has cached.
    static let runs = choosing + storing + asking + refusing
}

extension OptionTable.Row {
    /// An option that has an effect with these inputs.
    static func holds(
        _ option: String, _ inputs: Set<OptionInput> = Set(OptionInput.allCases),
        _ effect: @escaping @Sendable (OptionBench.Outcome) -> Bool
    ) -> Self {
        Self(option: option, inputs: inputs, effect: .holds(effect))
    }

    /// An option that is refused with these inputs.
    static func refused(_ option: String, _ inputs: Set<OptionInput>, _ message: String) -> Self {
        Self(option: option, inputs: inputs, effect: .refused(message))
    }
}

// MARK: - Which images, and how they are fetched

extension OptionTable {
    /// Three images without anything special, by a condition that every input has.
    static let three = ["--filter", #"name = "good" or name = "last" or name = "twin-a""#]

    /// Six images without anything special.
    static let six = [
        "--filter",
        ["good", "last", "twin-a", "license", "tag", "since"].map { "name = \"\($0)\"" }.joined(separator: " or "),
    ]

    /// What is given beside the conditions.
    private static func beside(_ bench: OptionBench) -> [String] {
        [
            "-n", "8", "--media", "image,animation,video", "--name", "{id}.{ext}", "--archive",
            bench.file("own.sqlite"),
            "--sidecar", "json", "--credits", "md", "--exec", "cp {path} {path}.copy", "--jobs", "1", "--max-file",
            "20k",
            "--progress", "json", "--dedupe", "skip", "--contact", "me@sample.example", "--cookies", bench.cookies,
            "--update-cookies", "--retries", "1", "--timeout", "2.5", "--trace", "--page-size", "4",
            "--pages-in-flight", "1", "--param", "kind=x", "--near", "1,2",
        ]
    }

    private static let rowsBeside: [Row] = [
        .holds("limit") { $0.has("good") && !$0.has("last") },
        .holds("media") { $0.has("film") },
        .holds("name") { $0.files.contains("good.jpg") },
        .holds("directory") { $0.has("good") },
        .holds("archive") { FileManager.default.fileExists(atPath: "\($0.home)/own.sqlite") },
        .holds("sidecar") { $0.files.contains("good.jpg.json") },
        .holds("credits") { $0.files.contains("credits.md") && !$0.files.contains("credits.json") },
        .holds("exec") { $0.files.contains("good.jpg.copy") },
        .holds("jobs") { $0.filesAtOnce == 1 },
        .holds("max-file") { !$0.has("big") && $0.output.contains(#""code":"tooLarge""#) },
        .holds("progress") { $0.output.contains(#"{"event":"summary""#) },
        .holds("dedupe") { $0.has("twin-a") != $0.has("twin-b") },
        .holds("contact") { $0.requests.allSatisfy { $0.header("User-Agent")?.contains("me@sample.example") == true } },
        .holds("cookies") { $0.requests.allSatisfy { $0.header("Cookie")?.contains("crumb=brown") == true } },
        .holds("update-cookies", OptionInput.ofProviders) { $0.storedSecrets.contains("seen") },
        // No source has set them.
        .holds("update-cookies", [.fileURL]) { !$0.storedSecrets.contains("seen") },
        .holds("retries") { $0.requests(for: "dead") == 2 && $0.has("flaky") },
        .holds("timeout") { $0.output.contains("2.5 seconds") },
        // Where a script has run, its steps are there.
        .holds("trace") { $0.questions.isEmpty || $0.errors.contains("trace loop#") },
        .holds("allow-host") { !$0.requests.isEmpty },
        .holds("providers-folder", OptionInput.ofProviders) { $0.has("good") },
        .holds("providers-folder", [.fileURL]) { $0.has("good") },
        .holds("page-size", listed) { $0.questions.contains { $0.target.contains("per_page=4") } },
        .refused("page-size", OptionInput.single, "--page-size: not used"),
        .holds("pages-in-flight", listed) { $0.questionsAtOnce == 1 },
        .refused("pages-in-flight", OptionInput.single, "--pages-in-flight: not used"),
        .holds("param", listed) { $0.questions.contains { $0.target.contains("kind=x") } },
        .refused("param", OptionInput.single, "--param: not used"),
        .holds("near", listed) { $0.questions.contains { $0.target.contains("near=1%2C2") } },
        .refused("near", OptionInput.single, "--near: not used"),
    ]

    private static let listed = OptionInput.listings

    static let choosing: [Run] = [
        Run(
            name: "conditions", inputs: OptionInput.ofProviders,
            outcome: { try $0.download($1, OptionImage.conditions + beside($0)) },
            rows: OptionImage.leftOut.map { image in .holds(image.id) { !$0.has(image.id) && $0.has("good") } }
                + rowsBeside),
        Run(
            name: "conditions that a URL answers", inputs: [.fileURL],
            outcome: { bench, input in
                try bench.download(
                    input, ["--media-format", "jpeg,mp4", "--filter", #"name != "filter""#] + beside(bench),
                    ids: ["media-format", "filter"] + OptionImage.special + ["good", "last"])
            },
            rows: ["media-format", "filter"].map { id in .holds(id) { !$0.has(id) && $0.has("good") } } + rowsBeside),
        Run(
            name: "conditions that a URL does not answer", inputs: [.fileURL],
            outcome: { try $0.download($1, OptionImage.conditions) },
            rows: OptionImage.leftOut.map(\.id).filter { !["media-format", "filter"].contains($0) }.map {
                .refused($0, [.fileURL], "--\($0)")
            }),
        Run(
            name: "other names, and how fast",
            outcome: { bench, input in
                let archive = input == .watch ? [] : ["--no-archive"]
                return try bench.download(
                    input,
                    three + archive + [
                        "--width", "100", "--credits", "none", "--exec-shell", "touch {path}.shell", "--per-host", "1",
                        "--mtime", "created", "--header", "X-Note: fox", "--exec-after", "touch {folder}/after.end",
                        "--jobs", "8", "--max-rate", "20k", "--write-metadata", "--verbose", "--no-cache",
                    ], environment: ["XDG_CACHE_HOME": bench.file("cache")])
            },
            rows: [
                .holds("width", OptionInput.ofProviders.subtracting([.csv])) { $0.requests(for: "good-small") > 0 },
                // The file that is named is the only one there is.
                .holds("width", [.csv, .fileURL]) { $0.requests(for: "good.") > 0 },
                .holds("no-archive", Set(OptionInput.allCases).subtracting([.watch, .retry])) {
                    !$0.files.contains(".imgscript/archive.sqlite")
                },
                .holds("exec-shell") { $0.files.contains { $0.hasSuffix(".shell") } },
                .holds("mtime", OptionInput.ofProviders) { $0.dates.allSatisfy { $0 == "2026-05-02" } },
                // Neither the URL nor its server says when the image was made.
                .holds("mtime", [.fileURL]) { !$0.dates.isEmpty && !$0.dates.contains("2026-05-02") },
                .holds("header", OptionInput.ofProviders) { $0.requests.allSatisfy { $0.header("X-Note") == nil } },
                .holds("header", [.fileURL]) { $0.requests.allSatisfy { $0.header("X-Note") == "fox" } },
                .holds("exec-after") { $0.files.contains("after.end") },
                .holds("per-host") { $0.filesAtOnce == 1 },
                .holds("max-rate") { $0.took > .milliseconds(300) },
                .holds("write-metadata", OptionInput.ofProviders) { $0.pictures.contains { $0.contains("A good") } },
                .holds("write-metadata", [.fileURL]) { !$0.pictures.contains { $0.contains("A good") } },
                .holds("verbose") { $0.errors.contains("→") },
                .holds("no-cache") { FileManager.default.enumerator(atPath: "\($0.home)/cache")?.nextObject() == nil },
            ]),
    ]
}

// MARK: - What is stored, and what is asked

extension OptionTable {
    static let storing: [Run] = [
        Run(
            name: "shards of a profile",
            outcome: { bench, input in
                try bench.download(
                    input, three + ["--output-format", "webdataset", "--shard-size", "2", "--profile", "work"])
            },
            rows: [
                .holds("output-format") { $0.files.contains { $0.hasSuffix(".tar") } },
                .holds("shard-size") { $0.files.count { $0.hasSuffix(".tar") } == 2 },
                .holds("profile") {
                    $0.requests.allSatisfy { $0.header("User-Agent")?.contains("work@sample.example") == true }
                },
            ]),
        Run(
            name: "an archive, of what is asked again", inputs: Set(OptionInput.allCases).subtracting([.retry]),
            outcome: { try $0.download($1, three + ["--zip", "--refresh", "--quiet"]) },
            rows: [
                .holds("zip") { !$0.has("good") && $0.files.contains { $0.hasSuffix(".zip") } },
                .holds("refresh", [.search, .feed, .collection, .id, .pageURL, .list, .watch]) {
                    !$0.questions.isEmpty
                },
                // Nothing is asked that could have been stored.
                .holds("refresh", [.fileURL, .jsonLines, .csv, .standardInput]) { $0.questions.isEmpty },
                .holds("quiet") { $0.errors == "" },
            ]),
        Run(
            name: "failures asked again", inputs: [.retry],
            outcome: { try $0.download($1, three + ["--refresh", "--quiet"]) },
            rows: [.holds("refresh") { $0.questions.isEmpty && $0.has("good") }, .holds("quiet") { $0.errors == "" }]),
        Run(
            name: "a comic book of pictures", inputs: Set(OptionInput.allCases).subtracting([.retry]),
            outcome: {
                try $0.download(
                    $1, pictures + ["--cbz"] + conversion)
            },
            rows: [.holds("cbz") { $0.lacksProgram || $0.files.contains { $0.hasSuffix(".cbz") } }] + rowsOfPictures),
        Run(
            name: "failed pictures", inputs: [.retry],
            outcome: {
                try $0.download($1, pictures + conversion)
            },
            rows: rowsOfPictures),
    ]

    /// Two pictures that look alike.
    private static let pictures = ["--filter", #"name = "picture" or name = "alike""#]

    private static let conversion = [
        "--convert", "webp", "--max-side", "60", "--near-duplicates", "report", "--progress", "json",
    ]

    private static let rowsOfPictures: [Row] = [
        .holds("convert") { $0.lacksProgram || $0.output.contains(#""format":"webp""#) },
        .holds("max-side") { $0.lacksProgram || $0.output.contains(#""width":60"#) },
        .holds("near-duplicates") { $0.lacksProgram || $0.output.contains("nearDuplicate") },
    ]

    /// A status that is fetched, wherever something is asked; each input has one of its own, since it is kept for a day.
    static func statusOptions(_ bench: OptionBench, _ input: OptionInput) -> [String] {
        [
            "--status", "\(bench.server.origin)/\(input)/\(UUID().uuidString)/status.json", "--status-key",
            "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3", "--no-update-check",
        ]
    }

    /// It is asked for, and without the key it would not be; of newer versions nothing is said.
    static let rowsOfStatus: [Row] = [
        .holds("status") { $0.requests.contains { $0.path.hasSuffix("/status.json") } },
        .holds("status-key") { $0.requests.contains { $0.path.hasSuffix("/status.json") } },
        .holds("no-update-check") { !$0.errors.contains("imgscript pack update") },
    ]

    static let asking: [Run] = [
        Run(
            name: "limits of scripts", inputs: OptionInput.ofProviders,
            outcome: { bench, input in
                try? FileManager.default.removeItem(atPath: bench.file("saved.json"))
                return try bench.download(
                    input, limits + ["--save-response", bench.file("saved.json")], providers: OptionProvider.faulty,
                    ids: ["good"])
            },
            rows: rowsOfLimits + [rowOfSavedResponse]),
        Run(
            name: "limits of scripts that do not run", inputs: [.fileURL],
            outcome: {
                try $0.download(
                    $1, limits + ["--trace", "--save-response", $0.file("none.json")], ids: ["good"])
            },
            rows: rowsWithoutScripts),
        Run(
            name: "a status of the sources", outcome: { try $0.download($1, three + statusOptions($0, $1)) },
            rows: rowsOfStatus),
        Run(
            name: "a server", inputs: OptionInput.ofProviders,
            outcome: { try $0.download($1, ["--instance", $0.server.origin], providers: ["many"], ids: ["good"]) },
            rows: [.holds("instance") { $0.has("good") }]),
        Run(
            name: "a server of no use", inputs: [.fileURL],
            outcome: { try $0.download($1, ["--instance", $0.server.origin], ids: ["good"]) },
            rows: [.refused("instance", [.fileURL], "not used by any of these files")]),
        Run(
            name: "an option of the provider",
            outcome: { try $0.download($1, three + ["--provider-option", "loop:limit=1"]) },
            rows: [
                .holds("provider-option", OptionInput.ofProviders) { $0.files.count { $0.hasSuffix(".jpg") } == 1 },
                .refused("provider-option", [.fileURL], "no image is of loop"),
            ]),
        Run(
            name: "the providers", inputs: [.search, .feed, .collection, .id, .pageURL, .watch],
            outcome: { bench, input in
                let isNamed = [.search, .feed, .watch].contains(input)
                return try bench.download(
                    input,
                    three + ["--group", "mine=loop"] + (isNamed ? [] : ["-p", "@mine"]) + ["--size", "thumbnail"],
                    providers: isNamed ? ["@mine"] : ["loop"])
            },
            rows: [
                .holds("provider") { $0.has("good") }, .holds("group") { $0.has("good") },
                .holds("size") { $0.requests(for: "good-small") > 0 },
            ]),
        Run(
            name: "a smaller size", inputs: [.list, .jsonLines, .standardInput, .retry],
            outcome: { try $0.download($1, three + ["--size", "thumbnail"]) },
            rows: [.holds("size") { $0.requests(for: "good-small") > 0 }]),
        Run(
            // A record of CSV has one file, as a URL is one.
            name: "the only size", inputs: [.csv, .fileURL],
            outcome: { try $0.download($1, three + ["--size", "thumbnail"]) },
            rows: [.holds("size") { $0.requests(for: "good.") > 0 }]),
        Run(
            name: "an image that no archive knows", inputs: [.retry],
            outcome: { try $0.downloadUnarchived($1, ["--no-archive"]) },
            rows: [.holds("no-archive") { $0.has("good") && $0.requests(for: "good.") == 1 }]),
        Run(
            // Of six known images three in a row would end the run.
            name: "what a watch knows", inputs: [.watch],
            outcome: { try $0.downloadTwice($1, six + ["--abort-after", "1"]) },
            rows: [.holds("abort-after") { $0.errors.contains("1 existing") }]),
        Run(
            name: "what is there", inputs: Set(OptionInput.allCases).subtracting([.watch]),
            outcome: { bench, input in
                let options = three + ["--abort-after", "1"]
                return try input == .retry ? bench.retryPresent(options) : bench.downloadTwice(input, options)
            },
            rows: [.holds("abort-after") { $0.errors.contains("stopped by --abort-after") }]),
        Run(
            name: "as many failures as may be",
            outcome: {
                try $0.download($1, ["--filter", #"name = "good" or name = "dead""#, "--max-failures", "0"])
            },
            rows: [.holds("max-failures") { $0.errors.contains("too many downloads failed") }]),
        Run(
            name: "dead links", inputs: Set(OptionInput.allCases).subtracting([.retry]),
            outcome: { try $0.downloadTwice($1, three + ["--dead-link-age", "0"]) },
            rows: [.holds("dead-link-age") { $0.has("good") && !$0.errors.contains("failed before") }]),
        Run(
            name: "some places", inputs: Set(OptionInput.allCases).subtracting([.watch]),
            outcome: { try $0.download($1, three + ["--range", "2-"]) },
            rows: [.holds("range") { outcome in outcome.files.count { $0.hasSuffix(".jpg") } == 2 }]),
        Run(
            name: "a part", inputs: Set(OptionInput.allCases).subtracting([.watch]),
            outcome: { try $0.download($1, three + ["--shard", "1/2"]) },
            rows: [
                .holds("shard", OptionInput.ofProviders) { outcome in
                    ["good", "last", "twin-a"].allSatisfy { outcome.has($0) == OptionBench.isInFirstHalf("loop:\($0)") }
                },
                .holds("shard", [.fileURL]) { outcome in
                    ["good", "last", "twin-a"].allSatisfy { id in
                        outcome.has(id) == OptionBench.isInFirstHalf("url:\(outcome.origin)/files/\(id).jpg")
                    }
                },
            ]),
        Run(
            name: "a proxy", outcome: { try $0.download($1, three + ["--proxy", $0.server.origin, "--no-cache"]) },
            rows: [.holds("proxy") { $0.requests.allSatisfy { $0.target.hasPrefix("http://") } && $0.has("good") }]),
    ]
}

// MARK: - What is refused

extension OptionTable {
    static let limits = [
        "--script-timeout", "3", "--script-memory", "32", "--max-requests", "1", "--max-body", "1", "--strict",
        "--verbose",
    ]
    static let rowsOfLimits: [Row] = [
        .holds("script-timeout") { $0.errors.contains("ran longer than 3 s") },
        .holds("script-memory") { $0.errors.contains("needed more than 32 MB") },
        .holds("max-requests") { $0.errors.contains("more than 1 request") },
        .holds("max-body") { $0.errors.contains("expected at most 1048576") },
        .holds("strict") { $0.errors.contains("alt") },
    ]
    private static let rowsWithoutScripts: [Row] =
        [Row.holds("save-response") { !FileManager.default.fileExists(atPath: "\($0.home)/none.json") }]
        + ["script-timeout", "script-memory", "max-requests", "max-body", "strict"].map { option in
            Row.holds(option) { $0.has("good") && !$0.errors.contains(" ms  call ") }
        }
    /// The responses of the first script that went wrong.
    static let rowOfSavedResponse = Row.holds("save-response") {
        FileManager.default.fileExists(atPath: "\($0.home)/saved.json")
    }
    private static let lists: Set<OptionInput> = [.list, .jsonLines, .csv, .standardInput]
    private static let notWatched = Set(OptionInput.allCases).subtracting([.watch])

    static let refusing: [Run] = [
        planned("offline") { $0.questions.isEmpty && $0.requests.isEmpty && $0.errors.contains("offline") },
        planned("sample") { $0.requests.isEmpty && $0.errors.contains("sample") },
        planned("dry-run") {
            $0.files.allSatisfy { $0.hasPrefix(".imgscript") } && $0.output.contains("/files/good.jpg")
        },
        refusal("no-archive", [], [.watch], "--no-archive: not allowed in a watch"),
        refusal("range", ["2-"], [.watch], "--range: not allowed in a watch"),
        refusal("shard", ["1/2"], [.watch], "--shard: not allowed in a watch"),
        refusal("dead-link-age", ["0"], [.retry], "--retry-failed and --dead-link-age cannot be combined"),
        refusal("zip", [], [.retry], "--zip: not allowed with --retry-failed"),
        refusal("cbz", [], [.retry], "--cbz: not allowed with --retry-failed"),
        refusal("provider", ["loop"], lists, "--provider: not allowed with lists"),
        refusal("provider", ["loop"], [.retry], "--retry-failed: unexpected arguments"),
        refusal("provider", ["loop"], [.fileURL], "no page of loop"),
        Run(
            name: "a group with a list", inputs: lists.union([.retry, .fileURL]),
            outcome: { try $0.download($1, ["--group", "mine=loop", "-p", "@mine"], ids: ["good"]) },
            rows: [
                .refused("group", lists, "--provider: not allowed with lists"),
                .refused("group", [.retry], "--retry-failed: unexpected arguments"),
                .refused("group", [.fileURL], "no page of loop"),
            ]),
        refusal("retry-failed", [], notWatched.subtracting([.retry]), "--retry-failed: unexpected arguments"),
        refusal("retry-failed", [], [.watch], "unknown option \"--retry-failed\""),
        Run(
            name: "failures again", inputs: [.retry], outcome: { try $0.download($1, three) },
            rows: [.holds("retry-failed") { $0.has("good") }]),
        refusal("input", ["list.txt"], [.search, .feed], "--provider: not allowed with lists"),
        refusal("input", ["list.txt"], [.retry], "--retry-failed: unexpected arguments"),
        refusal("input", ["list.txt"], [.watch], "unknown option \"--input\""),
        Run(
            name: "a list besides", inputs: notWatched.subtracting([.search, .feed, .retry]),
            outcome: { try $0.download($1, three + ["--input", $0.list("more.txt", "loop:last\n")], ids: ["good"]) },
            rows: [.holds("input") { $0.has("last") }]),
        Run(
            name: "a certificate", outcome: { try $0.download($1, ["--ca-file", "/nowhere/ca.pem"], ids: ["good"]) },
            rows: [
                .refused("ca-file", Set(OptionInput.allCases), "could not read the certificates in /nowhere/ca.pem")
            ]),
        Run(
            name: "a browser",
            outcome: { try $0.download($1, ["--cookies-from-browser", "firefox", "--no-cache"], ids: ["good"]) },
            rows: [.holds("cookies-from-browser") { $0.status != 0 && $0.errors.lowercased().contains("firefox") }]),
        Run(
            name: "a server that does not answer",
            outcome: { bench, input in
                let hole = try BlackHole()
                return try bench.download(
                    input,
                    [
                        "--proxy", hole.origin, "--allow-host", hole.address, "--connect-timeout", "0.1", "--retries",
                        "0",
                        "--no-cache",
                    ], ids: ["good"])
            },
            rows: [.holds("connect-timeout") { $0.errors.contains("0.1 seconds") }]),
        Run(
            name: "a webhook", inputs: [.watch],
            outcome: { try $0.download($1, three + ["--webhook", "\($0.server.origin)/hook"]) },
            rows: [.holds("webhook") { $0.requests.contains { $0.path == "/hook" } }]),
        Run(
            name: "a webhook without a watch", inputs: notWatched,
            outcome: { try $0.download($1, ["--webhook", "\($0.server.origin)/hook"], ids: ["good"]) },
            rows: [.refused("webhook", notWatched, "unknown option \"--webhook\"")]),
    ]

    /// An option with which nothing is fetched, and which a watch refuses.
    private static func planned(_ option: String, _ effect: @escaping @Sendable (Outcome) -> Bool) -> Run {
        Run(
            name: option, outcome: { try $0.download($1, three + ["--\(option)"]) },
            rows: [
                .holds(option, notWatched, effect), .refused(option, [.watch], "--\(option): not allowed in a watch"),
            ])
    }

    /// A command line that is refused.
    private static func refusal(
        _ option: String, _ values: [String], _ inputs: Set<OptionInput>, _ message: String
    ) -> Run {
        Run(
            name: "--\(option), refused", inputs: inputs,
            outcome: { try $0.download($1, ["--\(option)"] + values, ids: ["good"]) },
            rows: [.refused(option, inputs, message)])
    }
}
