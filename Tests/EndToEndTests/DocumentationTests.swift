import Foundation
import TestSupport
import Testing

/// The documentation is true: examples are built and run, lists are complete.
struct DocumentationTests {
    @Test func swiftExamplesOfTheReadmeAreBuiltWithTheTests() throws {
        let examples = try ["EndToEndTests/ReadmeExample.swift", "ProviderTestingTests/ThreeLineSuite.swift"].map {
            try Documentation.text(of: "Tests/\($0)")
        }
        let blocks = Documentation.blocks(of: "swift", in: try Documentation.text(of: "README.md"))
        #expect(blocks.filter { !$0.contains("import PackageDescription") } == examples)
    }

    @Test func packageOfTheReadmeTakesProductsThatThereAre() throws {
        let package = try Documentation.text(of: "Package.swift")
        let taken = try Documentation.text(of: "README.md").matches(of: /\.product\(name: "([^"]+)"/).map(\.1)
        #expect(Set(taken) == ["ImgScript", "ProviderTesting", "imgscript-worker"])
        let products = package.matches(of: /\.(?:library|executable)\(name: "([^"]+)", targets/).map(\.1)
        #expect(taken.filter { !products.contains($0) } == [])
    }

    @Test func helpersGiveWhatTheContractShows() throws {
        let contract = try Documentation.text(of: "docs/provider-contract.md")
        let helpers = try #require(contract.firstRange(of: "\n## Helpers\n"))
        let rest = contract[helpers.upperBound...]
        let section = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
        let rows = section.matches(of: /(?m)^\| `(.+)` \| `(.+)` \|$/).map { (call: $0.1, result: $0.2) }
        #expect(rows.count > 15)
        let names = Set(rows.map { $0.call.prefix { $0.isLetter || $0.isNumber } }.map(String.init))
        let declared = try Documentation.text(of: "providers/types/imgscript.d.ts")
            .matches(of: /(?m)^  export (?:function|const) (\w+)/).map { String($0.1) }.prefix { $0 != "run" }
        #expect(Set(declared).subtracting(names) == ["fail"])
        let tests = rows.enumerated().map { "test('row \($0)', () => { expect(\($1.call)).toEqual(\($1.result)); });" }
        let folder = TemporaryFolder()
        let script = """
            const { \(names.sorted().joined(separator: ", ")) } = require('imgscript');
            const { expect, test } = require('imgscript/test');
            \(tests.joined(separator: "\n"))
            """
        try script.write(toFile: "\(folder.path)/made.test.js", atomically: true, encoding: .utf8)
        try LoopbackSource.provider("made", port: 9).write(
            toFile: "\(folder.path)/made.js", atomically: true, encoding: .utf8)
        let run = try CommandRun(["test", "\(folder.path)/made.test.js"])
        #expect(run.status == 0 && run.output.contains("\(rows.count) passed"), "\(run.output)\(run.errors)")
    }

    /// `make docs` checks every link, and takes longer.
    @Test func catalogueOfTheLibraryNamesTypesThatThereAre() throws {
        let page = try Documentation.text(of: "Sources/ImgScript/ImgScript.docc/ImgScript.md")
        let named = page.matches(of: /(?m)^- ``(\w+)/).map { String($0.1) }
        let declared = try ["ImgScript", "Search", "ProviderModel", "Downloads"].flatMap { module in
            try FolderListing.allFiles(under: Documentation.root.appending(path: "Sources/\(module)").path)
                .filter { $0.hasSuffix(".swift") }
                .flatMap { path in
                    try String(contentsOfFile: path, encoding: .utf8).matches(
                        of: /(?m)^public (?:final )?(?:struct|class|enum|protocol) (\w+)/
                    ).map { String($0.1) }
                }
        }
        #expect(named.contains("SearchOptions") && Set(named).subtracting(declared) == [])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func commandsOfTheReadmePrintWhatItShows() throws {
        let providers = try DocumentedProviders()
        let transcripts = Documentation.transcripts(in: try Documentation.text(of: "README.md"))
        #expect(!transcripts.isEmpty)
        for (command, output) in transcripts {
            let shown = command.replacing("~/.config/imgscript/providers", with: providers.folder.path)
            let run = try CommandRun(onTerminalOf: 88, shown)
            #expect(run.output.replacing("\r\n", with: "\n") == output, "\(command)")
        }
    }

