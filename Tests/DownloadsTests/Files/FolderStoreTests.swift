import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct FolderStoreTests {
    private func server(_ bytes: [UInt8] = patterned(5_000)) throws -> FileServer { try FileServer(bytes) }

    @Test func linkInTheWayOfAFolderIsNotFollowed() async throws {
        let outside = TemporaryFolder()
        var run = QueueRun()
        run.template = "sub/{name}.{ext}"
        try FileManager.default.createSymbolicLink(atPath: run.folder.path + "/sub", withDestinationPath: outside.path)
        let outcome = try await run([try server().origin + "/a.jpg"])
        #expect(outcome.errors.first?.message.contains("symbolic link") == true, "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
    }

    @Test func linkInTheWayOfAnUnfinishedFileIsNotFollowed() async throws {
        let outside = TemporaryFolder()
        let run = QueueRun()
        let url = try server().origin + "/a.jpg"
        let part = PlannedName(stem: "a").partName(for: MediaKey(try WebURL(url)))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: outside.path + "/victim"))
        try FileManager.default.createSymbolicLink(
            atPath: run.folder.path + "/" + part, withDestinationPath: outside.path + "/victim")
        let outcome = try await run([url])
        #expect(outcome.errors.count == 1)
        #expect(FileManager.default.contents(atPath: outside.path + "/victim") == Data("mine".utf8))
    }

    @Test func linkInTheWayOfAFinishedFileIsNeitherFollowedNorReplaced() async throws {
        let outside = TemporaryFolder()
        let run = QueueRun()
        let link = run.folder.path + "/a.jpg"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside.path + "/victim")
        let server = try server()
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.finished.count == 1)
        #expect(outcome.finished.first?.path.hasPrefix("a~") == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == outside.path + "/victim")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
    }

    @Test func pipeInTheWayIsAnErrorAndNoWait() async throws {
        let run = QueueRun()
        let url = try server().origin + "/a.jpg"
        mkfifo(run.folder.path + "/" + PlannedName(stem: "a").partName(for: MediaKey(try WebURL(url))), 0o600)
        #expect(try await run([url]).errors.first?.message.contains("not a regular file") == true)
    }

    @Test func filesOfOneNameStayApartAndAreFoundAgain() async throws {
        let server = try FileServer([]) { request, _ in .answer(body: Array(request.path.utf8)) }
        let urls = ["/1/a.jpg", "/2/a.jpg", "/3/a.jpg"].map { server.origin + $0 }
        let run = QueueRun()
        let outcome = try await run(urls)
        #expect(outcome.summary.finished == 3)
        let names = run.names
        #expect(names.count == 3 && names.contains("a.jpg"))
        // In another order they have the same names, and none is fetched again.
        let again = try await run(urls.reversed())
        #expect(again.summary.skipped == 3)
        #expect(run.names == names)
        #expect(server.server.requests.count == 3)
        for name in names { #expect(run.content(of: name) != nil) }
    }

    @Test func fileThatTheUserPutThereIsKept() async throws {
        let run = QueueRun()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: run.folder.path + "/a.jpg"))
        let server = try server()
        #expect(try await run([server.origin + "/a.jpg"]).skips == [.present(path: "a.jpg")])
        #expect(run.content(of: "a.jpg") == fingerprint(Array("mine".utf8)))
        #expect(server.server.requests.isEmpty)
    }

    @Test func folderThatGoesAwayStopsEverythingWithOneError() async throws {
        let run = QueueRun()
        let folder = run.folder.path + "/gone"
        let gone = Gate()
        let server = try FileServer([]) { _, number in
            // Files that begin meanwhile keep a removal from ending; the next one takes them too.
            if number == 1 {
                while access(folder, F_OK) == 0 { try? FileManager.default.removeItem(atPath: folder) }
                gone.open()
            }
            return LoopbackReply([.wait(gone)] + LoopbackReply.answer(body: patterned(300_000)).steps)
        }
        let requests = (1...50).map {
            DownloadRequest(try! WebURL(server.origin + "/\($0).jpg"), index: $0)
        }
        let error = await #expect(throws: DownloadError.self) { try await run.run(requests, in: folder) }
        #expect(error?.code == .folderGone)
        #expect(server.server.requests.count <= 4, "no more than were under way")
    }

    @Test(arguments: [
        (ENOSPC, DownloadError.Code.diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EROFS, .readOnly),
        (EACCES, .readOnly), (ELOOP, .file), (EIO, .file),
    ])
    func systemErrorsHaveTheirMeaning(_ code: Int32, _ expected: DownloadError.Code) {
        #expect(DownloadError(errno: code, "write", "/x/y").code == expected)
    }

    @Test func fileThatAnotherProcessFinishedSinceTheFolderWasOpenedIsNotFetchedAgain() async throws {
        let server = try server()
        let run = QueueRun()
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: run.folder.path + "/a.jpg"))
        let request = DownloadRequest(try WebURL(server.origin + "/a.jpg"), index: 1)
        let summary = try await queue.run([request])
        #expect(summary.skipped == 1)
        #expect(server.server.requests.isEmpty)
    }

    @Test func folderThatCannotBeMadeIsAnError() {
        let error = #expect(throws: DownloadError.self) { try DownloadFolder(path: "/proc/nowhere/else") }
        #expect(error?.message.contains("/proc/nowhere") == true)
    }
}
