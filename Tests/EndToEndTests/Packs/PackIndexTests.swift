import Foundation
import TestSupport
import Testing

/// Indexes of packs: made, trusted, searched, installed from.
struct PackIndexTests {
    /// A web server with an index of versions of one pack.
    private final class Publisher {
        let shop: PackWorkshop
        let web: LoopbackServer
        let folder: String

        init(versions: [String] = ["1.0.0", "1.2.0"]) throws {
            let shop = try PackWorkshop()
            let folder = "\(shop.bench)/published"
            (self.shop, self.folder) = (shop, folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            web = try LoopbackServer { request in
                FileManager.default.contents(atPath: folder + request.path).map { .answer(body: Array($0)) }
                    ?? .answer(404)
            }
            _ = try shop.makeKey()
            for version in versions {
                try shop.makeArchive(version: version, as: "published/anna-boards-\(version).tgz")
            }
            try index()
        }

        var url: String { "\(web.origin)/index.json" }

        @discardableResult
        func index(_ options: String..., key: String = "anna") throws -> CommandRun {
            let run = try CommandRun(
                ["pack", "index", "published", "--secret-key", "\(key).key"] + options, in: shop.bench,
                environment: ["HOME": shop.home])
            #expect(run.status == 0, "\(run.errors)")
            return run
        }

        /// Runs a command as somebody who uses the index.
        func run(_ arguments: String...) throws -> CommandRun {
            try CommandRun(
                arguments, in: shop.bench, environment: ["HOME": shop.home, "IMGSCRIPT_ALLOW_HOST": "127.0.0.1"])
        }
    }

    private func trusted() throws -> Publisher {
        let publisher = try Publisher()
        let run = try publisher.run("pack", "indexes", "add", "anna", publisher.url, "--yes")
        #expect(run.status == 0, "\(run.errors)")
        return publisher
    }

    @Test func keyIsShownAndTrustedOnce() throws {
        let publisher = try Publisher()
        let asked = try publisher.run("pack", "indexes", "add", "anna", publisher.url)
        #expect(asked.status == 1 && asked.output.contains("RW") && asked.errors.contains("--yes confirms"))
        #expect(try publisher.run("pack", "indexes").errors.contains("no indexes"))
        #expect(try publisher.run("pack", "indexes", "add", "anna", publisher.url, "-y").status == 0)
        #expect(try publisher.run("pack", "indexes").output.contains(publisher.url))
        // The index of somebody else in its place.
        _ = try publisher.shop.makeKey("mallory")
        try FileManager.default.removeItem(atPath: publisher.folder + "/index.json")
        try publisher.index(key: "mallory")
        for command in [["pack", "add", "anna:@anna/boards"], ["pack", "indexes", "refresh"]] {
            let run = try CommandRun(
                command, in: publisher.shop.bench,
                environment: ["HOME": publisher.shop.home, "IMGSCRIPT_ALLOW_HOST": "127.0.0.1"])
            #expect(run.status == 1 && run.errors.contains("the key of the index anna has changed"), "\(run.errors)")
            #expect(run.errors.contains("imgscript pack indexes add anna \(publisher.url) --key RW"))
        }
        #expect(try publisher.run("pack", "indexes", "add", "anna", publisher.url, "-y").status == 1)
    }

    @Test func olderIndexThanTheStoredOneIsRefused() throws {
        let publisher = try trusted()
        let files = ["index.json", "index.json.minisig"].map { "\(publisher.folder)/\($0)" }
        let before = files.map { FileManager.default.contents(atPath: $0) }
        try publisher.index("--revoke", "@anna/boards@1.2.0", "--reason", "spies")
        #expect(try publisher.run("pack", "indexes", "refresh").status == 0)
        for (file, content) in zip(files, before) {
            #expect(FileManager.default.createFile(atPath: file, contents: content))
        }
        let run = try publisher.run("pack", "indexes", "refresh")
        #expect(run.status == 1 && run.errors.contains("older than the stored one"), "\(run.errors)")
    }

    @Test(arguments: ["boards", "api.boards.example", "Images from"])
    func packsAreFoundByProviderHostAndText(_ text: String) throws {
        let publisher = try trusted()
        let run = try publisher.run("pack", "search", "--index", "anna", text)
        #expect(run.output.contains("anna:@anna/boards") && run.output.contains("1.2.0"), "\(run.errors)")
        #expect(try publisher.run("pack", "search", "--offline", text).output.contains("anna:@anna/boards"))
        #expect(try publisher.run("pack", "search", "--index", "anna", text, "nowhere").output.isEmpty)
    }

