import Glibc
import ProviderModel
import TestSupport
import Testing

@testable import ProviderTesting

@Suite("Snapshots are kept in a file that reads well")
struct SnapshotFileTests {
    @Test func whatIsWrittenIsReadAgain() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/__snapshots__/made.test.js.snap"
        var file = SnapshotFile()
        file.keep(.object([JSONValue.Member("id", .text("1"))]), as: "b 1")
        file.keep(.number("5"), as: "a 1")
        try file.write(to: path)
        #expect(try SnapshotFile(contentsOf: path) == file)
        #expect(
            file.text
                == "{\n  \"snapshots\": 1,\n  \"entries\": {\n    \"b 1\": {\n      \"id\": \"1\"\n    },\n    \"a 1\": 5\n  }\n}\n"
        )
    }

    @Test func keptAgainItStaysWhereItWas() {
        var file = SnapshotFile()
        for (name, value) in [("a", "1"), ("b", "2"), ("a", "3")] { file.keep(.number(value), as: name) }
        #expect(file.values.map { "\($0.name)=\($0.value)" } == ["a=3", "b=2"])
    }

    @Test func fileWithNothingLeftGoesAway() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/x.snap"
        var file = SnapshotFile()
        file.keep(.null, as: "a 1")
        try file.write(to: path)
        file.drop(["a 1"])
        try file.write(to: path)
        #expect(try SnapshotFile(contentsOf: path) == SnapshotFile())
        #expect(FolderListing.names(in: folder.path) == [])
    }

    @Test func linkAtItsPlaceIsRefusedAndNotFollowed() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/x.snap"
        try #require(symlink("\(folder.path)/target", path) == 0)
        var file = SnapshotFile()
        file.keep(.null, as: "a 1")
        let error = #expect(throws: ProviderError.self) { try file.write(to: path) }
        #expect(error?.message.hasPrefix("\(path) is a symbolic link, which is not followed") == true)
        #expect(FolderListing.names(in: folder.path) == ["x.snap"])
    }

    @Test(arguments: ["[]", "{", "{\"snapshots\": 2, \"entries\": {}}", "{\"snapshots\": 1, \"entries\": []}"])
    func otherFileIsRefused(_ text: String) {
        #expect(throws: InvalidJSON.self) { try SnapshotFile(parsing: text.utf8) }
    }

    @Test func onlyWhatNoTestCanWantIsObsolete() {
        var file = SnapshotFile()
        for name in ["seen 1", "gone 1", "skipped 1", "skipped: hint 2", "skipped more 1"] {
            file.keep(.null, as: name)
        }
        #expect(file.obsolete(seen: ["seen 1"], unfinished: ["skipped"]) == ["gone 1"])
        #expect(file.obsolete(seen: [], unfinished: []).count == 5)
    }
}
