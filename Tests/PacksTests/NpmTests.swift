import Foundation
import TestSupport
import Testing

@testable import Packs

@Suite(
    "npm and imgscript take each other's packs",
    .enabled(if: HelperProcess.path(of: "npm") != nil, "npm is not installed"))
struct NpmTests {
    private func npm(_ arguments: String..., in folder: String) throws -> ToolRun {
        try ToolRun(
            try #require(HelperProcess.path(of: "npm")),
            arguments + ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"], in: folder)
    }

    private let files = [
        "lib/part.js": "1", "cassettes/dogs/search.json": "{}", "docs/a.md": "a",
        "docs/.npmignore": "*.tmp\n!keep.tmp\n",
        "docs/x.tmp": "x", "docs/keep.tmp": "k", "notes.txt": "n", "CVS/Entries": "x", "lib/deep/er.js": "2",
        "copying.txt": "c", "readme": "r", "dogs.test.js": "t", "lib/ü.js": "u",
    ]

    @Test func whatNpmPacksWeUnpack() throws {
        let long = String(repeating: "folder/", count: 20) + "name.txt"
        let pack = try MadePack(files.merging([long: "l"], uniquingKeysWith: { $1 }))
        let run = try npm("pack", in: pack.path)
        #expect(run.status == 0, "\(run.errors)")
        let archive = try PackArchive(fileAt: "\(pack.path)/example-dogs-1.2.3.tgz")
        let folder = TemporaryFolder()
        let unpacked = try archive.unpack(into: "\(folder.path)/dogs")
        #expect(unpacked.manifest.name.description == "@example/dogs")
        #expect(unpacked.files.contains { $0.path == long })
        #expect(try String(contentsOfFile: "\(unpacked.folder)/lib/ü.js", encoding: .utf8) == "u")
        #expect(try String(contentsOfFile: "\(unpacked.folder)/dogs.js", encoding: .utf8) == MadePack.provider)
    }

    @Test func whatWeBuildNpmInstalls() throws {
        let pack = try MadePack(files)
        let build = try PackBuild.build(folder: pack.path)
        let project = TemporaryFolder()
        try build.write(to: "\(project.path)/\(build.fileName)")
        try #"{ "name": "project", "version": "1.0.0" }"#.write(
            toFile: "\(project.path)/package.json", atomically: true, encoding: .utf8)
        let run = try npm("install", "./\(build.fileName)", in: project.path)
        #expect(run.status == 0, "\(run.errors)")
        let installed = "\(project.path)/node_modules/@example/dogs"
        for file in build.files {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: "\(installed)/\(file.path)", andPath: "\(pack.path)/\(file.path)"))
        }
        let lock = try String(contentsOfFile: "\(project.path)/package-lock.json", encoding: .utf8)
        #expect(lock.contains(build.integrity.description))
    }

    @Test(arguments: [
        nil, "[\"lib\"]", "[\"dogs.js\", \"lib/*.js\"]", "[\"*.js\", \"!dogs.test.js\"]", "[\"docs/\", \"dogs.js\"]",
        "[\"**/*.{js,json}\"]",
    ])
    func theSameFilesGoIn(chosen: String?) throws {
        let manifest = MadePack.manifest.replacing(
            "\"license\"", with: (chosen.map { "\"files\": \($0), " } ?? "") + "\"license\"")
        let pack = try MadePack(files, manifest: manifest)
        try comparePacking(pack)
    }

    @Test(arguments: [
        "*.txt\n/lib\n", "lib/**\n!lib/part.js\n", "# remark\n\n*.js\n!dogs.js\n", "docs/\n", "**/er.js\n",
    ])
    func theSameFilesStayOut(ignored: String) throws {
        try comparePacking(try MadePack(files.merging([".npmignore": ignored], uniquingKeysWith: { $1 })))
    }

    private func comparePacking(_ pack: MadePack) throws {
        let run = try npm("pack", "--dry-run", "--json", in: pack.path)
        struct Packed: Decodable {
            struct File: Decodable { let path: String }
            let files: [File]
        }
        let expected = try JSONDecoder().decode([Packed].self, from: Data(run.output.utf8))[0].files.map(\.path)
        let manifest = try PackManifest.read(folder: pack.path)
        let found = try PackFileList(folder: pack.path, files: manifest.files).paths.map(\.description)
        #expect(found.sorted() == expected.sorted())
    }
}
