import Foundation
import TestSupport
import Testing

@testable import Downloads

@Suite(.enabled(if: HelperProcess.path(of: "vipsthumbnail") != nil, "libvips-tools is not installed"))
struct NearDuplicateTests {
    /// A picture, the same smaller and noisier, and another one.
    private static func server() throws -> FileServer {
        try FileServer([]) { request, _ in
            switch request.path {
            case "/a.png": .answer(body: TestPicture.scene(1))
            case "/b.png": .answer(body: TestPicture.scene(1, width: 99, height: 88, noise: 3))
            default: .answer(body: TestPicture.scene(2))
            }
        }
    }

    private func run(_ choice: DownloadOptions.NearDuplicates?) -> QueueRun {
        var run = QueueRun(anyContent: false)
        run.hasArchive = true
        run.options.jobs = 1
        run.options.nearDuplicates = choice
        return run
    }

    @Test(arguments: [nil] + DownloadOptions.NearDuplicates.allCases)
    func picturesThatLookAlikeAreSkippedLinkedOrReported(_ choice: DownloadOptions.NearDuplicates?) async throws {
        let server = try Self.server()
        let run = run(choice)
        let urls = ["/a.png", "/b.png", "/c.png"].map { server.origin + $0 }
        let outcome = try await run(urls)
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.names == (choice == .skip ? ["a.png", "c.png"] : ["a.png", "b.png", "c.png"]))
        #expect(outcome.skips == (choice == .skip ? [.nearDuplicate(path: "a.png")] : []))
        let alike = outcome.finished.filter { $0.nearDuplicate != nil }
        let isKept = choice == .link || choice == .report
        #expect(alike.map(\.path) == (isKept ? ["b.png"] : []))
        #expect(alike.compactMap(\.nearDuplicate?.path) == (isKept ? ["a.png"] : []))
        #expect(outcome.summary.nearDuplicates == (isKept ? 1 : 0))
        #expect(outcome.finished.filter(\.isLinked).count == (choice == .link ? 1 : 0))
        let first = fingerprint(TestPicture.scene(1))
        if choice == .link { #expect(run.content(of: "b.png") == first) }
        if choice == .report { #expect(run.content(of: "b.png") != first) }
        #expect(run.content(of: "a.png") == first)
        #expect(try await run(urls).summary.skipped == 3)
        #expect(server.server.requests.count == 3)
    }

    @Test func pictureOfAnEarlierRunIsFoundUnlessItWasRemoved() async throws {
        let server = try Self.server()
        let run = run(.skip)
        _ = try await run([server.origin + "/a.png"])
        #expect(try await run([server.origin + "/b.png?1"]).skips == [.nearDuplicate(path: "a.png")])
        try FileManager.default.removeItem(atPath: run.folder.path + "/a.png")
        #expect(try await run([server.origin + "/b.png?2"]).finished.map(\.path) == ["b.png"])
    }

    @Test func linkTakesTheFormatOfTheFirst() async throws {
        let server = try Self.server()
        var run = run(.link)
        _ = try await run([server.origin + "/a.png"])
        run.options.conversion = PictureConversion(to: .webp)
        let outcome = try await run([server.origin + "/b.png"])
        #expect(outcome.finished.map(\.path) == ["b.png"])
        #expect(run.content(of: "b.png") == fingerprint(TestPicture.scene(1)))
    }

    @Test func whatIsNoPictureIsKept() async throws {
        let server = try FileServer(patterned(3_000))
        var run = QueueRun()
        run.hasArchive = true
        run.options.nearDuplicates = .skip
        #expect(try await run(["/a.bin", "/b.bin"].map { server.origin + $0 }).summary.finished == 2)
    }
}
