import Foundation
import Testing

/// The guide to downloads is true: its example is built, its tables are complete.
struct DownloadGuideTests {
    private static var guide: String { get throws { try Documentation.text(of: "docs/downloads.md") } }

    @Test func swiftExampleIsBuiltWithTheTests() throws {
        let example = try Documentation.text(of: "Tests/EndToEndTests/Downloads/DownloadExample.swift")
        #expect(Documentation.blocks(of: "swift", in: try Self.guide) == [example])
    }

    @Test func optionsOfTheGuideAreThere() throws {
        let options = try CommandLineDescription.ofImgscript().command.longOptions
        let own = try Self.guide.replacing(/`systemctl [^`]*`/, with: "")
        let named = Set(own.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) })
        #expect(named.contains("retry-failed"))
        #expect(named.subtracting(options).sorted() == [])
    }

    @Test func commandsOfTheGuideAreUnderstood() throws {
        let source = try FoxSource()
        let blocks = Documentation.blocks(of: "sh", in: try Self.guide)
        let commands = blocks.flatMap { $0.split(separator: "\n") }.compactMap { line in
            line.split(separator: "#")[0].split(separator: "|").last.map { command in
                command.matches(of: /'([^']*)'|(\S+)/).map { String($0.1 ?? $0.2 ?? "") }
            }
        }
        #expect(commands.count == 24)
        // Those of watches are tried with them.
        for words in commands where words.dropFirst().first != "watch" {
            // Nothing leaves the machine: what the command line is understood to be is seen before anything is asked.
            let run = try source.run("download", Array(words.dropFirst(2)) + ["--offline"])
            #expect(run.status != 64 || !run.errors.contains("--help"), "\(words): \(run.errors)")
        }
    }
}
