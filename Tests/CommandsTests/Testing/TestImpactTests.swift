import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("A change runs again what it touches")
struct TestImpactTests {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ text: String = "") throws {
        try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }

    private func impact() throws -> TestImpact {
        try write("a.js", "const theme = require('./sites/theme');")
        try FileManager.default.createDirectory(atPath: folder.path + "/sites", withIntermediateDirectories: true)
        try write("sites/theme.js", "module.exports = require(\"../common.js\")")
        try write("common.js")
        try write("a.test.js")
        try write("b.js", "require('./common'); require('imgscript'); require('../outside')")
        return TestImpact(paths: [folder.path])
    }

    @Test(arguments: [
        (["a.js"], ["a.js"]), (["a.test.js"], ["a.test.js"]), (["a.test.js", "a.js"], ["a.js"]),
        (["sites/theme.js"], ["a.js"]), (["common.js"], ["a.js", "b.js", "common.js"]),
        (["cassettes/b/search.json"], ["b.js"]), (["cassettes/a"], ["a.js"]),
        ([".a.js.swp", "__snapshots__/a.test.js.snap", "notes.md"], []),
    ])
    func pathsAreThoseOfTheFilesTouched(_ changes: [String], _ expected: [String]) throws {
        let paths = try impact().paths(touchedBy: Set(changes.map { "\(folder.path)/\($0)" }))
        #expect(paths == expected.map { "\(folder.path)/\($0)" })
    }

    @Test func editorsOwnFilesAreNoCauses() throws {
        let changes = Set([".a.js.swp", "a.js", "4913", "a.test.js"].map { "\(folder.path)/\($0)" })
        #expect(try impact().causes(among: changes) == ["\(folder.path)/a.js", "\(folder.path)/a.test.js"])
    }

    @Test func foldersOfWhatIsRequiredAreWatched() throws {
        let folders = try impact().folders
        #expect(folders.contains("\(folder.path)/sites") && folders.contains("\(folder.path)/cassettes/a"))
    }

    @Test func aTestFileThatWasNamedRunsAloneWhateverChanges() throws {
        _ = try impact()
        let impact = TestImpact(paths: ["\(folder.path)/a.test.js"])
        #expect(impact.paths(touchedBy: ["\(folder.path)/a.js"]) == ["\(folder.path)/a.test.js"])
    }
}
