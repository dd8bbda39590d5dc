import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

/// A small file has no name before its own.
@Suite struct NamelessFileTests {
    private let folder = TemporaryFolder()
    private let bytes = patterned(30_000)

    private var run: DownloadRun {
        var run = DownloadRun(folder)
        run.hasArchive = true
        return run
    }

    /// A server whose answers wait half way.
    private func server(_ bytes: [UInt8], half: Gate) throws -> FileServer {
        try FileServer(bytes) { _, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nETag: \"1\"\r\n\r\n"
            let middle = bytes.count / 2
            return LoopbackReply([
                .send(Array(head.utf8) + bytes[..<middle]), .wait(half), .send(Array(bytes[middle...])),
            ])
        }
    }

    /// The names that are in the folder while half of a file has come, and after it.
    private func names(
        of bytes: [UInt8], _ run: DownloadRun? = nil, meanwhile: (DownloadRun) throws -> Void = { _ in }
    ) async throws -> (half: [String], end: [String]) {
        let run = run ?? self.run
        let half = Gate()
        let server = try server(bytes, half: half)
        let told = Told()
        let queue = try run.queue(telling: told)
        let request = DownloadRequest(.file(try WebURL(server.origin + "/a.jpg")), from: .bareURLs, index: 1)
        async let summary = queue.run(Listed([request]))
        await told.received(atLeast: bytes.count / 2)
        let names = run.names
        try meanwhile(run)
        half.open()
        _ = try await summary
        return (names.map { $0.hasSuffix(".part") ? "part" : $0 }, run.names)
    }

    @Test func smallFileLeavesNothingBeforeItIsWhole() async throws {
        let names = try await names(of: bytes)
        #expect(names.half == [])
        #expect(names.end == ["a.jpg"])
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
    }

    @Test func largeFileIsFoundAgainFromItsBeginning() async throws {
        let names = try await names(of: patterned(900_000))
        #expect(names.half == ["part"])
        #expect(names.end == ["a.jpg"])
    }

    @Test func whereAFileNeedsANameItHasOneFromItsBeginning() async throws {
        var run = run
        run.holdsNamelessFiles = false
        let names = try await names(of: bytes, run)
        #expect(names.half == ["part"])
        #expect(names.end == ["a.jpg"])
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
    }

    @Test func fileThatSomebodyPutThereMeanwhileIsNotReplaced() async throws {
        let names = try await names(of: bytes) { run in
            try Data("mine".utf8).write(to: URL(fileURLWithPath: run.folder.path + "/a.jpg"))
        }
        #expect(names.end == ["a.jpg"])
        #expect(run.content(of: "a.jpg") == fingerprint(Array("mine".utf8)))
    }

    @Test func linkThatSomebodyPutThereMeanwhileIsNeitherFollowedNorReplaced() async throws {
        let outside = TemporaryFolder()
        let names = try await names(of: bytes) { run in
            try FileManager.default.createSymbolicLink(
                atPath: run.folder.path + "/a.jpg", withDestinationPath: outside.path + "/victim")
        }
        #expect(names.end.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
    }

    @Test func filesOfOneNameStayApart() async throws {
        let server = try FileServer([]) { request, _ in .answer(body: Array(request.path.utf8)) }
        let urls = ["/1/a.jpg", "/2/a.jpg", "/3/a.jpg"].map { server.origin + $0 }
        #expect(try await run(urls).summary.finished == 3)
        #expect(run.names.count == 3)
        #expect(try await run(urls.reversed()).summary.skipped == 3)
    }

    @Test func fileWithoutContentIsAFile() async throws {
        let server = try FileServer([])
        #expect(try await run([server.origin + "/a.jpg"]).summary.finished == 1)
        #expect(run.content(of: "a.jpg") == fingerprint([]))
    }

    @Test func folderThatGoesAwayIsTheError() async throws {
        let half = Gate()
        let path = folder.path + "/gone"
        let server = try server(bytes, half: half)
        let told = Told()
        let queue = try run.queue(telling: told, in: path)
        let request = DownloadRequest(.file(try WebURL(server.origin + "/a.jpg")), from: .bareURLs, index: 1)
        let summary = Task { try await queue.run(Listed([request])) }
        await told.received(atLeast: 1)
        try FileManager.default.removeItem(atPath: path)
        half.open()
        let error = await #expect(throws: DownloadError.self) { try await summary.value }
        #expect(error?.code == .folderGone)
    }

    @Test func fileThatTurnsOutToBeLargeGetsItsNameAfterAll() throws {
        let part = try part()
        try [7, 8, 9].withUnsafeBytes { try part.writeWhole($0) }
        #expect(run.names == [] && part.count == 3 * MemoryLayout<Int>.size)
        try part.make()
        #expect(run.names.count == 1 && part.count == 0)
        #expect(throws: DownloadError.self) { try PartFile(part.name, in: part.folder) }
    }

    @Test func fileThatCannotBeNamedLaterIsWrittenAnew() throws {
        let part = try part()
        try bytes.withUnsafeBytes { try part.writeWhole($0) }
        part.mark(with: MediaKey(stored: "a:1:original"))
        try part.takeName()
        #expect(run.names == [part.name])
        #expect(try part.rename(to: "a.jpg", in: part.folder))
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
        #expect(FileMark.keys(of: part.descriptor) == [MediaKey(stored: "a:1:original")])
    }

    @Test func fileWithoutContentIsMarked() throws {
        let part = try part()
        part.mark(with: MediaKey(stored: "a:1:original"))
        #expect(try part.rename(to: "a.jpg", in: part.folder))
        #expect(FileMark.keys(of: part.descriptor) == [MediaKey(stored: "a:1:original")])
    }

    @Test func unfinishedFileOfAnEarlierRunIsGoneOnWith() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/other"))
        let name = try part().name
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        #expect(try part().lengthAtOpening == bytes.count)
    }

    /// The place of a file in the folder.
    private func part() throws -> PartFile {
        try FolderStore(DownloadFolder(path: folder.path)).open(.file(number: 1))
    }
}
