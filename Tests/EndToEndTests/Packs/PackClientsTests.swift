import Foundation
import Packs
import TestSupport
import Testing

/// Packs and common tools: npm, git, minisign.
struct PackClientsTests {
    private static let npm = HelperProcess.path(of: "npm")
    private static let git = HelperProcess.path(of: "git")
    private static let minisign = HelperProcess.path(of: "minisign")

    @Test(.enabled(if: npm != nil)) func whatNpmPacksIsInstalledByUs() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run(program: Self.npm!, ["pack", "./boards", "--offline"]) != nil)
        let run = try shop.run("pack", "install", "-y", "anna-boards-1.0.0.tgz")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try shop.run("search", "-p", "boards", "--sample", "-f", "{id}", "fox").output == "1\n2\n3\n")
    }

    @Test(.enabled(if: npm != nil)) func whatWeBuildIsInstalledByNpm() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "build", "boards").status == 0)
        let arguments = ["install", "--offline", "--no-audit", "--no-fund", "./anna-boards-1.0.0.tgz"]
        let said = try shop.run(program: Self.npm!, arguments)
        #expect(said != nil)
        let installed = shop.bench + "/node_modules/@anna/boards/providers/boards.js"
        #expect(
            FolderListing.bytes(of: installed) == FolderListing.bytes(of: shop.bench + "/boards/providers/boards.js"))
        let lock = try String(contentsOfFile: shop.bench + "/package-lock.json", encoding: .utf8)
        #expect(
            lock.contains(PackIntegrity(of: FolderListing.bytes(of: shop.bench + "/anna-boards-1.0.0.tgz")).description)
        )
    }

    @Test(.enabled(if: npm != nil)) func whatNpmPublishesIsInstalledByName() throws {
        let shop = try PackWorkshop()
        var behaviour = LoopbackRegistry.Behaviour()
        behaviour.authorization = "Bearer t0ken"
        let registry = try LoopbackRegistry(behaviour)
        try "registry=\(registry.origin)/\n//\(registry.authority)/:_authToken=t0ken\n".write(
            toFile: shop.home + "/.npmrc", atomically: true, encoding: .utf8)
        try shop.makePack()
        #expect(try shop.run(program: Self.npm!, ["publish", "./boards", "--access", "public"]) != nil)
        let run = try shop.run("pack", "install", "-y", "@anna/boards@^1", "--allow-host", registry.authority)
        #expect(run.status == 0, "\(run.errors)")
        #expect(shop.lock.contains("\"source\": \"registry:@anna/boards@^1\""))
        try shop.makePack(version: "1.1.0")
        #expect(try shop.run(program: Self.npm!, ["publish", "./boards", "--access", "public"]) != nil)
        let update = try shop.run("pack", "update", "-y", "--allow-host", registry.authority)
        #expect(update.status == 0, "\(update.errors)")
        #expect(shop.lock.contains("\"version\": \"1.1.0\""))
    }

    @Test(.enabled(if: minisign != nil)) func minisignAndWeCheckEachOther() throws {
        let shop = try PackWorkshop()
        let ours = try shop.makeKey()
        let archive = try shop.makeArchive(key: ours)
        #expect(try shop.run("pack", "sign", archive, "--secret-key", "anna.key").status == 0)
        #expect(try shop.run(program: Self.minisign!, ["-V", "-p", "anna.pub", "-m", archive]) != nil)
        #expect(try shop.run(program: Self.minisign!, ["-G", "-W", "-p", "theirs.pub", "-s", "theirs.key"]) != nil)
        #expect(try shop.run(program: Self.minisign!, ["-S", "-s", "theirs.key", "-m", archive]) != nil)
        let checked = try shop.run("pack", "verify", archive, "--key", "theirs.pub")
        #expect(checked.status == 0, "\(checked.errors)")
        let other = try shop.run("pack", "verify", archive)
        #expect(other.status == 1, "the pack names another key")
    }

    @Test(.enabled(if: git != nil)) func repositoryIsInstalledAtATagAndLockedToItsCommit() throws {
        let shop = try PackWorkshop()
        let path = try shop.makePack()
        let identity = ["-c", "user.name=Anna", "-c", "user.email=anna@example.com"]
        // What an untrusted repository might try: none of it may run.
        try "* filter=own\n".write(toFile: path + "/.gitattributes", atomically: true, encoding: .utf8)
        for step in [
            ["init", "--quiet", "-b", "main", path], ["-C", path, "add", "-A"],
            ["-C", path] + identity + ["commit", "-qm", "one"],
            ["-C", path, "tag", "v1.0.0"], ["clone", "--quiet", "--bare", path, "boards.git"],
        ] { #expect(try shop.run(program: Self.git!, step) != nil, "\(step)") }
        let address = "git+file://\(shop.bench)/boards.git"
        let run = try shop.run("pack", "install", "-y", "\(address)#v1.0.0")
        #expect(run.status == 0, "\(run.errors)")
        let commit =
            try shop.run(program: Self.git!, ["-C", path, "rev-parse", "HEAD"])?.filter { !$0.isNewline } ?? ""
        #expect(shop.lock.contains("\"resolved\": \"\(address)#\(commit)\""))
        #expect(!FolderListing.allFiles(under: shop.home).contains { $0.contains(".git/") })
        let other = try PackWorkshop()
        try FileManager.default.createDirectory(
            atPath: other.home + "/.local/share/imgscript/packs", withIntermediateDirectories: true)
        try shop.lock.write(toFile: other.lockfile, atomically: true, encoding: .utf8)
        #expect(try other.run("pack", "install", "--frozen", "-y").status == 0)
        let missing = try shop.run("pack", "install", "-y", "\(address)#v9")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("could not fetch"), "\(missing.errors)")
    }

    @Test(arguments: [
        "git+ext::sh -c id", "git+ssh://-oProxyCommand=id/x.git", "git+https://host.example/x.git#--upload-pack=id",
        "git+https://anna:pw@host.example/x.git", "git://host.example/x.git",
    ])
    func gitAddressThatWouldRunSomethingIsNone(address: String) throws {
        let shop = try PackWorkshop()
        let run = try shop.run("pack", "install", "-y", address)
        #expect(run.status == 64)
        #expect(!run.errors.contains("pw@"))
    }

    @Test func repositoryOnThisMachineOverHTTPNeedsToBeAllowed() throws {
        let shop = try PackWorkshop()
        let run = try shop.run("pack", "install", "-y", "http://127.0.0.1:9/x.git")
        #expect(run.errors.contains("loopback addresses are blocked"), "\(run.errors)")
    }
}