    @Test func unknownProviderIsOfferedWithItsPack() throws {
        let publisher = try trusted()
        let unknown = try publisher.run("search", "-p", "boards", "fox")
        #expect(unknown.errors.contains("unknown provider \"boards\""))
        #expect(unknown.errors.contains("hint: imgscript pack add anna:@anna/boards installs a pack that has it"))
        let added = try publisher.run("pack", "add", "-y", "anna:@anna/boards")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try publisher.run("search", "-p", "boards", "--sample", "fox").status == 0)
    }

    @Test func rangesChooseAVersionAndUpdatesComeFromTheIndex() throws {
        let publisher = try trusted()
        #expect(try publisher.run("pack", "add", "-y", "anna:@anna/boards@~1.0").status == 0)
        #expect(publisher.shop.lock.contains("\"version\": \"1.0.0\""))
        #expect(publisher.shop.lock.contains("\"source\": \"anna:@anna/boards@~1.0\""))
        let outdated = try publisher.run("pack", "outdated")
        #expect(outdated.output.contains("1.2.0"), "\(outdated.errors)")
        #expect(try publisher.run("pack", "add", "-y", "anna:@anna/boards").status == 0)
        try publisher.shop.makeArchive(version: "1.3.0", as: "published/anna-boards-1.3.0.tgz")
        try publisher.index()
        #expect(try publisher.run("pack", "update", "-y").status == 0)
        #expect(publisher.shop.lock.contains("\"version\": \"1.3.0\""))
    }

    @Test func otherBytesThanTheIndexHasAreRefused() throws {
        let publisher = try trusted()
        try publisher.shop.makeArchive(
            version: "1.2.0", hosts: ["evil.example"], as: "published/anna-boards-1.2.0.tgz")
        let run = try publisher.run("pack", "add", "-y", "anna:@anna/boards")
        #expect(run.status == 1 && run.errors.contains("from the index anna"), "\(run.errors)")
    }

    @Test func revokedVersionsStopWithTheirReasonAndTheWayOut() throws {
        let publisher = try trusted()
        #expect(try publisher.run("pack", "add", "-y", "anna:@anna/boards@1.0.0").status == 0)
        try publisher.index("--revoke", "@anna/boards@1.0.0", "--reason", "sends keys elsewhere")
        #expect(try publisher.run("pack", "outdated").output.contains("revoked: sends keys elsewhere"))
        let stopped = try publisher.run("search", "-p", "boards", "--sample", "fox")
        #expect(stopped.status != 0 && stopped.output.isEmpty)
        #expect(
            stopped.errors.contains(
                "stopped: @anna/boards 1.0.0 was revoked by the index anna: sends keys elsewhere"), "\(stopped.errors)")
        #expect(stopped.errors.contains("imgscript pack update @anna/boards"))
        let again = try publisher.run("pack", "add", "-y", "anna:@anna/boards@1.0.0")
        #expect(again.status == 1 && again.errors.contains("1.0.0 was revoked: sends keys elsewhere"))
        #expect(try publisher.run("pack", "add", "-y", "anna:@anna/boards").status == 0)
        #expect(try publisher.run("search", "-p", "boards", "--sample", "fox").status == 0)
        // It is still revoked when the index is written without being told again, and no longer when that is taken back.
        #expect(try publisher.index().output.contains("revoked: sends keys elsewhere"))
        #expect(try !publisher.index("--restore", "@anna/boards@1.0.0").output.contains("revoked"))
    }

    @Test func deprecationReachesOutdated() throws {
        let publisher = try trusted()
        #expect(try publisher.run("pack", "add", "-y", "anna:@anna/boards").status == 0)
        try publisher.index("--deprecate", "@anna/boards", "--reason", "the source ends in May")
        let run = try publisher.run("pack", "outdated")
        #expect(run.output.contains("deprecated: the source ends in May"), "\(run.output)\(run.errors)")
    }

    @Test func packOfAFolderIsNotAnArchive() throws {
        let publisher = try Publisher()
        try publisher.shop.makePack()
        let run = try publisher.run("pack", "index", "boards", "--secret-key", "anna.key")
        #expect(run.status == 1 && run.errors.contains("expected a folder of .tgz files"), "\(run.errors)")
        #expect(try publisher.run("pack", "index", "published", "--revoke", "x").status == 64)
        let unknown = try publisher.run("pack", "add", "bob:@anna/boards")
        #expect(unknown.status == 1 && unknown.errors.contains("unknown index \"bob\""), "\(unknown.errors)")
    }

    @Test func workflowOfANewPackIsYAMLAndNotPacked() throws {
        let shop = try PackWorkshop()
        let path = try shop.makePack()
        let workflow = try String(contentsOfFile: path + "/.github/workflows/pack.yml", encoding: .utf8)
        for part in ["pack run-tests", "test --drift", "schedule:", "pack index", "pack sign"] {
            #expect(workflow.contains(part), "\(part)")
        }
        #expect(!workflow.contains("\t"))
        #expect(try !shop.run("pack", "inspect", "--files", "./boards").output.contains("workflows"))
    }
}
