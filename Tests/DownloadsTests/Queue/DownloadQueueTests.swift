import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct DownloadQueueTests {
    @Test func everythingIsFetchedOnceAndSkippedTheNextTime() async throws {
        let server = try FileServer([]) { request, _ in
            .answer(body: patterned(30_000, seed: UInt64(request.path.count)))
        }
        var run = QueueRun()
        run.hasArchive = true
        run.options.jobs = nil
        let urls = (1...300).map { server.origin + "/\($0).jpg" }
        let outcome = try await run(urls + urls.prefix(20))
        #expect(outcome.summary.finished == 300)
        #expect(outcome.summary.skipped == 20)
        #expect(server.server.requests.count == 300)
        let again = try await run(urls)
        #expect(again.summary.skipped == 300)
        #expect(server.server.requests.count == 300)
        #expect(run.names.count == 300)
    }

    @Test(.timeLimit(.minutes(1))) func noFileStaysOpen() async throws {
        let server = try FileServer(patterned(30_000))
        let run = QueueRun()
        let outcome = try await run((1...20).map { server.origin + "/\($0).jpg" })
        #expect(outcome.summary.finished == 20)
        // The transport's thread may hold the last a moment longer.
        while try !openFiles(below: run.folder.path).isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(try openFiles(below: run.folder.path) == [])
    }

    /// The images in a folder that this process has open.
    private func openFiles(below folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(folder) && $0.hasSuffix(".jpg") }
    }

    @Test func oneFailureDoesNotHoldUpTheOthers() async throws {
        let server = try FileServer([]) { request, _ in
            request.path == "/2.jpg" ? .answer(404) : .answer(body: [1, 2, 3])
        }
        let outcome = try await QueueRun()((1...5).map { server.origin + "/\($0).jpg" })
        #expect(outcome.summary.finished == 4)
        #expect(outcome.errors.map(\.status) == [404])
    }

    @Test func neverMoreAtATimeThanAllowed() async throws {
        let gate = Gate()
        let server = try FileServer([]) { _, number in
            if number == 3 { gate.open() }
            return LoopbackReply([.wait(gate)] + LoopbackReply.answer(body: [1]).steps)
        }
        var run = QueueRun()
        run.options.jobs = 3
        let outcome = try await run((1...9).map { server.origin + "/\($0).jpg" })
        #expect(outcome.summary.finished == 9)
        #expect(server.server.connectionCount == 3)
    }

    @Test func rateIsHeld() async throws {
        let server = try FileServer(patterned(300_000))
        var run = QueueRun()
        run.options.maximumRate = 400_000
        let start = ContinuousClock.now
        _ = try await run((1...2).map { server.origin + "/\($0).jpg" })
        let time = ContinuousClock.now - start
        // 600,000 bytes less what a full bucket holds and what one chunk may overdraw.
        #expect(time > .milliseconds(900))
    }

    @Test func stopKeepsWhatIsBegunAndTheNextRunGoesOn() async throws {
        let bytes = patterned(2_000_000)
        let reached = Gate()
        let server = try FileServer(bytes) { request, number in
            guard number == 1 else { return nil }
            reached.open()
            let head =
                "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\n\r\n"
            return LoopbackReply([.send(Array(head.utf8) + bytes.prefix(1_200_000)), .stall])
        }
        var run = QueueRun()
        run.options.grace = .milliseconds(50)
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        let request = DownloadRequest(try WebURL(server.origin + "/a.jpg"), index: 1)
        async let summary = queue.run([request])
        await outcome.received(atLeast: 1_200_000)
        queue.stop()
        #expect(try await summary.wasStopped)
        #expect(run.content(of: "a.jpg") == nil)
        let second = try await run([server.origin + "/a.jpg"])
        #expect(second.errors.map(\.message) == [] && second.summary.finished == 1, "\(second.summary) \(run.names)")
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
        #expect(server.ranges.last == "bytes=1179648-1999999")
    }

    @Test func cancellationEndsTheRunAndKeepsWhatIsBegun() async throws {
        let server = try LoopbackServer { _ in .stalling(after: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }
        let run = QueueRun()
        let outcome = RecordedEvents()
        let queue = try run.queue(reportingTo: outcome)
        let request = DownloadRequest(try WebURL(server.origin + "/a.jpg"), index: 1)
        let task = Task { try await queue.run([request]) }
        await outcome.received(atLeast: 3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func runEndsAfterSoManySkipsInARow() async throws {
        let server = try FileServer([1, 2, 3])
        var run = QueueRun()
        let urls = (1...30).map { server.origin + "/\($0).jpg" }
        _ = try await run(Array(urls.prefix(20)))
        run.options.stopsAfterSkips = 5
        let outcome = try await run(urls)
        #expect(outcome.summary.skipped == 5)
        #expect(outcome.summary.wasStopped)
    }

    @Test(arguments: [DownloadOptions.Duplicates.keep, .link, .skip])
    func sameContentIsKeptLinkedOrSkipped(_ choice: DownloadOptions.Duplicates) async throws {
        let server = try FileServer(patterned(40_000))
        var run = QueueRun()
        run.hasArchive = true
        run.options.jobs = 1
        run.options.duplicates = choice
        let outcome = try await run(["/a.jpg", "/b.jpg"].map { server.origin + $0 })
        #expect(run.names == (choice == .skip ? ["a.jpg"] : ["a.jpg", "b.jpg"]))
        #expect(outcome.skips == (choice == .skip ? [.duplicate(path: "a.jpg")] : []))
        #expect(outcome.finished.contains(where: \.isLinked) == (choice == .link))
        if choice != .skip { #expect(run.content(of: "b.jpg") == fingerprint(patterned(40_000))) }
        #expect(try await run(["/a.jpg", "/b.jpg"].map { server.origin + $0 }).summary.skipped == 2)
    }

    @Test(arguments: [DownloadOptions.Duplicates.link, .skip])
    func sameContentOfAnEarlierRunIsFound(_ choice: DownloadOptions.Duplicates) async throws {
        let server = try FileServer(patterned(40_000))
        var run = QueueRun()
        run.hasArchive = true
        _ = try await run([server.origin + "/a.jpg"])
        run.options.duplicates = choice
        let outcome = try await run([server.origin + "/b.jpg"])
        #expect(outcome.skips == (choice == .skip ? [.duplicate(path: "a.jpg")] : []))
        #expect(outcome.finished.map(\.isLinked) == (choice == .link ? [true] : []))
    }

    @Test func filesOfOneNameThatAreFinishedTogetherStayApart() async throws {
        let all = Gate()
        let server = try FileServer([]) { request, number in
            if number == 4 { all.open() }
            let body = request.path.hasSuffix(".jpg") ? ImageBytes.png() : ImageBytes.png() + [1]
            return LoopbackReply([.wait(all)] + LoopbackReply.answer(body: body).steps)
        }
        var run = QueueRun()
        run.hasArchive = true
        run.hasCredits = true
        let outcome = try await run(["/a.jpg", "/a.png", "/b.jpg", "/b.png"].map { server.origin + $0 })
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.names.filter { $0.hasSuffix(".png") }.count == 4)
        #expect(run.text(of: "credits.md").split(separator: "\n- ").count == 5)
    }

    @Test func contentThatComesSeveralTimesAtOnceIsKeptOnce() async throws {
        let all = Gate()
        let bytes = patterned(40_000)
        let server = try FileServer(bytes) { _, number in
            if number == 8 { all.open() }
            return LoopbackReply([
                .wait(all), .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8) + bytes),
            ])
        }
        var run = QueueRun()
        run.hasArchive = true
        run.options.jobs = 8
        run.options.duplicates = .skip
        let outcome = try await run((1...8).map { server.origin + "/\($0).jpg" })
        #expect(outcome.summary.finished == 1)
        #expect(outcome.summary.skipped == 7)
        #expect(run.names.count == 1)
    }

    @Test func lastMomentURLIsFetchedInstead() async throws {
        let server = try FileServer(patterned(100))
        var run = QueueRun()
        run.resolver = Redirector(to: server.origin + "/real.jpg")
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(server.server.requests.map(\.path) == ["/real.jpg"])
        #expect(outcome.finished.map(\.path) == ["a.jpg"])
    }
}

private struct Redirector: MediaResolver {
    let url: String

    init(to url: String) { self.url = url }

    func media(for planned: PlannedFile) async throws -> Media? { Media(role: .original, url: try WebURL(url)) }
}
