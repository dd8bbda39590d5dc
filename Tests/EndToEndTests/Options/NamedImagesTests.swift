import Foundation
import TestSupport
import Testing

/// Images that are named by ids and URLs, with and without a provider beside them.
struct NamedImagesTests {
    private let bench: OptionBench

    init() throws { bench = try OptionBench([OptionImage(id: "good"), OptionImage(id: "last")]) }

    private func run(_ arguments: [String], settings: String = "{}") throws -> OptionBench.Outcome {
        FolderListing.write(settings, to: "\(bench.home.path)/.config/imgscript/config.json")
        let folder = TemporaryFolder()
        return try bench.outcome(in: folder) {
            try CommandRun(
                arguments + (arguments[0] == "download" ? ["-d", folder.path] : []) + bench.common,
                environment: ["HOME": bench.home.path])
        }
    }

    @Test(arguments: [["-p", "loop", "loop:good"], ["-p", "loop", "PAGE"], ["-p", "all", "loop:good"]])
    func idOrPageBesideAProviderIsThatImage(_ words: [String]) throws {
        let page = "\(bench.server.origin)/loop/good"
        let found = try run(["download"] + words.map { $0 == "PAGE" ? page : $0 })
        #expect(found.status == 0 && found.has("good-a-good") && !found.has("last-a-last"), "\(found.summary)")
        #expect(found.questions.map(\.path) == ["/api/loop/good"], "\(found.summary)")
    }

    @Test func pageOfAServerInTheSettingsIsKnown() throws {
        let settings = #"{"providers": {"many": {"instance": "\#(bench.server.origin)"}}}"#
        let page = "\(bench.server.origin)/many/good"
        let shown = try run(["show", page, "-f", "{provider}:{id}"], settings: settings)
        #expect(shown.output == "many:good\n", "\(shown.summary)")
        for words in [[page], ["-p", "many", page], ["-p", "many", "many:good"]] {
            let found = try run(["download"] + words, settings: settings)
            #expect(found.status == 0 && found.has("good-a-good"), "\(found.summary)")
        }
        let unknown = try run(["download", "-p", "many", page])
        #expect(unknown.status == 4 && unknown.requests.isEmpty, "\(unknown.summary)")
        #expect(
            unknown.errors.contains("no page of many") && unknown.errors.contains("--instance"), "\(unknown.summary)")
    }

    @Test(arguments: [
        (["download", "-p", "loop", "many:good"], "\"many:good\" is of many (expected an image of loop"),
        (["download", "-p", "loop", "loop:good", "fox"], "\"fox\" is neither PROVIDER:ID nor a URL"),
        (["download", "-p", "loop", "http://a.example/x.jpg"], "no page of loop"),
        (["download", "-p", "loop", "ftp://a.example/x.jpg"], "unsupported URL scheme \"ftp\""),
        (
            ["search", "-p", "loop", "http://a.example/x"],
            "\"http://a.example/x\" is a URL (expected words to search for"
        ),
        (
            ["search", "fox", "--provider-option", "loopp:limit=2"],
            "unknown provider \"loopp\"; did you mean \"loop\"?"
        ),
        (["download", "http://a.example/x.jpg", "--provider-option", "lop:limit=2"], "unknown provider \"lop\""),
        (
            ["search", "-p", "loop", "fox", "--provider-option", "many:limit=2"],
            "many is not asked (expected an option for loop)"
        ),
    ])
    func slipIsOneSentenceAndAsksNobody(_ arguments: [String], _ message: String) throws {
        let found = try run(arguments)
        #expect(found.status != 0 && found.errors.contains(message), "\(found.summary)")
        #expect(
            found.requests.isEmpty && found.files.allSatisfy { $0.hasPrefix(".imgscript") || $0.hasPrefix("credits") })
    }

    /// Only the source knows that it is no collection.
    @Test func imageIsNoListToResume() throws {
        let found = try run(["show", "loop:good", "--resume"])
        #expect(found.status == 64 && found.errors.contains("--resume: \"loop:good\" is an image"), "\(found.summary)")
        #expect(found.output.isEmpty, "\(found.summary)")
    }

    @Test func wordThatOnlyLooksLikeAnIDIsSearchedFor() throws {
        for word in ["rating:safe", "\"http://a.example/x\""] {
            let found = try run(["download", "-p", "loop", word, "--dry-run"])
            // The second one's request is the same, and answered from the cache.
            #expect(found.status == 0 && found.questions.allSatisfy { $0.path == "/api/loop/list" }, "\(found.summary)")
        }
        let said = try run(["search", "-p", "loop", "loop:good"])
        #expect(said.errors.contains("loop:good is searched for\nhint: imgscript show loop:good"), "\(said.summary)")
    }

    @Test func fileGetsTheCookiesOfItsOwnDomain() throws {
        let found = try run(["download", "\(bench.server.origin)/files/good.jpg", "--cookies", bench.cookies])
        #expect(found.status == 0 && found.requests.map { $0.header("Cookie") } == ["crumb=brown"], "\(found.summary)")
        let other = bench.list("other.txt", "other.example\tFALSE\t/\tFALSE\t0\tcrumb\twhite\n")
        let without = try run(["download", "\(bench.server.origin)/files/last.jpg", "--cookies", other])
        #expect(without.requests.map { $0.header("Cookie") } == [nil], "\(without.summary)")
        #expect(without.errors.contains("other.txt: found no cookie for 127.0.0.1"), "\(without.summary)")
    }

    @Test(arguments: [
        (["--license", "cc-by"], "", "1 filtered out: loop:good does not meet --license"),
        (["--min-width", "2000"], "good\n", ""), (["--param", "kind=x"], "good\n", "--param: not used"),
    ])
    func shownImageMeetsTheConditions(_ options: [String], _ output: String, _ message: String) throws {
        let found = try run(["show", "loop:good", "-f", "{id}"] + options)
        #expect(found.status == 0 && found.output == output, "\(found.summary)")
        #expect(message.isEmpty || found.errors.contains(message), "\(found.summary)")
    }

    @Test func imageThatIsNoSampleIsNotShownAsAnother() throws {
        for reference in ["pixabay:99107142", "https://pixabay.com/photos/id-99107142/"] {
            let run = try CommandRun(["show", "--sample", reference, "-f", "{id}"])
            let isShown = run.status == 0 && run.output == "99107142\n"
            #expect(
                isShown || run.status == 4 && run.errors.contains("99107142 is not among the samples"), "\(run.errors)")
        }
        let none = try CommandRun(["show", "--sample", "pixabay:1", "-f", "{id}"])
        #expect(none.status == 4 && none.errors.contains("1 is not among the samples"), "\(none.output)\(none.errors)")
        #expect(none.errors.contains("without --sample"))
    }
}
