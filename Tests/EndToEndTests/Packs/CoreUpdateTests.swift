import Foundation
import TestSupport
import Testing

/// Newer versions of the sources that ship, without a release of the program.
struct CoreUpdateTests {
    private static let search = "search -p boards fox"

    @Test func brokenSourceIsMendedByAnUpdate() throws {
        let core = try CoreWorkshop()
        #expect(try core.run(Self.search).output.contains("Fox 1"))
        core.changeSource()
        let broken = try core.run("\(Self.search) --no-cache")
        #expect(broken.status != 0 && !broken.errors.contains("pack update"), "\(broken.errors)")
        try core.publish("0.2.0")
        let outdated = try core.run("pack outdated")
        #expect(outdated.output.contains("0.1.0 (shipped)") && outdated.output.contains("0.2.0"), "\(outdated.errors)")
        let known = try core.run("\(Self.search) --no-cache")
        #expect(known.errors.contains("@imgscript/core 0.2.0 is available"), "\(known.errors)")
        #expect(known.errors.contains("imgscript pack update core"))
        let update = try core.run("pack update --yes")
        #expect(update.status == 0, "\(update.errors)")
        #expect(update.output.contains("Since 0.1.0, which ships with imgscript"), "\(update.output)")
        #expect(update.output.contains("- boards: read pictures.") && update.output.contains("same permissions"))
        let mended = try core.run(Self.search)
        #expect(mended.status == 0 && mended.output.contains("Fox 1"), "\(mended.errors)")
        #expect(try core.run("pack outdated").errors.contains("all packs are up to date"))
        #expect(try core.run("doctor").output.contains("0.2.0, 0.1.0 ships"))
    }

    @Test func rollbackReturnsToTheShippedCopyAndForward() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0")
        #expect(try core.run("pack update core -y").status == 0)
        core.changeSource()
        #expect(try core.run(Self.search).status == 0)
        let back = try core.run("pack rollback core")
        #expect(back.errors.contains("went back to @imgscript/core 0.1.0, from 0.2.0"), "\(back.errors)")
        #expect(try core.run("\(Self.search) --no-cache").status != 0)
        let forward = try core.run("pack rollback core")
        #expect(forward.errors.contains("went forward to @imgscript/core 0.2.0, from 0.1.0"), "\(forward.errors)")
        #expect(try core.run("\(Self.search) --no-cache").status == 0)
    }

    @Test func updateThatAsksForMoreIsRefused() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0", hosts: ["evil.example"])
        let refused = try core.run("pack update -y")
        #expect(refused.status == 1 && core.shop.lock.isEmpty)
        #expect(refused.errors.contains("asks for more permissions: requests to evil.example (boards)"))
        #expect(try core.run("pack update -y --accept permissions").status == 0)
        #expect(core.shop.lock.contains("evil.example"))
    }

    @Test func updateOfAnotherKeyThanTheProgramsIsRefused() throws {
        let core = try CoreWorkshop()
        _ = try core.shop.makeKey("mallory")
        try core.publish("0.2.0", signedWith: "mallory")
        let run = try core.run("pack update -y")
        #expect(run.status == 1 && run.errors.contains("wrong key"), "\(run.errors)")
        #expect(core.shop.lock.isEmpty)
    }

    @Test func unsignedUpdateIsRefused() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0")
        try FileManager.default.removeItem(atPath: core.published + "/imgscript-core-0.2.0.tgz.minisig")
        try core.index()
        let run = try core.run("pack update -y")
        #expect(run.status == 1 && run.errors.contains("--accept unsigned"), "\(run.errors)")
    }

    @Test func shippedCopyIsUsedWhereTheNewerFailsItsChecks() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0", reading: "photos")
        #expect(try core.run("pack update -y").status == 0)
        #expect(try core.run("providers info boards").output.contains("@imgscript/core 0.2.0"))
        try core.shop.edit(core.shop.installedProvider) { $0 + " " }
        let run = try core.run(Self.search)
        #expect(run.status == 0 && run.output.contains("Fox 1"))
        #expect(
            run.errors.contains(
                "@imgscript/core 0.2.0 is not used, but the shipped 0.1.0: boards.js was changed after the installation"
            ),
            "\(run.errors)")
        #expect(try core.run("pack install --frozen --yes").status == 0)
        #expect(try core.run("providers info boards").output.contains("@imgscript/core 0.2.0"))
    }

    @Test func programThatShipsANewerCopyUsesIt() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0", reading: "photos")
        #expect(try core.run("pack update -y").status == 0)
        try core.ship("0.3.0")
        let run = try core.run("providers info boards")
        #expect(run.output.contains("@imgscript/core 0.3.0") && !run.errors.contains("warning"), "\(run.errors)")
        #expect(try core.run("pack update -y").errors.contains("0.2.0 is not installed: 0.3.0 ships with this program"))
    }

    @Test func revokedVersionStopsAndTheShippedCopyGoesOn() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0", reading: "photos")
        #expect(try core.run("pack update -y").status == 0)
        try core.index(["--revoke", "@imgscript/core@0.2.0", "--reason", "sends keys elsewhere"])
        #expect(try core.run("pack indexes refresh").status == 0)
        let run = try core.run(Self.search)
        #expect(run.status == 0 && run.output.contains("Fox 1"))
        #expect(run.errors.contains("revoked by the index imgscript: sends keys elsewhere"), "\(run.errors)")
        #expect(try core.run("doctor").output.contains("sends keys elsewhere"))
    }

    @Test func updateIsToldOfOnceADayAtATerminal() throws {
        let core = try CoreWorkshop()
        try core.publish("0.2.0")
        #expect(try core.run("\(Self.search) -q").status == 0)
        #expect(core.web.requests.isEmpty, "without a terminal nothing is looked for")
        let silenced = try core.runAtTerminal("\(Self.search) --no-update-check")
        #expect(!silenced.output.contains("is available") && core.web.requests.isEmpty)
        let first = try core.runAtTerminal(Self.search)
        #expect(first.output.contains("@imgscript/core 0.2.0 is available (in use: 0.1.0)"), "\(first.output)")
        #expect(first.output.contains("imgscript pack update core shows what changes"))
        #expect(core.web.requests.map(\.path) == ["/index.json.minisig", "/index.json"])
        let second = try core.runAtTerminal(Self.search)
        #expect(!second.output.contains("is available") && core.web.requests.count == 2)
        #expect(core.shop.lock.isEmpty, "nothing is installed without being asked")
    }
}
