import Foundation
import TestSupport
import Testing

@testable import Packs

struct PackArchiveTests {
    @Test func whatWasBuiltComesBack() throws {
        let pack = try MadePack(["lib/ünï.txt": "a", "empty.txt": "", "cassettes/dogs/search.json": "{}"])
        let build = try PackBuild.build(folder: pack.path)
        let folder = TemporaryFolder()
        let unpacked = try PackArchive(build.archive).unpack(
            into: "\(folder.path)/dogs",
            expecting: PackExpectation(
                name: build.manifest.name, version: build.manifest.version, integrity: build.integrity))
        #expect(unpacked.manifest == build.manifest)
        #expect(unpacked.files == build.files.sorted { $0.path < $1.path })
        for file in build.files {
            #expect(
                try Data(contentsOf: URL(filePath: "\(unpacked.folder)/\(file.path)"))
                    == Data(contentsOf: URL(filePath: "\(pack.path)/\(file.path)")))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["dogs"])
    }

    @Test func aFileThatIsExecutableOrWritableForAllIsNeither() throws {
        let folder = TemporaryFolder()
        _ = try PackArchive(MadeTar.pack().archive).unpack(into: "\(folder.path)/dogs")
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/dogs/dogs.js")[.posixPermissions]
        #expect((mode as? Int ?? 0) & 0o133 == 0)
    }

    @Test func aFolderThatIsThereStaysAsItIs() throws {
        let folder = TemporaryFolder()
        try "mine".write(toFile: "\(folder.path)/keep", atomically: true, encoding: .utf8)
        #expect { try PackArchive(MadeTar.pack().archive).unpack(into: folder.path) } throws: {
            ($0 as? PackError)?.code == .file
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keep"])
    }

    @Test func aLinkToTheFolderOfPacksIsFollowed() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "real")
        _ = try PackArchive(MadeTar.pack().archive).unpack(into: "\(folder.path)/link/dogs")
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/real/dogs/package.json"))
    }

    @Test func otherOutermostFoldersAndFolderEntriesAreTaken() throws {
        var tar = MadeTar()
        tar.add("pax_global_header", "52 comment=0123456789012345678901234567890123456789\n", type: "g")
        tar.add("dogs-0123abc/", type: "5")
        tar.add("dogs-0123abc/package.json", MadePack.manifest)
        tar.add("dogs-0123abc/lib/", type: "5")
        tar.add("dogs-0123abc/dogs.js", MadePack.provider)
        let folder = TemporaryFolder()
        let pack = try PackArchive(tar.archive).unpack(into: "\(folder.path)/dogs")
        #expect(pack.files.map(\.path) == ["dogs.js", "package.json"])
    }

    @Test func readingAnArchiveChecksAllAndWritesNothing() throws {
        #expect(try PackArchive(MadeTar.pack().archive).read().name.description == "@example/dogs")
    }
}

struct PackIntegrityTests {
    @Test func isWhatNpmWrites() {
        let text =
            "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
        #expect(PackIntegrity(of: Data("abc".utf8)).description == text)
        #expect(PackIntegrity("sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0= \(text)?x") == PackIntegrity(of: Data("abc".utf8)))
    }

    @Test(arguments: ["", "sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "sha512-AAAA", "sha512-!", "md5-x"])
    func isNone(text: String) { #expect(PackIntegrity(text) == nil) }
}
