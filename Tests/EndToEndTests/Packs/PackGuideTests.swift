import Foundation
import TestSupport
import Testing

/// The guide to packs is true: its commands work, one after the other.
struct PackGuideTests {
    @Test func commandsOfTheGuideWork() throws {
        let shop = try PackWorkshop()
        let guide = try Documentation.text(of: "docs/packs.md")
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

    @Test func guideHasEveryAcceptance() throws {
        let guide = try Documentation.text(of: "docs/packs.md")
        let help = try CommandRun(["pack", "update", "--help"]).output
        for word in ["key", "unsigned", "downgrade", "permissions", "content", "tests"] {
            #expect(guide.contains("`--accept \(word)`"))
            #expect(help.contains(word))
        }
    }
}
