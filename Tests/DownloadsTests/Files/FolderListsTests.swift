import Foundation
import TestSupport
import Testing

@testable import Downloads

@Suite struct FolderListsTests {
    private let folder = TemporaryFolder()

    private func put(_ path: String) throws {
        let place = URL(fileURLWithPath: folder.path + "/" + path)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: place)
    }

    @Test func filesAreThereAndNothingElse() throws {
        for path in ["1.jpg", "a/1.jpg", "a/ü.jpg", "a/b/2.jpg", "folder.jpg/x"] { try put(path) }
        let link = folder.path + "/link.jpg"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "1.jpg")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/l", withDestinationPath: "a")
        var lists = FolderLists(below: try DownloadFolder(path: folder.path).root)
        let there = ["1.jpg", "a/1.jpg", "a/b/2.jpg"]
        // Of what lies behind a link, and of names that can be written in two ways, a look at the file tells.
        let others = ["2.jpg", "b/1.jpg", "folder.jpg", "link.jpg", "l/1.jpg", "a/ü.jpg", ""]
        #expect((there + others).filter { lists.have($0) } == there)
    }

    @Test func largeFoldersAreNotReadToTheirEnd() throws {
        let names = (0..<50).map { "\($0).jpg" }
        for name in names { try put(name) }
        try put("a/1.jpg")
        var lists = FolderLists(below: try DownloadFolder(path: folder.path).root, limit: 20)
        #expect(names.filter { lists.have($0) }.count == 20)
        let hasRoom = lists.have("a/1.jpg")
        #expect(!hasRoom)
    }
}
