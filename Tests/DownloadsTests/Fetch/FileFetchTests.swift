import Crypto
import Foundation
import HTTPTransport
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct FileFetchTests {
    static let small = patterned(20_000)
    static let large = patterned(1_500_000, seed: 7)

    @Test(arguments: [1, 20_000, 131_072, 131_073, 262_144, 1_500_000, 9_000_000])
    func fileArrivesByteForByte(_ count: Int) async throws {
        let bytes = patterned(count)
        let server = try FileServer(bytes)
        let run = QueueRun(computesSHA256: true)
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
        #expect(run.names == ["a.jpg"])
        #expect(outcome.finished.first?.sha256 == Hashes.sha256(bytes))
        #expect(server.ranges == ["none"])
    }

    @Test func bodyOfUnknownLengthArrives() async throws {
        let bytes = Self.large
        let server = try FileServer(bytes) { _, _ in
            LoopbackReply([.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + bytes), .close])
        }
        let run = QueueRun()
        _ = try await run([server.origin + "/a.jpg"])
        #expect(run.content(of: "a.jpg") == fingerprint(bytes))
    }

    @Test func bodyOfUnknownLengthThatBreaksOffIsGivenUp() async throws {
        let server = try FileServer([]) { _, _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nnot all of it")
        }
        var run = QueueRun()
        run.options.fetch.retries.attempts = 3
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.count == 1)
        #expect(server.ranges.count == 3)
        #expect(run.names == [], "nothing is left that nobody can go on with")
    }

    @Test(arguments: [1_000_000, 600_000])
    func brokenOffFileGoesOnWhereItStopped(_ count: Int) async throws {
        let file = FileServer.File(bytes: Self.large)
        let server = try FileServer(Self.large) { _, number in
            number == 1 ? FileServer.brokenOff(file, after: count) : nil
        }
        let run = QueueRun()
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.content(of: "a.jpg") == fingerprint(Self.large))
        let second = try #require(server.server.requests.last)
        #expect(second.header("if-range") == "\"v1\"")
        let start = count / 65_536 * 65_536
        #expect(second.header("range") == "bytes=\(start)-1499999")
    }

    /// Whatever happened to the unfinished file since it was left: what is not as it came is fetched again, and no more.
    @Test(arguments: [300_000..<300_001, 262_143..<262_144, 131_072..<196_608])
    func damagedBlockOfAnUnfinishedFileIsFetchedAgain(_ damage: Range<Int>) async throws {
        let file = FileServer.File(bytes: Self.large)
        let server = try FileServer(Self.large) { _, number in
            number == 1 ? FileServer.brokenOff(file, after: 1_000_000) : nil
        }
        var first = QueueRun()
        first.options.fetch.retries.attempts = 1
        #expect(try await first([server.origin + "/a.jpg"]).errors.count == 1)
        let part = try #require(first.names.first { $0.hasSuffix(".part") })
        try first.damage(part, in: damage)
        let outcome = try await QueueRun(first.folder)([server.origin + "/a.jpg"])
        #expect(outcome.errors.map(\.message) == [])
        #expect(first.content(of: "a.jpg") == fingerprint(Self.large))
        let block = damage.lowerBound / 65_536 * 65_536
        #expect(server.ranges == ["none", "bytes=\(block)-\(block + 65_535)", "bytes=983040-1499999"])
    }

    @Test func fileWithoutAStrongValidatorBeginsAnew() async throws {
        for tag in [nil, "W/\"v1\""] as [String?] {
            let file = FileServer.File(bytes: Self.large, tag: tag)
            let server = try FileServer(Self.large, tag: tag) { _, number in
                number == 1 ? FileServer.brokenOff(file, after: 900_000) : nil
            }
            let run = QueueRun()
            _ = try await run([server.origin + "/a.jpg"])
            #expect(run.content(of: "a.jpg") == fingerprint(Self.large))
            #expect(server.ranges == ["none", "none"])
        }
    }

    @Test(arguments: Lie.allCases, [1_500_000, 20_000])
    func wrongContentRangeCannotCorruptTheFile(_ lie: Lie, _ count: Int) async throws {
        let bytes = patterned(count, seed: 7)
        let file = FileServer.File(bytes: bytes)
        let server = try FileServer(bytes) { request, number in
            let half = FileServer.brokenOff(file, after: bytes.count / 2)
            // A request for the whole file cannot be out of range.
            let isLie = number == 2 && (lie != .gone || request.header("range") != nil)
            return number == 1 ? half : isLie ? lie.reply(to: request, file) : nil
        }
        let run = QueueRun()
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.content(of: "a.jpg") == fingerprint(lie.expected(bytes)))
        #expect(run.names == ["a.jpg"])
    }

    @Test func fileOfWhichLittleHasComeIsFetchedAnew() async throws {
        let file = FileServer.File(bytes: Self.small)
        let server = try FileServer(Self.small) { _, number in
            number == 1 ? FileServer.brokenOff(file, after: 7_000) : nil
        }
        let run = QueueRun(computesSHA256: true)
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.finished.first?.sha256 == Hashes.sha256(Self.small))
        #expect(run.content(of: "a.jpg") == fingerprint(Self.small))
        #expect(server.ranges == ["none", "none"])
    }

    /// What is sent again may be other bytes than those that were hashed.
    @Test func fileThatIsResumedWithinABlockHasItsOwnDigest() async throws {
        let file = FileServer.File(bytes: Self.large)
        let server = try FileServer(Self.large) { request, number in
            switch number {
            case 1: FileServer.brokenOff(file, after: 600_000)
            // Less than was asked for.
            case 2:
                .answer(
                    206, headers: [("ETag", "\"v1\""), ("Content-Range", "bytes 589824-599999/1500000")],
                    body: Array(Self.large[589_824..<600_000]))
            default: nil
            }
        }
        let outcome = try await QueueRun(computesSHA256: true)([server.origin + "/a.jpg"])
        #expect(outcome.finished.first?.sha256 == Hashes.sha256(Self.large))
    }

    @Test func nothingIsLeftOfASmallFileThatCannotBeHad() async throws {
        let file = FileServer.File(bytes: Self.small)
        let server = try FileServer(Self.small) { _, number in
            number == 1 ? FileServer.brokenOff(file, after: 7_000) : LoopbackReply([.close])
        }
        var run = QueueRun()
        run.options.fetch.retries.attempts = 2
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.count == 1)
        #expect(run.names == [])
    }

    @Test(arguments: [(0, "sent nothing for"), (1_000_000_000, "sent only 200000 bytes in")])
    func fileThatHardlyMovesIsGivenUp(_ minimumSpeed: Int, _ words: String) async throws {
        let server = try FileServer(Self.small) { _, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n"
            return LoopbackReply([.send(Array(head.utf8) + [UInt8](repeating: 7, count: 200_000)), .stall])
        }
        var run = QueueRun()
        run.options.fetch.retries.attempts = 2
        run.transportSettings = { settings in
            settings.minimumSpeed = minimumSpeed
            (settings.minimumSpeedTime, settings.connection.stallDeadline) = (.milliseconds(300), .milliseconds(400))
        }
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.message.contains(words) == true, "\(outcome.errors)")
        #expect(run.names == [])
    }

    @Test func fileThatChangesForeverIsGivenUp() async throws {
        let server = try FileServer(Self.large) { _, number in
            FileServer.brokenOff(FileServer.File(bytes: Self.large, tag: "\"v\(number)\""), after: 700_000)
        }
        var run = QueueRun()
        run.options.fetch.retries.attempts = 3
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.count == 1)
        #expect(run.content(of: "a.jpg") == nil)
    }

    @Test(arguments: [
        ("Content-MD5", "md5", true), ("Digest", "SHA-256", true), ("Repr-Digest", "sha-256", true),
        ("Content-Digest", "sha-512", true), ("Content-MD5", "md5", false), ("Repr-Digest", "sha-256", false),
        ("Digest", "SHA-256", false),
    ])
    func digestIsHeldAgainstTheFile(_ header: String, _ algorithm: String, _ isTrue: Bool) async throws {
        for bytes in [Self.small, Self.large] {
            let digested = isTrue ? bytes : bytes + [0]
            let digest: [UInt8] =
                switch algorithm.lowercased() {
                case "md5": Array(Insecure.MD5.hash(data: digested))
                case "sha-512": Array(SHA512.hash(data: digested))
                default: Array(Crypto.SHA256.hash(data: digested))
                }
            let text = Data(digest).base64EncodedString()
            let value =
                header == "Content-MD5" ? text : header == "Digest" ? "\(algorithm)=\(text)" : "\(algorithm)=:\(text):"
            let server = try FileServer(bytes, headers: [(header, value)])
            let run = QueueRun()
            let outcome = try await run([server.origin + "/a.jpg"])
            #expect((run.content(of: "a.jpg") == fingerprint(bytes)) == isTrue)
            #expect(outcome.errors.first?.message.contains("gave a \(header)") ?? false == !isTrue)
        }
    }

    @Test(arguments: [
        (200, "<html><title>Sign in</title>", "web page (\"Sign in\")"), (404, "", "answered 404"), (403, "", "403"),
    ])
    func whatIsNoImageIsAnError(_ status: Int, _ body: String, _ message: String) async throws {
        let server = try LoopbackServer { _ in .answer(status, text: body) }
        let run = QueueRun(anyContent: false)
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.errors.first?.message.contains(message) == true, "\(outcome.errors)")
        #expect(run.content(of: "a.jpg") == nil)
    }

    @Test func endingFollowsTheContent() async throws {
        let server = try FileServer(ImageBytes.png())
        let run = QueueRun(anyContent: false)
        let outcome = try await run([server.origin + "/a.jpg"])
        #expect(outcome.finished.map(\.path) == ["a.png"])
        #expect(try await run([server.origin + "/a.jpg"]).skips == [.present(path: "a.png")])
    }

    /// The same would come again; where the connection was closed, the rest may come.
    @Test func damagedPictureOfTheAnnouncedLengthIsFetchedOnce() async throws {
        let half = Array(CodedImages.sequential.prefix(300))
        let announced = try FileServer(half)
        #expect(try await QueueRun(anyContent: false)([announced.origin + "/a.jpg"]).errors.first?.code == .damaged)
        #expect(announced.server.requests.count == 1)
        let closed = try FileServer(half) { _, number in
            LoopbackReply([
                .send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + (number < 2 ? half : CodedImages.sequential)), .close,
            ])
        }
        #expect(try await QueueRun(anyContent: false)([closed.origin + "/a.jpg"]).summary.finished == 1)
        #expect(closed.server.requests.count == 2)
    }

    @Test func pictureWithoutItsEndMarkIsKeptWithANote() async throws {
        let server = try FileServer(ImageBytes.gif().dropLast())
        let run = QueueRun(anyContent: false)
        let outcome = try await run([server.origin + "/a.gif"])
        #expect(outcome.finished.first?.file.notes == ["has no end mark"])
        #expect(run.content(of: "a.gif") == fingerprint(Array(ImageBytes.gif().dropLast())))
    }

    @Test func busyServerIsAskedAgain() async throws {
        let server = try FileServer(Self.small) { _, number in number < 3 ? .answer(503) : nil }
        let run = QueueRun()
        #expect(try await run([server.origin + "/a.jpg"]).summary.finished == 1)
    }

    @Test func largeFileIsFetchedInPartsWhereThatIsFaster() async throws {
        let bytes = patterned(6 << 20, seed: 3)
        let gate = Gate()
        // The first connection is slow until another one has begun: only parts side by side get on.
        let server = try FileServer(bytes) { request, number in
            if number > 1 {
                gate.open()
                return nil
            }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\n\r\n"
            return LoopbackReply([
                .send(Array(head.utf8) + bytes[..<1_200_000]), .trickle(Array(bytes[1_200_000...]), until: gate),
            ])
        }
        var run = QueueRun(computesSHA256: true)
        run.options.fetch.splitLimit = 1 << 20
        run.options.fetch.measuringTime = .milliseconds(100)
        let outcome = try await run([server.origin + "/a.bin"])
        #expect(outcome.errors.map(\.message) == [])
        #expect(run.content(of: "a.bin") == fingerprint(bytes))
        // From the middle of what was left, not from where a first part broke off.
        #expect(server.ranges.prefix(2) == ["none", "bytes=3145728-6291455"])
        #expect(outcome.finished.first?.sha256 == Hashes.sha256(bytes))
    }

    @Test func headersOfTheItemAreSentAndCredentialsStayWithTheirHosts() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var manifest = ProviderManifest(id: ProviderID("example")!, name: "Example", version: "1.0.0")
        manifest.hosts = [HostPattern("http://api.example.com")!]
        manifest.mediaHosts = [HostPattern("http://127.0.0.1")!]
        var item = Item.invented()
        item.media = [Media(role: .original, url: try WebURL(server.origin + "/a.jpg"))]
        item.media[0].headers = [NamedValue("Referer", "https://example.com/")]
        let run = QueueRun(anyContent: false)
        let outcome = try await run.run(DownloadRequest.requests(for: item, from: DownloadSource(manifest), index: 1))
        #expect(outcome.summary.finished == 1)
        let request = try #require(server.server.requests.first)
        #expect(request.header("referer") == "https://example.com/")
        #expect(request.header("x-key") == nil)
        #expect(request.header("accept-encoding") == "identity")
    }

    @Test func mediaOutsideTheMediaHostsAreRefused() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var manifest = ProviderManifest(id: ProviderID("example")!, name: "Example", version: "1.0.0")
        manifest.mediaHosts = [HostPattern("cdn.example.com")!]
        var item = Item.invented()
        item.media = [Media(role: .original, url: try WebURL(server.origin + "/a.jpg"))]
        let outcome = try await QueueRun().run(
            DownloadRequest.requests(for: item, from: DownloadSource(manifest), index: 1))
        #expect(outcome.errors.first?.message.contains("is not a host of") == true)
        #expect(server.server.requests.isEmpty)
    }
}

