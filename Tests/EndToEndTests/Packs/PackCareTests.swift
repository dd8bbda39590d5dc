import Foundation
import Packs
import TestSupport
import Testing

/// Installed packs over time: whether they are whole, what is newer, and what others' texts do to the screen.
struct PackCareTests {
    @Test func changedFileIsReportedAndRepairedWithoutTheSource() throws {
        let shop = try PackWorkshop()
        let archive = try shop.makeArchive()
        #expect(try shop.run("pack", "install", "-y", archive).status == 0)
        let whole = try shop.run("pack", "verify")
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.output.contains("all files unchanged"))
        try shop.edit(shop.installedProvider) { $0 + "// mine\n" }
        try FileManager.default.removeItem(atPath: archive)
        let changed = try shop.run("pack", "verify", "@anna/boards")
        #expect(changed.status == 1)
        #expect(changed.output.contains("providers/boards.js was changed"), "\(changed.output)")
        #expect(try shop.run("pack", "list").output.contains("1.0.0 (changed)"))
        let doctor = try shop.run("doctor")
        #expect(doctor.status == 1)
        // Its lines are as wide as a terminal.
        let said = doctor.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains("providers/boards.js was changed"), "\(doctor.output)")
        let repaired = try shop.run("pack", "install", "--frozen", "--yes")
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(try shop.run("pack", "verify").status == 0)
        #expect(try shop.run("pack", "verify", "nothing").status == 4)
    }

    @Test func projectWithItsPackIsInstalledWhereverItLies() throws {
        let shop = try PackWorkshop()
        try shop.makePack(in: "one/packs/boards")
        for project in ["one", "two/deeper"] {
            try FileManager.default.createDirectory(
                atPath: "\(shop.bench)/\(project)/providers", withIntermediateDirectories: true)
        }
        let (one, two) = (shop.bench + "/one", shop.bench + "/two/deeper")
        let run = try CommandRun(
            ["pack", "install", "-y", "./packs/boards"], in: one, environment: ["HOME": shop.home])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try String(contentsOfFile: one + "/imgscript.lock", encoding: .utf8).contains("\"file:packs/boards\""))
        for name in ["packs", "imgscript.lock"] {
            try FileManager.default.moveItem(atPath: "\(one)/\(name)", toPath: "\(two)/\(name)")
        }
        let other = try PackWorkshop()
        let frozen = try CommandRun(
            ["pack", "install", "-y", "--frozen"], in: two, environment: ["HOME": other.home])
        #expect(frozen.status == 0, "\(frozen.errors)")
        #expect(other.versions.count == 1)
    }

    @Test func packOfTheUserIsFoundFromAProjectThatHasNone() throws {
        let shop = try PackWorkshop()
        #expect(try shop.run("pack", "install", "-y", try shop.makeArchive()).status == 0)
        let project = shop.bench + "/project"
        try FileManager.default.createDirectory(atPath: project + "/providers", withIntermediateDirectories: true)
        func run(_ words: String...) throws -> CommandRun {
            try CommandRun(["pack"] + words, in: project, environment: ["HOME": shop.home])
        }
        let missed = try run("remove", "@anna/boards")
        #expect(missed.status == 4)
        #expect(missed.errors.contains("in imgscript.lock") && missed.errors.contains("--user"), "\(missed.errors)")
        #expect(try run("outdated").errors.contains("no packs in imgscript.lock"))
        #expect(try run("remove", "--user", "@anna/boards").status == 0)
    }

    @Test func packThatCannotBeUpdatedKeepsNoOtherFromIt() throws {
        let shop = try PackWorkshop()
        try shop.makePack("@anna/boards")
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        for version in ["0.1.0", "0.2.0"] {
            try? FileManager.default.removeItem(atPath: shop.bench + "/zoo")
            #expect(try shop.run("pack", "init", "zoo").status == 0)
            try shop.edit(shop.bench + "/zoo/package.json") { $0.replacing("0.1.0", with: version) }
            if version == "0.1.0" { #expect(try shop.run("pack", "install", "-y", "./zoo").status == 0) }
        }
        try FileManager.default.removeItem(atPath: shop.bench + "/boards")
        let outdated = try shop.run("pack", "outdated")
        #expect(outdated.output.contains("zoo   0.1.0      0.2.0"), "\(outdated.output)")
        #expect(outdated.status == 1, "one of them cannot be looked at")
        let run = try shop.run("pack", "update", "--all", "--yes")
        #expect(run.status == 1)
        #expect(run.errors.contains("@anna/boards: "), "\(run.errors)")
        #expect(run.errors.contains("installed zoo 0.2.0"))
    }

    @Test func longTextsPushNothingOffTheScreen() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.makePack(version: "1.1.0", hosts: ["tracker.example"])
        try shop.edit(shop.bench + "/boards/package.json") {
            let text = "Nice\\u001b[2J\\r" + String(repeating: "x", count: 5_000)
            return $0.replacing("Images from boards, for imgscript.", with: text)
        }
        try shop.edit(shop.bench + "/boards/CHANGELOG.md") { _ in
            "## 1.1.0\n- \u{1b}]0;owned\u{7} \u{202e}more\n" + String(repeating: "- line\n", count: 20_000)
        }
        let run = try shop.run("pack", "update", "--yes")
        #expect(run.output.contains("more lines of its CHANGELOG.md"))
        #expect(run.output.split(separator: "\n").count < 60)
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0 != "\u{202e}") })
        let last = run.output.split(separator: "\n").last
        #expect(last?.contains("requests to tracker.example") == true, "what is asked for stands by the question")
    }

    @Test func packIsInspectedWhereNothingCanBeInstalled() throws {
        let shop = try PackWorkshop()
        let archive = try shop.makeArchive()
        FolderListing.write("", to: shop.home + "/.local")
        let run = try shop.run("pack", "inspect", archive)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("api.boards.example"))
        #expect(try shop.run("pack", "install", "-y", archive).status == 1)
    }

    @Test func providerOfAnotherPackIsRefusedBeforeAnythingIsAsked() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.makePack("@eve/boards", in: "eve")
        let run = try shop.run("pack", "install", "./eve")
        #expect(run.status == 1)
        #expect(run.errors.contains("as does the installed @anna/boards 1.0.0"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }
}
