import Foundation
import Packs
import TestSupport
import Testing

/// What an update may do, and what has to be accepted.
struct PackUpdateTests {
    @Test func widerHostsAreRefusedUntilAccepted() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.makePack(version: "1.1.0", hosts: ["tracker.example"])
        try shop.edit(shop.bench + "/boards/CHANGELOG.md") {
            "# Changes\n\n## [1.1.0] - 2026-11-21\n\n- Counts.\n\n" + $0
        }
        let before = shop.lock
        let refused = try shop.run("pack", "update", "--yes")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("asks for more permissions: requests to tracker.example (boards)"))
        #expect(refused.errors.contains("--accept permissions"))
        #expect(refused.output.contains("+ requests to tracker.example (boards)"))
        #expect(refused.output.contains("- Counts."))
        #expect(!refused.output.contains("The first version"))
        #expect(shop.lock == before)
        let accepted = try shop.run("pack", "update", "--yes", "--accept", "permissions")
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(shop.lock.contains("tracker.example"))
        #expect(shop.versions.count == 2)
        let back = try shop.run("pack", "rollback", "@anna/boards")
        #expect(back.errors.contains("went back to @anna/boards 1.0.0"))
        #expect(shop.lock == before)
        #expect(try shop.run("pack", "list").output.contains("1.1.0"), "the version before")
    }

    @Test func keysAreHeldToTheOneOfTheFirstInstallation() throws {
        let shop = try PackWorkshop()
        let (anna, eve) = (try shop.makeKey("anna"), try shop.makeKey("eve"))
        let one = try shop.makeArchive(key: anna, as: "one.tgz")
        #expect(try shop.run("pack", "sign", one, "--secret-key", "anna.key").status == 0)
        let first = try shop.run("pack", "install", "-y", one)
        #expect(first.status == 0, "\(first.errors)")
        #expect(shop.lock.contains(anna))
        let unsigned = try shop.makeArchive(version: "1.1.0", key: anna, as: "unsigned.tgz")
        let missing = try shop.run("pack", "install", "-y", unsigned)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("1.1.0 is not signed; 1.0.0 was signed with"), "\(missing.errors)")
        #expect(missing.errors.contains("--accept unsigned"))
        let other = try shop.makeArchive(version: "1.1.0", key: eve, as: "other.tgz")
        #expect(try shop.run("pack", "sign", other, "--secret-key", "eve.key").status == 0)
        let stolen = try shop.run("pack", "install", "-y", other)
        #expect(stolen.status == 1)
        #expect(stolen.errors.contains("--accept key"), "\(stolen.errors)")
        #expect(shop.lock.contains(anna))
        #expect(try shop.run("pack", "install", "-y", "--accept", "key", other).status == 0)
        #expect(shop.lock.contains(eve))
    }

    @Test func packThatNamesAKeyIsNotInstalledWithoutASignature() throws {
        let shop = try PackWorkshop()
        let anna = try shop.makeKey()
        let archive = try shop.makeArchive(key: anna)
        let refused = try shop.run("pack", "install", "-y", archive)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("is not signed, but its package.json names the key"), "\(refused.errors)")
        #expect(refused.errors.contains("--accept unsigned"))
        #expect(shop.lock.isEmpty)
        #expect(try shop.run("pack", "inspect", archive).output.contains("no (package.json has the key"))
        #expect(try shop.run("pack", "sign", archive, "--secret-key", "anna.key").status == 0)
        #expect(try shop.run("pack", "install", "-y", archive).status == 0)
        #expect(shop.lock.contains(anna))
    }

    @Test func signatureOfOtherBytesIsRefused() throws {
        let shop = try PackWorkshop()
        let anna = try shop.makeKey()
        let one = try shop.makeArchive(key: anna, as: "one.tgz")
        #expect(try shop.run("pack", "sign", one, "--secret-key", "anna.key").status == 0)
        let two = try shop.makeArchive(version: "1.0.1", key: anna, as: "two.tgz")
        try FileManager.default.copyItem(atPath: one + ".minisig", toPath: two + ".minisig")
        let run = try shop.run("pack", "install", "-y", two)
        #expect(run.status == 1)
        #expect(run.errors.contains("the signature does not match the archive"), "\(run.errors)")
        #expect(try shop.run("pack", "verify", two).status == 1)
        #expect(try shop.run("pack", "verify", one).status == 0)
    }

    @Test func lowerVersionAndOtherContentOfTheSameAreRefused() throws {
        let shop = try PackWorkshop()
        #expect(try shop.run("pack", "install", "-y", shop.makeArchive(version: "1.10.0")).status == 0)
        let lower = try shop.run("pack", "install", "-y", shop.makeArchive(version: "1.9.0"))
        #expect(lower.errors.contains("1.9.0 is lower than the installed 1.10.0"), "\(lower.errors)")
        let other = try shop.makePack(version: "1.10.0", in: "other")
        try shop.edit(other + "/README.md") { $0 + "Once more.\n" }
        try PackBuild.build(folder: other).write(to: shop.bench + "/other.tgz")
        let same = try shop.run("pack", "install", "-y", "other.tgz")
        #expect(same.status == 1)
        #expect(same.errors.contains("--accept content"), "\(same.errors)")
        #expect(try shop.run("pack", "install", "-y", "--accept", "downgrade", "anna-boards-1.9.0.tgz").status == 0)
        #expect(shop.lock.contains("1.9.0"))
    }

    @Test func newVersionThatFailsItsOwnRecordingsIsRefused() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.makePack(version: "1.1.0")
        try shop.edit(shop.bench + "/boards/providers/boards.js") {
            $0.replacing("res.json.photos", with: "res.json.pictures")
        }
        let run = try shop.run("pack", "update", "--yes")
        #expect(run.status == 1)
        #expect(run.errors.contains("--accept tests"), "\(run.errors)")
        #expect(shop.lock.contains("\"version\": \"1.0.0\""))
    }

    @Test func changedScriptsDoNotRun() throws {
        let shop = try PackWorkshop()
        let path = try shop.makePack()
        try "module.exports = 'x';".write(toFile: path + "/providers/word.js", atomically: true, encoding: .utf8)
        try shop.edit(path + "/providers/boards.js") { "const word = require('./word');\n" + $0 }
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        let search = ["search", "-p", "boards", "--sample", "fox"]
        func fails(because reason: String) throws {
            let run = try CommandRun(search, in: shop.bench, environment: ["HOME": shop.home])
            #expect(run.status != 0 && run.output.isEmpty)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(try shop.run("pack", "install", "--frozen", "--yes").status == 0)
            #expect(try CommandRun(search, in: shop.bench, environment: ["HOME": shop.home]).status == 0)
        }
        #expect(try CommandRun(search, in: shop.bench, environment: ["HOME": shop.home]).status == 0)
        try shop.edit(shop.installedProvider) { $0 + " " }
        try fails(because: "@anna/boards 1.0.0: providers/boards.js was changed after the installation")
        let word = shop.installedProvider.replacing("boards.js", with: "word.js")
        try shop.edit(word) { $0.replacing("'x'", with: "'y'") }
        try fails(because: "providers/word.js was changed after the installation; install the pack again")
    }

    @Test func lockfileChangedByHandIsRefused() throws {
        let shop = try PackWorkshop()
        try shop.makePack(hosts: ["evil.example"])
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.edit(shop.lockfile) { $0.replacing("\"evil.example\"", with: "\"good.example\"") }
        let run = try shop.run("search", "-p", "boards", "--sample", "fox")
        #expect(run.status != 0)
        #expect(run.errors.contains("packs.@anna/boards was damaged or changed by hand: its checksum does not match"))
        #expect(run.errors.contains("hint: put the former file back, or remove it and install the packs again"))
    }

    @Test func methodsThatChangeThingsNeedAGrantWhereTheyCarryAKey() throws {
        let server = try LoopbackServer { _ in .answer(headers: [("Content-Type", "application/json")], text: "{}") }
        let shop = try PackWorkshop()
        func make(_ version: String, methods: String) throws {
            try shop.makePack(version: version, hosts: ["http://127.0.0.1"])
            try shop.edit(shop.bench + "/boards/providers/boards.js") {
                $0.replacing("https://api.boards.example/search", with: "\(server.origin)/search").replacing(
                    "url: '\(server.origin)", with: "method: q.text, url: '\(server.origin)"
                ).replacing("paging: 'page',", with: "paging: 'page', \(methods) auth: { type: 'query', name: 'key' },")
            }
        }
        func search(_ method: String) throws -> CommandRun {
            try shop.run(
                "search", "-p", "boards", "--no-cache", "--allow-host", "127.0.0.1", method,
                environment: ["IMGSCRIPT_BOARDS_KEY": "s3cr3t"])
        }
        try make("1.0.0", methods: "")
        let install = try shop.run("pack", "install", "-y", "./boards")
        #expect(install.status == 0 && install.output.contains("POST"), "\(install.output)\(install.errors)")
        for method in ["GET", "POST", "PUT", "DELETE"] {
            let run = try search(method)
            let refusal = "sends \(method) with your key, which it does not declare (declared: GET, HEAD, POST)"
            #expect(run.errors.contains(refusal) == ["PUT", "DELETE"].contains(method), "\(run.errors)")
        }
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        // A version that asks for more is shown with it, and needs consent.
        try make("1.1.0", methods: "methods: ['PUT'],")
        let update = try shop.run("pack", "update", "--yes")
        #expect(update.status == 1 && update.errors.contains("asks for more permissions: with them PUT (boards)"))
        #expect(update.output.contains("PUT"))
        #expect(try shop.run("pack", "update", "--yes", "--accept", "permissions", "--accept", "tests").status == 0)
        #expect(try !search("PUT").errors.contains("not granted"))
        #expect(try search("POST").errors.contains("sends POST with your key"))
        #expect(server.requests.last?.method == "PUT")
    }

    @Test func storedKeyThatAPackWouldGetIsSaidBefore() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        try shop.edit(shop.bench + "/boards/providers/boards.js") {
            $0.replacing("paging: 'page',", with: "paging: 'page', auth: { type: 'query', name: 'key' },")
        }
        #expect(
            try CommandRun(
                ["auth", "set", "boards", "--providers-folder", shop.bench + "/boards/providers"], input: "s3cr3t\n",
                environment: ["HOME": shop.home]
            ).status == 0)
        let run = try shop.run("pack", "install", "--dry-run", "./boards")
        #expect(
            run.errors.contains("the stored key of boards would be sent to api.boards.example"))
        #expect(run.output.contains("a key in the URL, needed"))
        #expect(shop.lock.isEmpty, "a dry run changes nothing")
    }

    @Test(arguments: [true, false])
    func newProviderGetsNoKeyOfAnotherWithoutConsent(_ isInEnvironment: Bool) throws {
        let shop = try PackWorkshop()
        let id = isInEnvironment ? "pixabay" : "boards"
        #expect(try shop.run("pack", "init", "boards", "--name", "@anna/boards", "--provider", id).status == 0)
        try shop.edit(shop.bench + "/boards/providers/\(id).js") {
            $0.replacing("paging: 'page',", with: "paging: 'page', auth: { type: 'query', name: 'key' },")
        }
        let key = "IMGSCRIPT_PIXABAY_KEY"
        if !isInEnvironment {
            _ = try CommandRun(
                ["auth", "set", "boards", "--providers-folder", shop.bench + "/boards/providers"], input: "s3cr3t\n",
                environment: ["HOME": shop.home])
        }
        let refused = try shop.run("pack", "install", "--yes", "./boards", environment: [key: "s3cr3t"])
        #expect(refused.status == 1 && shop.lock.isEmpty, "\(refused.errors)")
        #expect(refused.errors.contains("error: refused: ") && refused.errors.contains("api.\(id).example"))
        #expect(refused.errors.contains("hint: --accept key allows it"), "\(refused.errors)")
        let accepted = try shop.run("pack", "install", "--yes", "--accept", "key", "./boards")
        #expect(accepted.status == 0 && shop.lock.contains(id), "\(accepted.errors)")
    }

    @Test func whatCannotBeVerifiedFails() throws {
        let shop = try PackWorkshop()
        #expect(try shop.run("pack", "install", "--yes", try shop.makeArchive()).status == 0)
        #expect(try shop.run("pack", "verify").status == 0)
        let store = "\(shop.home)/.local/share/imgscript/packs/store"
        for path in FolderListing.allFiles(under: store) where path.hasSuffix(".tgz") {
            try FileManager.default.removeItem(atPath: path)
        }
        let run = try shop.run("pack", "verify")
        #expect(run.status == 1 && run.output.contains("could not verify its files"), "\(run.output)\(run.errors)")
    }

    @Test func hostsTakenOutOfTheLockfileAreNoLongerAsked() throws {
        let server = try LoopbackServer { _ in .answer(text: "{}") }
        let shop = try PackWorkshop()
        try shop.makePack(hosts: ["http://127.0.0.1"])
        try shop.edit(shop.bench + "/boards/providers/boards.js") {
            $0.replacing("https://api.boards.example/search", with: "\(server.origin)/search")
        }
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        try shop.edit(shop.lockfile) { $0.replacing("\"http://127.0.0.1\"", with: "\"elsewhere.example\"") }
        let run = try shop.run("search", "-p", "boards", "--allow-host", "127.0.0.1", "fox")
        #expect(run.status != 0)
        #expect(server.requests.isEmpty)
    }

    @Test func frozenInstallationIsExactOrFails() throws {
        let shop = try PackWorkshop()
        let archive = try shop.makeArchive()
        #expect(try shop.run("pack", "install", "-y", archive).status == 0)
        let other = try PackWorkshop()
        try FileManager.default.createDirectory(
            atPath: other.home + "/.local/share/imgscript/packs", withIntermediateDirectories: true)
        try shop.lock.write(toFile: other.lockfile, atomically: true, encoding: .utf8)
        let missing = try other.run("search", "-p", "boards", "--sample", "fox")
        #expect(missing.errors.contains("pack install --frozen"))
        let done = try other.run("pack", "install", "--frozen", "--yes")
        #expect(done.status == 0, "\(done.errors)")
        #expect(other.lock == shop.lock)
        #expect(other.versions == shop.versions)
        #expect(try other.run("search", "-p", "boards", "--sample", "fox").status == 0)
        #expect(try other.run("pack", "remove", "@anna/boards").status == 0)
        try shop.lock.write(toFile: other.lockfile, atomically: true, encoding: .utf8)
        let changed = try shop.makePack(in: "changed")
        try shop.edit(changed + "/README.md") { $0 + "." }
        try PackBuild.build(folder: changed).write(to: archive)
        let refused = try other.run("pack", "install", "--frozen", "--yes")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("has changed"), "\(refused.errors)")
        #expect(other.versions.isEmpty)
    }

    /// What stands in a lockfile is shared with the project; who updates has to say the key again.
    @Test func keyInAnAddressIsKeptNowhere() throws {
        let shop = try PackWorkshop()
        let archive = FolderListing.bytes(of: try shop.makeArchive())
        let server = try LoopbackServer { request in
            request.target == "/boards.tgz?v=1&token=sesame" ? .answer(body: archive) : .answer(404)
        }
        let address = "\(server.origin)/boards.tgz?v=1&token=sesame"
        let host = "127.0.0.1:\(server.port)"
        let run = try shop.run("pack", "install", "-y", "-vv", address, "--allow-host", host)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("its URL has a key (token), which is not stored"))
        #expect(shop.lock.contains("\"source\": \"\(server.origin)/boards.tgz?v=1&token=***\""))
        let asked = server.requests.count
        let update = try shop.run("pack", "update", "-y")
        #expect(update.status == 1)
        #expect(
            update.errors.contains(
                "pass the whole URL, with its key; imgscript pack install '\(server.origin)/boards.tgz?v=1"
            ))
        #expect(server.requests.count == asked)
        let outdated = try shop.run("pack", "outdated")
        let inspected = try shop.run("pack", "inspect", "--allow-host", host, address)
        let listed = try shop.run("pack", "list")
        let offline = try shop.run("pack", "inspect", "--offline", address)
        let refused = try shop.run(
            "pack", "inspect", "--allow-host", host, address.replacing("boards.tgz", with: "none.tgz"))
        for run in [run, update, outdated, inspected, listed, offline, refused] {
            #expect(!(run.output + run.errors).contains("sesame"), "\(run.output)\(run.errors)")
        }
        let secret = Array("sesame".utf8)
        for file in FolderListing.allFiles(under: shop.home) {
            #expect(FolderListing.bytes(of: file).firstRange(of: secret) == nil, "\(file)")
        }
        let again = try shop.run("pack", "install", "-y", address, "--allow-host", host)
        #expect(again.errors.contains("is already installed"), "\(again.errors)")
    }
}
