import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct FileClaimTests {
    private let folder = TemporaryFolder()

    /// The folder as another process has it.
    private func opened() throws -> OpenFolder { try DownloadFolder(path: folder.path).root }

    @Test func fileThatAnotherHasIsBusyUntilItIsGivenUp() throws {
        let (first, second) = (try opened(), try opened())
        var claim = try FileClaim(to: .file(number: 1), in: first)
        #expect(claim != nil)
        let error = #expect(throws: DownloadError.self) { try FileClaim(to: .file(number: 1), in: second) }
        #expect(error?.code == .busy)
        #expect(error?.message == "another process is fetching \(folder.path)/1.jpg")
        #expect(try FileClaim(to: .file(number: 2), in: second) != nil)
        claim = nil
        #expect(try FileClaim(to: .file(number: 1), in: second) != nil)
    }

    @Test func nothingIsSeenInTheFolder() throws {
        let claim = try FileClaim(to: .file(number: 1), in: try opened())
        #expect(claim != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func ofTwoThatClaimAFileAtOnceOneGetsIt() async throws {
        let (first, second) = (try opened(), try opened())
        for number in 0..<2_000 {
            async let one = Self.claim(number, in: first)
            async let other = Self.claim(number, in: second)
            let claims = [await one, await other].compactMap { $0 }
            #expect(claims.count == 1, "file \(number)")
        }
    }

    @Test func whoeverComesFindsTheClaimOfOneWhoHasSeenNobody() throws {
        let (first, second) = (try opened(), try opened())
        var isRefused = false
        let claim = try FileClaim(to: .file(number: 1), in: first) {
            let error = #expect(throws: DownloadError.self) { try FileClaim(to: .file(number: 1), in: second) }
            isRefused = error?.code == .busy
            return true
        }
        #expect(claim != nil && isRefused)
    }

    @Test func unfinishedFileThatAnOlderVersionHasIsBusy() throws {
        let planned = try PlannedDownload.file(number: 1)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/other"))
        let part = try PartFile(planned.name.partName(for: planned.key), in: try opened())
        let store = FolderStore(try DownloadFolder(path: folder.path))
        let error = #expect(throws: DownloadError.self) { try store.open(planned) }
        #expect(error?.code == .busy)
        _ = part.path
    }

    private static func claim(_ number: Int, in folder: OpenFolder) async -> FileClaim? {
        // What is refused is seen by its absence.
        try? FileClaim(to: .file(number: number), in: folder)
    }
}

extension PlannedDownload {
    /// An invented file of a place that nobody asks.
    static func file(number: Int) throws -> PlannedDownload {
        try DownloadPlanner(template: NameTemplate("{name}.{ext}"))
            .plan(DownloadRequest(.file(WebURL("https://example.org/\(number).jpg")), from: .bareURLs, index: 1))
    }
}
