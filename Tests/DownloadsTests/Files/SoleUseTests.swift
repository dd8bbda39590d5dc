import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct SoleUseTests {
    private let folder = TemporaryFolder()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/.imgscript", withIntermediateDirectories: true)
    }

    /// A run's use of the folder, as if it were of another process.
    private func arrived() throws -> SoleUse { SoleUse(of: try DownloadFolder(path: folder.path).root) }

    private func key(_ number: Int) -> MediaKey { MediaKey(stored: "a:\(number):original") }

    @Test func fileThatWasBegunBeforeMayBeThere() throws {
        let run = try arrived()
        #expect([1, 2, 1].map { run.isFirst(key($0)) } == [true, true, false])
    }

    @Test func whereSomebodyIsAtWorkOrHasBeenAnyFileMayBeThere() throws {
        let first = try arrived()
        var second: SoleUse? = try arrived()
        #expect(second?.isFirst(key(1)) == false)
        #expect(first.isFirst(key(1)) == false)
        second = nil
        #expect(first.isFirst(key(2)) == false)
    }

    @Test func whoComesWhenTheOthersHaveGoneIsAlone() throws {
        for number in 0..<3 {
            let run = try arrived()
            #expect(run.isFirst(key(number)))
        }
    }

    @Test func whoHasNoFolderOfItsOwnIsSeenAllTheSame() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/.imgscript")
        let first = try arrived()
        #expect(!first.isFirst(key(1)))
        try FileManager.default.createDirectory(atPath: folder.path + "/.imgscript", withIntermediateDirectories: true)
        #expect(try !arrived().isFirst(key(1)))
        _ = first
    }

    @Test func whatCameWhileTheFolderWasOpenedMayBeThere() throws {
        let folder = try DownloadFolder(path: folder.path)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/1.jpg"))
        #expect(!SoleUse(of: folder.root).isFirst(key(1)))
    }

    @Test func storeOfOneRunFindsWhatAnotherHasPutThere() throws {
        let planned = try PlannedDownload.file(number: 1)
        let store = FolderStore(try DownloadFolder(path: folder.path))
        let other = FolderStore(try DownloadFolder(path: folder.path))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/1.jpg"))
        #expect(try store.arrived(planned, underAnyEnding: false) == "1.jpg")
        #expect(try other.arrived(planned, underAnyEnding: false) == "1.jpg")
    }
}
