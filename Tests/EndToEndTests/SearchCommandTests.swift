import Foundation
import TestSupport
import Testing

/// The built program as users run it.
struct SearchCommandTests {
    @Test func samplesNeedNeitherKeyNorNetworkAndSayThatTheyAreSamples() throws {
        let run = try CommandRun(["search", "--provider", "pixabay", "--sample", "coffee"])
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 20)
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.errors.contains("samples, not live results"))
    }

    @Test func everyShippedProviderShowsItsSamplesSideBySide() throws {
        let run = try CommandRun(["search", "--provider", "all", "--sample", "--format", "{provider}", "coffee"])
        #expect(run.status == 0)
        let cassettes = Documentation.root.appending(path: "providers/cassettes")
        let names = try FileManager.default.contentsOfDirectory(atPath: cassettes.path).filter {
            FileManager.default.fileExists(atPath: cassettes.appending(path: "\($0)/search.json").path)
        }
        #expect(Set(run.output.split(separator: "\n").map(String.init)) == Set(names))
    }

    @Test func jsonLinesHaveTheContractsNamesAndTheProvider() throws {
        let run = try CommandRun(["search", "-p", "unsplash", "--sample", "-n", "2", "-f", "jsonl", "coffee"])
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let item = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(item["provider"] as? String == "unsplash")
            #expect(item["id"] is String)
            #expect((item["media"] as? [[String: Any]])?.first?["role"] as? String == "original")
        }
    }

    @Test func missingProvidersFolderIsAWarning() throws {
        let run = try CommandRun(["search", "--providers-folder", "nosuch", "-p", "pixabay", "--sample", "coffee"])
        #expect(run.errors.contains("warning: no such folder: \"nosuch\" (given with --providers-folder)"))
        #expect(run.status == 0)
    }

    /// What is closed may be the number of the next file that is opened, which would then get what is said.
    @Test(arguments: [
        (">&-", Int32(1), 0, "error: could not write the output: Bad file descriptor"),
        ("2>&-", 0, 20, ""),
        ("<&-", 0, 20, "samples, not live results"),
        ("<&- >&-", 1, 0, "error: could not write the output: Bad file descriptor"),
        (">/dev/full", 1, 0, "error: could not write the output: No space left on device"),
    ])
    func aStandardStreamThatIsClosedIsNoOtherFile(closed: String, status: Int32, lines: Int, said: String) throws {
        let run = try CommandRun(shell: "imgscript search -p pixabay --sample -n 20 coffee \(closed)")
        #expect(run.status == status)
        #expect(run.output.split(separator: "\n").count == lines)
        #expect(said.isEmpty ? run.errors.isEmpty : run.errors.contains(said), "\(run.errors)")
    }

    @Test(arguments: [
        (
            ["search", "--provider", "nosuch", "x"], Int32(64),
            "error: unknown provider \"nosuch\"\nhint: imgscript providers lists all providers\n"
        ),
        (
            ["search", "-p", "pixabay,unsplash", "x"], 64,
            "error: unknown provider \"pixabay,unsplash\" (expected one name)"
        ),
        (["search", "-p", "Pixabay", "x"], 64, "error: unknown provider \"Pixabay\"; did you mean \"pixabay\"?\n"),
        (["search", "-p", "ALL", "x"], 64, "error: unknown provider \"ALL\"; did you mean \"all\"?\n"),
        (["search", "--provider", "pixabay", "x"], 5, "imgscript auth set pixabay"),
        (["search", "--provider", "pixabay", "--sample", ""], 64, "(expected at least 1 character)"),
        (["search", "-p", "pixabay", "--sample", "--param", "order=best", "x"], 64, "expected one of popular, latest"),
        (
            ["search", "-p", "pixabay", "--sample", "--param", "nope=1", "x"], 64,
            "error: pixabay: search: unknown parameter \"nope\" (expected "
        ),
        (
            ["search", "-p", "pixabay", "--format", "bogus", "x"], 64,
            "error: unknown format \"bogus\" (expected table, json"
        ),
        (["search", "--format", "tabel", "x"], 64, "error: unknown format \"tabel\"; did you mean \"table\"?"),
        (
            ["search", "-p", "pixabay", "--license", "bananas", "x"], 64,
            "error: unknown licence \"bananas\" (expected cc0"
        ),
        (["search", "--smaple", "x"], 64, "error: unknown option \"--smaple\"; did you mean \"--sample\"?\n"),
        (
            ["search"], 64,
            "error: no words to search for (expected some, or --image)\nhint: imgscript search --help lists the options\n"
        ),
        (["search", "x", "--format"], 64, "error: missing value: --format <format>"),
        (["search", "x", "--quiet=yes"], 64, "error: --quiet: unexpected value: \"yes\""),
        (["test", "--reporter", "xml"], 64, "error: --reporter: invalid value \"xml\" (expected terminal, junit, tap"),
        (["auth", "list", "x"], 64, "error: unexpected arguments: \"x\""),
        (["search", "--offline", "--sample", "x"], 64, "error: --sample and --offline cannot be combined\n"),
        (
            ["search", "-p", "pixabay", "--sample", "--near", "1,2", "x"], 64,
            "error: pixabay: search: this source has no search around a point"
        ),
        (
            ["search", "--instance", "ftp://x.example", "x"], 64,
            "\"ftp://x.example\" is not a server (expected its name"
        ),
        (["search", "--instance", "https://anna:pw@x.example", "x"], 64, "\"https://***@x.example\" is not a server"),
        (
            ["search", "-p", "met", "-p", "pixabay", "--sample", "--instance", "https://x.example", "x"], 64,
            "the server https://x.example cannot be used: met and pixabay have fixed servers"
        ),
        (
            ["feed", "-p", "picsum", "--instance", "https://x.example"], 64,
            "hint: run the command without --instance; providers"
        ),
        (["show", "pixabay:1", "--instance", "x.example", "--sample"], 64, "providers for many servers: danbooru, "),
        (["download", "-p", "pixabay", "--instance", "x.example", "fox"], 64, "pixabay has a fixed server"),
        (["search", "--near", "91,2", "x"], 64, "--near: invalid point: \"91,2\" (expected a latitude from -90 to 90"),
        (["search", "-n", "9223372036854775807", "x"], 64, "expected a whole number from 1 to 1000000000"),
        (["download", "pixabay:1", "met:2", "--instance", "x.example"], 64, "pixabay and met have fixed servers"),
        (["providers", "info", "pixabay", "--instance", "x.example"], 64, "pixabay has a fixed server"),
        (
            ["providers", "check", "providers/pixabay.js", "--instance", "x.example"], 64,
            "pixabay has a fixed server"
        ),
        (["providers", "dev", "providers/pixabay.js", "--instance", "x.example"], 64, "pixabay has a fixed server"),
        (["test", "providers/pixabay.js", "--instance", "x.example"], 64, "pixabay has a fixed server"),
        (["auth", "set", "pixabay", "--instance", "x.example"], 64, "pixabay has a fixed server"),
        (["auth", "remove", "pixabay", "--instance", "x.example"], 64, "pixabay has a fixed server"),
        (["serch", "x"], 64, "error: unknown command \"serch\"; did you mean \"search\"?\n"),
        (["providers", "lst"], 64, "error: unknown command \"lst\"; did you mean \"list\"?\n"),
        (["providers", "lst"], 64, "hint: imgscript providers --help lists the commands\n"),
        (["help", "serch"], 64, "error: unknown command \"serch\"; did you mean \"search\"?\n"),
        (["show", "nonsense"], 64, "expected PROVIDER:ID or a page URL"),
        (
            ["show", "ftp://a.example/1"], 64,
            "error: \"ftp://a.example/1\" is not a valid reference (expected PROVIDER:ID or a page URL)\n"
        ),
        (["show", "https://nowhere.example/1", "--sample"], 4, "no provider knows the page"),
        (["show", "stocksnap:abc", "--sample"], 64, "StockSnap has no details of single images"),
        (["auth", "remove", "pixabay"], 4, "error: pixabay: no stored key"),
    ])
    func usageErrorsAreOneLineWithTheirExitCode(arguments: [String], status: Int32, sentence: String) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == status)
        #expect(run.errors.contains(sentence), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    /// Every option that takes a number, with what it takes.
    private static let numbers: [(command: String, option: String, expected: String)] = [
        ("search x", "-n", "a whole number from 1 to 1000000000"),
        ("search x", "--limit", "a whole number from 1 to 1000000000"),
        ("search x", "--page-size", "a whole number from 1 to 1000000"),
        ("search x", "--pages-in-flight", "a whole number from 1 to 64"),
        ("search x", "--min-width", "a whole number from 1 to 1000000"),
        ("search x", "--min-height", "a whole number from 1 to 1000000"),
        ("search x", "--script-timeout", "a number from 0.01 to 600"),
        ("search x", "--script-memory", "a whole number from 32 to 65536"),
        ("search x", "--max-requests", "a whole number from 1 to 100000"),
        ("search x", "--max-body", "a whole number from 1 to 4096"),
        ("download x", "-j", "a whole number from 1 to 1024, or auto"),
        ("download x", "--per-host", "a whole number from 1 to 1024"),
        ("download x", "--max-rate", "bytes such as 800000, 500k or 2M, from 1k to 10000G"),
        ("download x", "--max-file", "bytes such as 800000, 500k or 2M, from 1k to 10000G"),
        ("download x", "--width", "a whole number from 1 to 1000000"),
        ("download x", "--abort-after", "a whole number from 1 to 1000000000"),
        ("test", "--age", "a whole number from 0 to 100000"),
        ("test", "--mutations", "a whole number from 0 to 100000"),
        ("test", "--seed", "a whole number from 0 to 18446744073709551615"),
        ("cache list", "--limit", "a whole number from 1 to 1000000000"),
        ("pack search", "-n", "a whole number from 1 to 250"),
        ("providers dev x.js", "-n", "a whole number from 1 to 1000000000"),
    ]

    @Test(arguments: numbers, ["-5", "99999999999999999999999", "abc"])
    func numberOutOfRangeIsAnErrorWithTheRange(
        command: (command: String, option: String, expected: String), found: String
    ) throws {
        let words = command.command.split(separator: " ").map(String.init)
        let run = try CommandRun(words + [command.option, found])
        #expect(run.status == 64)
        let message = run.errors.split(separator: "\n").first ?? ""
        #expect(
            message == "error: \(command.option): invalid value \"\(found)\" (expected \(command.expected))",
            "\(run.errors)")
    }

    @Test func noNumberOfImagesIsTooMuchToAddUp() throws {
        let run = try CommandRun([
            "search", "-p", "pixabay", "-p", "unsplash", "--sample", "-n", "1000000000", "coffee",
        ])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Not of a folder or a file: `-dry-run` with one dash would name one.
    @Test func shortOptionsTakeTheirValueWithoutASpace() throws {
        let run = try CommandRun(["search", "-ppixabay", "-n2", "-f{id}", "--sample", "coffee"])
        #expect(run.output == "99100000\n99103571\n", "\(run.errors)")
        #expect(try CommandRun(["download", "-ppixabay", "-n2", "-j8", "--sample", "coffee"]).status == 0)
        let slip = try CommandRun(["download", "-ppixabay", "-dry-run", "coffee"])
        #expect(slip.status == 64)
        #expect(slip.errors.contains("unknown option \"-dry-run\""), "\(slip.errors)")
    }

    @Test func aPointSouthOfTheEquatorIsAPoint() throws {
        let run = try CommandRun([
            "search", "-p", "flickr", "--near", "-33.87,151.21", "--dry-run", "opera",
        ])
        #expect(run.output.contains("lat=-33.87&lon=151.21"), "\(run.output)\(run.errors)")
    }

    @Test func requestsOfADryRunThatCannotBeWrittenAreAnError() throws {
        let run = try CommandRun(shell: "imgscript search -p openverse --dry-run x >/dev/full")
        #expect(run.status == 1)
        #expect(run.errors == "error: could not write the output: No space left on device\n")
    }

    @Test(arguments: ["--help", "--version", "search --help", "help pack", "--generate-completion-script bash"])
    func whatCannotBeWrittenIsAnErrorForHelpToo(command: String) throws {
        let run = try CommandRun(shell: "imgscript \(command) >/dev/full")
        #expect(run.status == 1)
        #expect(run.errors == "error: could not write the output: No space left on device\n")
        #expect(try CommandRun(shell: "imgscript \(command) | true").errors.isEmpty)
    }

    @Test func aServerIsForThoseOfTheSourcesThatTakeOne() throws {
        let run = try CommandRun([
            "search", "-p", "met", "-p", "mastodon", "--instance", "https://mastodon.social", "--sample", "-f",
            "{provider}", "x",
        ])
        #expect(!run.errors.contains("only"), "\(run.errors)")
        #expect(run.output.contains("met\n"))
    }

    @Test func whatTheTermsWantSaidIsSaidOnceBelowTheResults() throws {
        let notice = "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
        let run = try CommandRun(["feed", "-p", "flickr", "-p", "flickr-feed", "--sample", "-n", "2"])
        #expect(run.errors.split(separator: "\n").map(String.init).count { $0 == notice } == 1, "\(run.errors)")
        let quiet = try CommandRun(["feed", "-p", "flickr", "--sample", "--quiet", "-n", "2"])
        #expect(quiet.errors.isEmpty)
        let others = try CommandRun(["feed", "-p", "picsum", "--sample", "-n", "2"])
        #expect(!others.errors.contains("product"))
        #expect(try CommandRun(["providers", "info", "flickr"]).output.replacing(/\s+/, with: " ").contains(notice))
    }

    @Test func dryRunPrintsWhatIsPosted() throws {
        let run = try CommandRun(["search", "-p", "anilist", "--dry-run", "red fox"])
        let start = #"POST https://graphql.anilist.co/ (Authorization: Bearer ***) {"query":"query ("#
        #expect(run.output.hasPrefix(start), "\(run.output)")
        #expect(run.output.contains(#""search":"red fox""#))
    }

    @Test func dryRunPrintsTheRequestWithItsSecretsMasked() throws {
        let run = try CommandRun(
            ["search", "-p", "pixabay", "--dry-run", "red fox"], environment: ["IMGSCRIPT_PIXABAY_KEY": "s3cr3t"])
        #expect(run.output == "GET https://pixabay.com/api/?q=red%20fox&page=1&per_page=20&key=***\n")
        #expect(!(run.output + run.errors).contains("s3cr3t"))
    }

    @Test func imagesWithoutTagsAreReportedWhereTagsAreAskedFor() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...2, total: 2)) }
        let run = try CommandRun(["search", "-p", "loop", "--tags", "x"] + source.arguments)
        #expect(run.output.isEmpty && run.errors == "2 images · loop · no tags\n", "\(run.errors)")
    }

    @Test func pagesFollowUntilTheLimit() throws {
        let source = try LoopbackSource { request in
            let page = Int(request.target.split(separator: "page=").last ?? "") ?? 0
            return .answer(text: LoopbackSource.page((page * 5 - 4)...(page * 5), total: 100))
        }
        let run = try CommandRun(["search", "-p", "loop", "-n", "12", "-f", "{id}", "x"] + source.arguments)
        #expect(run.output.split(separator: "\n").map { Int($0) } == Array(1...12))
        #expect(source.server.requests.count == 3)
    }

    @Test func aHostileProviderLeavesTheOthersResults() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...3, total: 3)) }
        let script = LoopbackSource.provider("hostile", port: source.server.port)
        try source.add("hostile", script.replacing("total: res.json.total", with: "total: (() => { for (;;); })()"))
        let run = try CommandRun(
            ["search", "-p", "hostile", "-p", "loop", "-f", "{id}", "--script-timeout", "2", "x"] + source.arguments)
        #expect(run.output == "1\n2\n3\n")
        #expect(run.status == 2)
        #expect(
            run.errors.contains(#/hostile\.js:\d+:\d+ search\.parse: ran longer than 2 s and was stopped/#),
            "\(run.errors)")
    }

    @Test(arguments: [
        ("while (true) {}", "1:1"), ("let i = 0;\nfor (;;) { i++; }", "2:1"),
        ("const { fail } = require('imgscript');\n\n  while (true) {}\nmodule.exports = {};", "3:3"),
        ("var x = 1;\nfor (;;);\nmodule.exports = {};", "2:1"), ("const a = [];\nfor (;;) { a.at(1); }", "2:"),
        ("function f() {\n  for (;;) { f.name; }\n}\nf();", "2:"),
    ])
    func loopWhileAFileIsLoadedHasItsPlace(script: String, place: String) throws {
        let folder = TemporaryFolder()
        try script.write(toFile: folder.path + "/bad.js", atomically: true, encoding: .utf8)
        // Long enough for a busy machine: the host ends a worker that does not say its place in time.
        let limit = ["--script-timeout", "1"]
        let run = try CommandRun(["search", "-p", "bad", "--providers-folder", folder.path, "x"] + limit)
        #expect(run.errors.hasPrefix("error: bad.js:\(place)"), "\(run.errors)")
        #expect(run.errors.contains(": ran longer than 1 s and was stopped"), "\(run.errors)")
        let check = try CommandRun(["providers", "check", folder.path + "/bad.js"] + limit)
        #expect(check.output.contains("/bad.js:\(place)"), "\(check.output)")
    }

    @Test func privateAddressesAreBlockedUnlessAllowed() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let run = try CommandRun(["search", "-p", "loop", "--providers-folder", source.folder.path, "x"])
        #expect(run.status == 1)
        #expect(run.errors.contains("--allow-host 127.0.0.1:\(source.server.port)"), "\(run.errors)")
        #expect(source.server.requests.isEmpty)
    }

    @Test func aKeyGoesToTheSourceAndNowhereElse() throws {
        let source = try LoopbackSource { request in
            .answer(
                text: LoopbackSource.page(1...1, total: 1).replacing("Item 1", with: request.header("X-Key") ?? "none"))
        }
        let auth = "auth: { type: 'header', name: 'X-Key' },"
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port, auth: auth))
        let run = try CommandRun(
            ["search", "-p", "loop", "-v", "-f", "jsonl", "x"] + source.arguments,
            environment: ["IMGSCRIPT_LOOP_KEY": "s3cr3t-value"])
        #expect(source.server.requests.first?.header("X-Key") == "s3cr3t-value")
        // The source echoes it: the script, the output and the log see a mask.
        #expect(!(run.output + run.errors).contains("s3cr3t-value"))
        #expect(run.output.contains("***"), "\(run.output)")
    }

    @Test func remoteTextReachesNoTerminalAsAnEscape() throws {
        let source = try LoopbackSource { _ in
            .answer(
                text: LoopbackSource.page(1...1, total: 1).replacing(
                    "Item 1", with: #"a\u001b]0;owned\u0007b\u009b31mc"#))
        }
        // All that people read on a pipe too, such as in less.
        for format in ["table", "csv", "{title}", "{id}: {title|id}"] {
            let run = try CommandRun(["search", "-p", "loop", "-f", format, "x"] + source.arguments)
            #expect(run.output.contains("abc"), "\(run.output)")
            #expect(!run.output.unicodeScalars.contains { $0.value == 0x1b || $0.value == 0x9b || $0.value == 0x07 })
        }
    }
}
