import Foundation
import TestSupport
import Testing

@testable import Downloads

@Suite struct RunLockTests {
    private let folder = TemporaryFolder()

    private func lock() throws -> RunLock { try RunLock(DownloadFolder(path: folder.path)) }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let url = URL(filePath: "\(folder.path)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    private var names: [String] {
        FolderListing.allFiles(under: folder.path).map { String($0.dropFirst(folder.path.count + 1)) }
            .filter { $0 != ".imgscript/runs.lock" }.sorted()
    }

    private static let left = [
        "fox.1a2b3c4d.part": "", "example/owl.1a2b3c4d.part": "", "fox.1a2b3c4d.part~": "whole", "00000.tar.part": "",
        ".imgscript/bundles/0123456789abcdef.part": "half", "example/fox.jpg.json~.part": "half",
        "credits.md~.part": "half",
    ]
    private static let kept = [
        "lynx.1a2b3c4d.part": "half", "00001.tar.part": "half", "mine.part": "", "fox.jpg": "", "notes.part~": "mine",
    ]

    @Test func nextRunRemovesWhatAKilledOneLeft() throws {
        try write(Self.left.merging(Self.kept) { $1 })
        _ = try lock()
        _ = try lock()
        #expect(names == Self.kept.keys.sorted())
    }

    @Test func fileOfAProcessThatIsStillEndingIsRemovedByTheNextLook() throws {
        try write(["fox.1a2b3c4d.part": ""])
        _ = try lock()
        let part = open("\(folder.path)/fox.1a2b3c4d.part", O_RDWR)
        #expect(flock(part, LOCK_EX) == 0)
        let run = try lock()
        #expect(names == ["fox.1a2b3c4d.part"])
        close(part)
        run.end()
        #expect(names == [])
    }

    @Test func unfinishedFileThatIsThereFinishedIsRemoved() throws {
        let keys = ["a:1:original", "a:2:original"].map { MediaKey(stored: $0) }
        let parts = keys.map { "fox.\($0.digits(8)).part" }
        try write(["fox.jpg": "whole", parts[0]: "half", parts[1]: "half"])
        let file = open("\(folder.path)/fox.jpg", O_RDONLY)
        FileMark.set([FileMark(key: keys[0])], of: file)
        let canBeMarked = !FileMark.all(of: file).isEmpty
        close(file)
        _ = try lock()
        _ = try lock()
        #expect(names == (canBeMarked ? ["fox.jpg", parts[1]] : ["fox.jpg"] + parts).sorted())
    }

    @Test func runThatEndedInOrderLeavesNothingToLookFor() throws {
        try lock().end()
        try write(Self.left)
        try lock().end()
        #expect(names == Self.left.keys.sorted())
    }

    @Test func nothingIsRemovedWhileAnotherRunIsAtWork() throws {
        let running = try lock()
        try write(Self.left)
        _ = try lock()
        #expect(names == Self.left.keys.sorted())
        running.end()
        #expect(names == [])
    }
}
