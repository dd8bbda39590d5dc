import Foundation
import TestSupport
import Testing

@testable import Packs

struct PackBuildTests {
    private func paths(_ pack: MadePack) throws -> [String] { try PackBuild.build(folder: pack.path).files.map(\.path) }

    @Test func sameFilesGiveTheSameBytes() throws {
        let files = ["lib/a.js": "a", "z.js": "z", "b/c/d.txt": "d"]
        let pack = try MadePack(files)
        let first = try PackBuild.build(folder: pack.path)
        let other = try MadePack()
        for name in files.keys.sorted().reversed() { try other.write(name, files[name] ?? "") }
        for name in ["lib/a.js", "dogs.js"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755, .modificationDate: Date(timeIntervalSince1970: 7)],
                ofItemAtPath: "\(other.path)/\(name)")
        }
        #expect(try PackBuild.build(folder: other.path).archive == first.archive)
        #expect(first.files.first?.path == "package.json")
    }

    @Test func bytesAreThoseOfEveryOtherMachine() throws {
        let pack = try MadePack()
        let build = try PackBuild.build(folder: pack.path)
        #expect(build.fileName == "example-dogs-1.2.3.tgz")
        // Builds of zlib may compress in other ways; what is compressed never changes.
        let tar = try Gzip.decompress(build.archive, limit: 1 << 20)
        #expect(
            PackIntegrity(of: tar).description
                == "sha512-OYRVDiZMuo/Xk6ABX7fHRiO0M183hSShKOXQTlGAtKd2ULYny3Mi5duMmUSpZxkPTnIpXCOo7hLEpNeg1oBXyA=="
        )
    }

    @Test func secretsAndWhatToolsLeaveBehindStayOut() throws {
        let pack = try MadePack([
            ".env": "x", ".npmrc": "x", ".git/config": "x", "node_modules/a/index.js": "x", "package-lock.json": "x",
            "minisign.key": "x", "sub/tls.pem": "x", "example-dogs-1.2.2.tgz": "x", "dogs.js~": "x",
            "dogs.js.orig": "x",
            "kept/package-lock.json": "x", ".github/x": "y",
        ])
        try FileManager.default.createSymbolicLink(atPath: "\(pack.path)/link", withDestinationPath: "/etc/passwd")
        #expect(
            try paths(pack) == ["package.json", "LICENSE", "README.md", "dogs.js", "kept/package-lock.json"])
        #expect(
            try PackBuild.build(folder: pack.path).leftOut == [".env", ".npmrc", "link", "minisign.key", "sub/tls.pem"])
    }

    @Test func whatTheManifestDoesNotListIsSaid() throws {
        let manifest = MadePack.manifest.replacing(
            "\"license\":", with: "\"files\": [\"*.js\", \"CHANGELOG.md\"], \"license\":")
        let pack = try MadePack(["notes.txt": "x", "sub/more.txt": "x", "CHANGELOG.md": "x"], manifest: manifest)
        #expect(try PackBuild.build(folder: pack.path).leftOut == ["notes.txt", "sub/more.txt"])
    }

    @Test func aProviderThatIsNotPackedIsAnError() throws {
        let pack = try MadePack([".npmignore": "*.js\n"])
        #expect { try PackBuild.build(folder: pack.path) } throws: {
            ($0 as? PackError)?.message == "package.json lists dogs.js, which is not packed"
        }
        try FileManager.default.removeItem(atPath: "\(pack.path)/dogs.js")
        #expect { try PackBuild.build(folder: pack.path) } throws: {
            ($0 as? PackError)?.message == "package.json lists dogs.js, which is missing"
        }
    }

    @Test func namesThatCannotLieSideBySideEverywhereAreAnError() throws {
        let pack = try MadePack(["lib/a.js": "x", "Lib/b.js": "x"])
        #expect { try PackBuild.build(folder: pack.path) } throws: { ($0 as? PackError)?.code == .files }
    }

    @Test func longAndForeignNamesComeBack() throws {
        let long = String(repeating: "folder/", count: 20) + "name.txt"
        let longer = String(repeating: "x", count: 120) + "/" + String(repeating: "y", count: 160)
        let pack = try MadePack([long: "1", longer: "2", "日本/語.txt": "3"])
        let build = try PackBuild.build(folder: pack.path)
        let folder = TemporaryFolder()
        let unpacked = try PackArchive(build.archive).unpack(into: "\(folder.path)/new")
        #expect(Set(unpacked.files.map(\.path)).isSuperset(of: [long, longer, "日本/語.txt"]))
    }
}
