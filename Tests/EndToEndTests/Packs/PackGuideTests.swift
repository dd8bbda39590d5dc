import Foundation
import TestSupport
import Testing

/// The guide to packs is true: its commands work, one after the other.
struct PackGuideTests {
    @Test func commandsOfTheGuideWork() throws {
        let shop = try PackWorkshop()
        let guide = try Self.parts()[0]
        let lines = Documentation.blocks(of: "sh", in: guide).flatMap { $0.split(separator: "\n") }
        #expect(lines.count > 10)
        for line in lines {
            var words = line.split(separator: " ").map(String.init)
            #expect(words.removeFirst() == "imgscript")
            // Not interactive.
            switch words.dropFirst().first {
            case "install", "update": words.append("--yes")
            case "keygen": words.append("--no-password")
            default: break
            }
            let run = try CommandRun(words, in: shop.bench, environment: ["HOME": shop.home])
            #expect(run.status == 0, "\(line)\n\(run.errors)")
        }
        #expect(shop.versions.isEmpty, "the last one removes the pack")
    }

    /// The guide to what is on one machine, and that to indexes.
    private static func parts() throws -> [String] {
        let guide = try Documentation.text(of: "docs/packs.md")
        let middle = try #require(guide.firstRange(of: "## Update the shipped sources"))
        return [String(guide[..<middle.lowerBound]), String(guide[middle.lowerBound...])]
    }

    @Test func commandsForIndexesWork() throws {
        let core = try CoreWorkshop()
        for version in ["0.1.0", "0.1.3"] {
            let archive = try core.shop.makeArchive(version: version)
            let name = URL(filePath: archive).lastPathComponent
            try FileManager.default.moveItem(atPath: archive, toPath: "\(core.published)/\(name)")
        }
        try core.publish("0.2.0")
        let settings = core.shop.home + "/.config/imgscript"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: core.shop.bench + "/core.key", toPath: settings + "/pack.key")
        try "registry=\(core.web.origin)/".write(
            toFile: core.shop.bench + "/.npmrc", atomically: true, encoding: .utf8)
        let lines = Documentation.blocks(of: "sh", in: try Self.parts()[1]).flatMap { $0.split(separator: "\n") }
        #expect(lines.count > 6)
        for line in lines {
            let command = line.dropFirst("imgscript ".count)
                .replacing("https://anna.example/packs", with: core.web.origin)
                .replacing("./published", with: core.published)
            let asks = ["pack update", "pack add", "pack indexes add"].contains { command.hasPrefix($0) }
            let run = try core.run(command + (asks ? " --yes" : ""))
            #expect(run.status == 0, "\(line)\n\(run.errors)")
        }
        #expect(core.shop.lock.contains("@anna/boards") && core.shop.lock.contains("@imgscript/core"))
    }

    @Test func guideHasEveryAcceptance() throws {
        let guide = try Documentation.text(of: "docs/packs.md")
        let help = try CommandRun(["pack", "update", "--help"]).output
        for word in ["key", "unsigned", "downgrade", "permissions", "content", "tests"] {
            #expect(guide.contains("`--accept \(word)`"))
            #expect(help.contains(word))
        }
    }
}
