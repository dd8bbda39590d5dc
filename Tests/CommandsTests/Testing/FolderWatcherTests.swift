import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Changes to files are reported", .timeLimit(.minutes(1)))
struct FolderWatcherTests {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ text: String = "x") throws {
        try text.write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
    }

    private func watcher() throws -> FolderWatcher {
        let watcher = try FolderWatcher()
        try watcher.watch([folder.path, folder.path + "/none"])
        return watcher
    }

    @Test func aFileWrittenInPlaceIsOneChange() async throws {
        try write("a.js")
        let watcher = try watcher()
        try write("a.js", "other")
        #expect(await watcher.nextChange() == ["\(folder.path)/a.js"])
    }

    @Test func aFilePutOverAnotherIsAChangeOfThatOne() async throws {
        try write("a.js")
        let watcher = try watcher()
        try write("a.js.tmp")
        #expect(rename("\(folder.path)/a.js.tmp", "\(folder.path)/a.js") == 0)
        #expect(await watcher.nextChange().contains("\(folder.path)/a.js"))
    }

    @Test func filesThatComeAndGoAreReported() async throws {
        let watcher = try watcher()
        try write("new.js")
        #expect(await watcher.nextChange() == ["\(folder.path)/new.js"])
        try FileManager.default.removeItem(atPath: "\(folder.path)/new.js")
        #expect(await watcher.nextChange() == ["\(folder.path)/new.js"])
    }

    @Test func aFolderThatComesIsReportedAndThenWatched() async throws {
        let watcher = try watcher()
        try FileManager.default.createDirectory(atPath: folder.path + "/cassettes", withIntermediateDirectories: false)
        #expect(await watcher.nextChange() == ["\(folder.path)/cassettes"])
        try watcher.watch([folder.path + "/cassettes"])
        try write("cassettes/a.json")
        #expect(await watcher.nextChange() == ["\(folder.path)/cassettes/a.json"])
    }

    @Test func stepsInQuickSuccessionAreOneChange() async throws {
        let watcher = try watcher()
        for name in ["a.js", "b.js", "c.js"] { try write(name) }
        #expect(await watcher.nextChange() == Set(["a.js", "b.js", "c.js"].map { "\(folder.path)/\($0)" }))
        #expect(watcher.takeChanges().isEmpty)
    }
}
