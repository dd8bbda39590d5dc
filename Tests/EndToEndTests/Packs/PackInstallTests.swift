import Foundation
import TestSupport
import Testing

/// A pack from the first line to the last.
struct PackInstallTests {
    @Test func newPackIsBuiltAtOnceTheSameBytesEachTime() throws {
        let shop = try PackWorkshop()
        #expect(try shop.run("pack", "init", "boards", "--name", "@anna/boards").status == 0)
        let first = try shop.run("pack", "build", "boards", "--output", "one.tgz")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try shop.run("pack", "build", "boards", "--output", "two.tgz").status == 0)
        #expect(FolderListing.bytes(of: shop.bench + "/one.tgz") == FolderListing.bytes(of: shop.bench + "/two.tgz"))
        #expect(first.output.contains("\nsha512-"))
        let tests = try shop.run("pack", "run-tests", "boards")
        #expect(tests.status == 0, "\(tests.output)")
        #expect(tests.output.contains("a photograph has its author and its licence"))
        for pack in ["boards", "one.tgz"] {
            let tests = try shop.run("test", pack)
            #expect(tests.status == 0 && tests.output.contains("a photograph has its author"), "\(tests.output)")
        }
    }

    @Test func packThatDoesNotPassIsNotBuilt() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        try shop.edit("\(shop.bench)/boards/providers/boards.js") {
            $0.replacing("'images.boards.example'", with: "'x.example'")
        }
        let run = try shop.run("pack", "build", "boards")
        #expect(run.status == 1)
        #expect(run.errors.contains("of its providers failed"), "\(run.errors)")
        #expect(FolderListing.names(in: shop.bench) == ["boards"])
    }

    @Test(arguments: [
        ("{ type: 'query', name: 'key' }", "a key in the URL", "GET"),
        ("{ type: 'cookies', needs: ['sid'] }", "the cookies of your login in a browser", "GET"),
        (
            "{ type: 'oauth2', token: 'https://api.boards.example/t', authorize: 'https://api.boards.example/a' }",
            "your login on a page of the source", "GET"
        ),
        (
            "{ type: 'hmac', sign: '{request.method}', query: { key: '{key}', sum: '{signature}' } }, methods: ['DELETE']",
            "a key that signs requests", "DELETE"
        ),
        (
            """
            { type: 'session', body: { user: '{user}', password: '{password}' } },
              session: { request: () => ({ url: 'https://api.boards.example/in' }), parse: () => ({ values: {} }) }
            """, "your name and password, to log in", "GET"
        ),
    ])
    func installationSaysHowSecretsAreSent(auth: String, words: String, method: String) throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        try shop.edit("\(shop.bench)/boards/providers/boards.js") {
            $0.replacing("  mediaHosts:", with: "  auth: \(auth),\n  mediaHosts:", maxReplacements: 1)
        }
        let asked = try shop.run("pack", "install", "./boards")
        #expect(asked.output.contains("\(words), needed"), "\(asked.output)\(asked.errors)")
        #expect(asked.output.split(separator: "\n").contains { $0.hasSuffix(" \(method)") }, "\(asked.output)")
        #expect(shop.lock.isEmpty)
    }

    @Test func installationShowsWhatIsAskedForAndNeedsAYes() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        let asked = try shop.run("pack", "install", "./boards")
        #expect(asked.status == 1)
        for shown in ["@anna/boards 1.0.0", "api.boards.example", "images.boards.example", "MIT"] {
            #expect(asked.output.contains(shown))
        }
        #expect(asked.errors.contains("not interactive"))
        #expect(asked.errors.contains("--yes"))
        #expect(shop.lock.isEmpty)
        #expect(try shop.run("pack", "install", "./boards", "--yes").status == 0)
        #expect(shop.lock.contains("\"hosts\": [\n              \"api.boards.example\"\n            ]"), "\(shop.lock)")
        let search = try shop.run("search", "-p", "boards", "--sample", "-f", "{title}", "fox")
        #expect(search.output == "Fox 1\nFox 2\nFox 3\n", "\(search.errors)")
        #expect(try shop.run("providers").output.contains("@anna/boards 1.0.0"))
        #expect(try shop.run("pack", "run-tests", "@anna/boards").status == 0)
        #expect(try shop.run("test", "@anna/boards").status == 0)
        let again = try shop.run("pack", "install", "./boards")
        #expect(again.status == 0)
        #expect(again.errors.contains("already installed"))
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")), arguments: [("y", 0), ("", 1)])
    func terminalIsAsked(answer: String, status: Int) throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        let program = BuiltExecutable.path(of: "imgscript")
        let command =
            "printf '\(answer)\\n' | script -qec \"\(program) pack install ./boards\" /dev/null; exit ${PIPESTATUS[1]}"
        let said = try shop.run(program: "/bin/bash", ["-c", command])
        #expect((said != nil) == (status == 0))
        #expect(shop.lock.isEmpty == (status == 1))
    }

    @Test func removedPackIsGoneWithItsFiles() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        #expect(try shop.run("pack", "install", "./boards", "--yes").status == 0)
        #expect(shop.versions.count == 1)
        #expect(try shop.run("pack", "remove", "@anna/boards").status == 0)
        #expect(shop.versions.isEmpty)
        #expect(try shop.run("search", "-p", "boards", "fox").status == 64)
        let again = try shop.run("pack", "remove", "@anna/boards")
        #expect(again.status == 4)
        #expect(again.errors.contains("no pack \"@anna/boards\""))
    }

    @Test func twoPacksWithAProviderOfOneNameAreNotUsedTogether() throws {
        let shop = try PackWorkshop()
        #expect(try shop.run("pack", "install", "-y", shop.makeArchive()).status == 0)
        let run = try shop.run("pack", "install", "-y", shop.makeArchive("@berta/boards"))
        #expect(run.status == 1)
        #expect(
            run.errors.contains("@berta/boards has the provider \"boards\", as does the installed @anna/boards"),
            "\(run.errors)")
        #expect(!shop.lock.contains("berta"))
    }

    @Test func providerMayRequireFilesOfItsPackAndNoOthers() throws {
        let shop = try PackWorkshop()
        let path = try shop.makePack()
        try FileManager.default.createDirectory(atPath: path + "/providers/shared", withIntermediateDirectories: true)
        try "exports.name = 'Boards';".write(
            toFile: path + "/providers/shared/names.js", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: path + "/parts", withIntermediateDirectories: true)
        try "module.exports = require('../providers/shared/names').name;".write(
            toFile: path + "/parts/name.js", atomically: true, encoding: .utf8)
        try shop.edit(path + "/package.json") { $0.replacing("\"files\": [", with: "\"files\": [\"parts\", ") }
        try shop.edit(path + "/providers/boards.js") {
            $0.replacing("name: 'boards'", with: "name: require('../parts/name')")
        }
        let run = try shop.run("pack", "install", "-y", "./boards")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try shop.run("providers", "info", "boards").output.contains("Boards (boards"))
        try shop.edit(path + "/parts/name.js") { _ in "module.exports = require('../../secret').name;" }
        let outside = try shop.run("pack", "inspect", "./boards")
        #expect(outside.status == 1)
        #expect(outside.errors.contains("leads out of"), "\(outside.errors)")
    }

    @Test func projectHasALockfileOfItsOwn() throws {
        let shop = try PackWorkshop()
        try shop.makePack()
        try FileManager.default.createDirectory(atPath: shop.bench + "/providers", withIntermediateDirectories: true)
        #expect(try shop.run("pack", "install", "-y", "./boards").status == 0)
        #expect(shop.lock.isEmpty)
        #expect(FolderListing.names(in: shop.bench).contains("imgscript.lock"))
        #expect(try shop.run("search", "-p", "boards", "--sample", "-f", "{id}", "fox").output == "1\n2\n3\n")
        #expect(try shop.run("pack", "install", "-y", "--user", "./boards").status == 0)
        #expect(!shop.lock.isEmpty)
    }
}