/// What a server may get wrong about a range.
enum Lie: String, CaseIterable, Sendable {
    case ignoresTheRange, anotherStart, anotherTotal, noContentRange, nonsense, tooShort, tooLong, changedFile, gone,
        changedTag

    func reply(to request: LoopbackRequest, _ file: FileServer.File) -> LoopbackReply {
        let bounds = FileServer.bounds(request.header("range") ?? "", file.bytes.count) ?? 0..<1
        let rest = Array(file.bytes[bounds])
        func part(_ range: String?, _ body: [UInt8], tag: String = "\"v1\"") -> LoopbackReply {
            .answer(206, headers: [("ETag", tag)] + (range.map { [("Content-Range", $0)] } ?? []), body: body)
        }
        // What a lie is about is another file's, so that to believe it is to be seen.
        let other = Array(rest.reversed())
        let last = bounds.upperBound - 1
        return switch self {
        case .ignoresTheRange: .answer(headers: [("ETag", "\"v1\"")], body: file.bytes)
        case .anotherStart: part("bytes \(bounds.lowerBound - 10)-\(last)/\(file.bytes.count)", other)
        case .anotherTotal: part("bytes \(bounds.lowerBound)-\(last)/\(file.bytes.count + 1)", other)
        case .noContentRange: part(nil, other)
        case .nonsense: part("bytes nonsense", other)
        case .tooShort: part("bytes \(bounds.lowerBound)-\(last)/\(file.bytes.count)", Array(rest.dropLast(5)))
        case .tooLong: part("bytes \(bounds.lowerBound)-\(last)/\(file.bytes.count)", rest + [1, 2, 3])
        case .changedFile: .answer(headers: [("ETag", "\"v2\"")], body: Array(file.bytes.reversed()))
        case .gone: .answer(416, headers: [("Content-Range", "bytes */100")])
        case .changedTag: part("bytes \(bounds.lowerBound)-\(last)/\(file.bytes.count)", other, tag: "\"v2\"")
        }
    }

    func expected(_ bytes: [UInt8]) -> [UInt8] { self == .changedFile ? bytes.reversed() : bytes }
}