    @Test func manPageHasEveryOption() throws {
        let page = try Documentation.text(of: "docs/imgscript.1")
        let documented = Set(page.matches(of: /Fl -([a-z0-9-]+)/).map { String($0.1) })
        let options = try CommandLineDescription.ofImgscript().command.longOptions
        #expect(options.contains("provider"))
        #expect(options.subtracting(documented).sorted() == [], "missing in docs/imgscript.1")
        #expect(
            documented.subtracting(options).subtracting(["generate-completion-script"]).sorted() == [],
            "no longer an option")
    }

    /// The argument parser breaks lines itself; one that the text breaks, too, leaves stumps.
    @Test func helpFitsATerminal() throws {
        let commands = try CommandLineDescription.ofImgscript().command.all
        #expect(commands.contains { $0.discussion != nil })
        for command in commands {
            let paragraphs = (command.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(paragraphs, paragraphs.dropFirst()) where line.count > 80 {
                #expect(next.isEmpty || next.hasPrefix(" "), "\(command.commandName): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("pack keygen", "--help", "--script-timeout"), ("pack list", "--grants", "--offline"),
        ("cache clear", "--host", "--dry-run"), ("pack install", "--ca-file", "--max-requests"),
        ("pack search", "--ca-file", "--script-timeout"), ("pack run-tests", "--instance", "--dry-run"),
        ("auth list", "--instance", "--offline"),
    ])
    func helpLeavesOutWhatHasNoBearing(command: String, bearing: String, none: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let help = try CommandRun(words + ["--help"])
        #expect(help.output.contains("\(bearing) "), "\(help.output)")
        #expect(!help.output.contains(none) && !help.output.contains("--sample"), "\(help.output)")
        #expect(try CommandRun(words + ["--quiet", "--nonsense"]).errors.contains("unknown option \"--nonsense\""))
    }

    @Test(arguments: ["docs/provider-contract.md", "providers/types/imgscript.d.ts"])
    func everyFieldOfTheContractIsNamed(document: String) throws {
        let source = try Documentation.text(of: "Sources/ScriptEngine/Contract/ContractField.swift")
        var names: Set<String> = []
        var goesOn = false
        for line in source.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            defer { goesOn = line.hasSuffix(",") && (goesOn || line.hasPrefix("case ")) }
            guard goesOn || line.hasPrefix("case ") else { continue }
            names.formUnion(line.split { !$0.isLetter }.map(String.init).filter { $0 != "case" })
        }
        // An item's fields are described by its schema.
        let schema = try Documentation.text(of: "Sources/ProviderModel/Schema/ItemSchema.swift")
        names.formUnion(schema.matches(of: /"([a-z][a-zA-Z]*)",\s/).map { String($0.1) })
        #expect(names.isSuperset(of: ["focalLength", "hosts", "default", "extra"]) && !names.contains("let"))
        let words = Set(try Documentation.text(of: document).matches(of: /[a-zA-Z]+/).map { String($0.0) })
        #expect(names.subtracting(words).sorted() == [])
    }

    @Test func manPageHasEveryCommand() throws {
        let page = try Documentation.text(of: "docs/imgscript.1").replacing(" Op Cm ", with: " Cm ")
        let paths = try CommandLineDescription.ofImgscript().command.paths().map { $0.dropFirst() }
        let entries = paths.filter { !$0.isEmpty }.map { ".It " + $0.map { "Cm \($0)" }.joined(separator: " ") }
        #expect(entries.contains(".It Cm providers Cm check"))
        #expect(entries.filter { !page.contains($0) } == [], "missing in docs/imgscript.1")
    }

    @Test(arguments: try DocumentedProviders.names())
    func documentedProviderKeepsToTheContract(name: String) throws {
        let providers = try DocumentedProviders()
        let run = try CommandRun(["providers", "check", "\(providers.folder.path)/\(name)"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test(arguments: DocumentedRun.all)
    func documentedProviderReadsItsSource(run: DocumentedRun) throws {
        let providers = try DocumentedProviders()
        let result = try CommandRun(
            run.command.split(separator: " ").map(String.init)
                + [
                    "-n", "\(run.output.split(separator: "\n").count)", "-f", run.format, "--sample",
                    "--providers-folder", providers.folder.path,
                ])
        #expect(result.output == run.output + "\n")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func everyDocumentedProviderIsRun() throws {
        let run = Set(DocumentedRun.all.flatMap { $0.command.split(separator: " ").map { "\($0).js" } })
        #expect(try DocumentedProviders.names().filter { !run.contains($0) } == [])
    }

    @Test func mapOfTheReadmeHasEveryTarget() throws {
        let package = try Documentation.text(of: "Package.swift")
        let readme = try Documentation.text(of: "README.md")
        let targets = package.matches(of: /\.(?:executableTarget|systemLibrary|target)\(\s*name: "([^"]+)"/).map(\.1)
        #expect(targets.count > 10)
        #expect(targets.filter { !readme.contains("`\($0)`") } == [])
    }

    @Test func linksInDocumentsLeadSomewhere() throws {
        for document in Documentation.withProviders + ["CONTRIBUTING.md"] {
            let folder = Documentation.root.appending(path: document).deletingLastPathComponent()
            for link in try Documentation.text(of: document).matches(of: /\]\(([^):#]+)\)/).map(\.1) {
                let target = folder.appending(path: link).path
                #expect(FileManager.default.fileExists(atPath: target), "\(document): \(link)")
            }
        }
    }
}
