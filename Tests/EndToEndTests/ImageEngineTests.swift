import Foundation
import HTTPTransport
import ImgScript
import Synchronization
import TestSupport
import Testing

@Suite("Programs use one engine for many searches", .timeLimit(.minutes(2)))
struct ImageEngineTests {
    /// A source of a thousand images with thumbnails that may be cached, and an engine that may ask it.
    private final class Gallery {
        let server: LoopbackServer
        private let folder = TemporaryFolder()
        private let home = TemporaryFolder()

        init(beforePage: @escaping @Sendable (Int) -> Void = { _ in }) throws {
            server = try LoopbackServer { request in
                guard request.path == "/search" else {
                    let number = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
                    return .answer(headers: [("Cache-Control", "max-age=3600")], body: FoxSource.image(number))
                }
                let page = Int(request.target.split(separator: "page=").last?.prefix { $0.isNumber } ?? "") ?? 1
                beforePage(page)
                return .answer(text: LoopbackSource.page(page * 5 - 4...page * 5, total: 1_000))
            }
            let script = LoopbackSource.provider("loop", port: server.port)
                .replacing("mediaHosts: ['images.example']", with: "mediaHosts: ['http://127.0.0.1']")
                .replacing("https://images.example/", with: "http://127.0.0.1:\(server.port)/image/")
            try script.write(toFile: "\(folder.path)/loop.js", atomically: true, encoding: .utf8)
        }

        func engine(_ adjust: (inout ImageEngine.Configuration) -> Void = { _ in }) throws -> ImageEngine {
            var configuration = ImageEngine.Configuration(environment: ["HOME": home.path])
            configuration.worker = BuiltWorker.path
            configuration.providerFolders = [folder.path]
            configuration.defaultProviders = ["loop"]
            configuration.allowedHosts = ["127.0.0.1:\(server.port)"]
            adjust(&configuration)
            return try ImageEngine(configuration)
        }

        var thumbnailRequests: Int { server.requests.count { $0.path.hasPrefix("/image/") } }
    }

    private var descriptors: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [])
    }

    private var workers: Int {
        let own = "\(ProcessInfo.processInfo.processIdentifier)"
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).count { process in
            // A process may end while it is looked at.
            guard Int(process) != nil,
                let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = status.lastIndex(of: ")")
            else { return false }
            return status[end...].split(separator: " ").dropFirst(2).first.map(String.init) == own
        }
    }

    /// Ten searches side by side, three of them cancelled, and fifty thumbnails loaded twice.
    private func use(_ engine: ImageEngine, _ gallery: Gallery) async throws {
        let items = try await withThrowingTaskGroup(of: [Item].self) { group in
            for number in 0..<10 {
                group.addTask {
                    var options = SearchOptions()
                    options.limit = number < 3 ? 1_000 : 50
                    var found: [Item] = []
                    for try await item in engine.search("fox \(number)", options) {
                        found.append(item)
                        // Leaving the loop cancels what is under way.
                        if number < 3, found.count == 7 { break }
                    }
                    return found
                }
            }
            return try await group.reduce(into: [[Item]]()) { $0.append($1) }
        }
        #expect(items.map(\.count).sorted() == [7, 7, 7] + Array(repeating: 50, count: 7))
        let fifty = try #require(items.first { $0.count == 50 })
        let before = gallery.thumbnailRequests
        for _ in 1...2 {
            for item in fifty {
                let image = try await engine.images.thumbnail(of: item)
                #expect(image.format == "jpeg" && image.width == 40 && image.bytes.count > 3_000)
            }
            #expect(gallery.thumbnailRequests == before + (before == 0 ? 50 : 0), "the second time from the cache")
        }
        await engine.shutdown()
        #expect(workers == 0)
        // What the cache could answer as well as what it could not.
        for text in ["fox 9", "wolf"] {
            let error = await #expect(throws: ProviderError.self) {
                for try await _ in engine.search(text) {}
            }
            #expect(error?.message == "the engine has been shut down")
        }
    }

    @Test func programHasItsDownloadsInAnArchive() async throws {
        let gallery = try Gallery()
        let engine = try gallery.engine()
        let folder = TemporaryFolder()
        var search = SearchOptions()
        search.limit = 3
        var options = DownloadOptions()
        options.bundle = DownloadOptions.Bundle(.cbz, name: "Foxes")
        for expected in [3, 0] {
            let run = try engine.download(engine.search("fox", search), to: folder.path, options: options)
            let tally = try await run.finish()
            #expect(tally.finished == expected && tally.failed == 0)
            #expect(tally.bundles == (expected == 0 ? [] : ["Foxes.cbz"]))
        }
        #expect(gallery.thumbnailRequests == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.contains("Foxes.cbz"))
        options.archive = .none
        let error = #expect(throws: DownloadError.self) {
            try engine.download(engine.search("fox"), to: folder.path, options: options)
        }
        #expect(error?.code == .option)
        await engine.shutdown()
    }

    /// Of two providers one fails: the images of the other come, and their files, and then the error.
    @Test func failureThatNobodyIsToldOfIsThrownAfterTheOthersImages() async throws {
        let gallery = try Gallery()
        let engine = try gallery.engine()
        let options = SearchOptions(limit: 3)
        let foxes = engine.search("fox", in: ["loop", "nowhere"], options)
        var found: [String] = []
        let error = await #expect(throws: ProviderError.self) { for try await item in foxes { found.append(item.id) } }
        #expect(found.count == 3 && error?.code == .provider)
        let folder = TemporaryFolder()
        let run = try engine.download(foxes, to: folder.path)
        await #expect(throws: ProviderError.self) { try await run.finish() }
        #expect(run.tally.finished == 3 && run.tally.failed == 0)
        let told = Mutex<[String]>([])
        let heard = engine.search("fox", in: ["loop", "nowhere"], options) { error in
            told.withLock { $0.append("\(error)") }
        }
        for try await _ in heard {}
        #expect(told.withLock { $0.count } == 1)
        await engine.shutdown()
    }

    @Test func tenSearchesSideBySideLeaveNothingBehind() async throws {
        let gallery = try Gallery()
        try await use(gallery.engine(), gallery)
        let before = descriptors
        let engine = try gallery.engine()
        try await use(engine, gallery)
        // The engine is still there, and holds nothing; what the system closes for it may take a moment.
        let isClosed = { descriptors.count <= before.count }
        let deadline = ContinuousClock.now + .seconds(5)
        while !isClosed(), ContinuousClock.now < deadline { await Task.yield() }
        #expect(isClosed(), "\(descriptors.subtracting(before))")
        await #expect(throws: (any Error).self) { for try await _ in engine.search("later") {} }
        await engine.shutdown()
    }

    @Test func pagesThatAreRequestedAtOnceAreAsManyAsAllowed() async throws {
        let requests = Mutex((now: 0, most: 0, all: 0))
        let areEnough = Gate()
        let gallery = try Gallery { page in
            guard page > 1 else { return }
            let count = requests.withLock { requests in
                requests.now += 1
                requests.all += 1
                requests.most = max(requests.most, requests.now)
                return requests.all
            }
            if count == 4 { areEnough.open() }
            _ = areEnough.wait(for: .seconds(20))
            requests.withLock { $0.now -= 1 }
        }
        let engine = try gallery.engine()
        var options = SearchOptions()
        (options.limit, options.pageSize, options.pagesInFlight) = (200, 5, 4)
        var found: [String] = []
        for try await item in engine.search("fox", options) { found.append(item.id) }
        #expect(Set(found).count == 200)
        #expect(requests.withLock { $0.most } == 4)
        await engine.shutdown()
    }

    @Test func pagesFollowOneAnotherByACursorThatCanBeKept() async throws {
        let gallery = try Gallery()
        var cursor: PageCursor?
        var ids: [String] = []
        for _ in 1...3 {
            // A new engine each time, as a server that was started again.
            let engine = try gallery.engine()
            let page = try await engine.page(of: .search("fox"), in: "loop", after: cursor)
            #expect(page.total == 1_000)
            ids += page.items.map(\.id)
            let next = try #require(page.next)
            cursor = try JSONDecoder().decode(PageCursor.self, from: try JSONEncoder().encode(next))
            await engine.shutdown()
        }
        #expect(ids == (1...15).map(String.init))
    }

    @Test func noticesOfASearchGoToItsListener() async throws {
        let gallery = try Gallery()
        let all = Mutex<[String]>([])
        let own = Mutex<[String]>([])
        let engine = try gallery.engine { configuration in
            configuration.cacheFolder = nil
            configuration.onNotice = { notice in
                if case .request(_, let text) = notice { all.withLock { $0.append(text) } }
            }
        }
        for await _ in engine.events(of: .search("quiet")) {}
        for await _ in engine.events(
            of: .search("heard"),
            context: EngineContext { notice in
                if case .request(_, let text) = notice { own.withLock { $0.append(text) } }
            })
        {}
        #expect(own.withLock { $0.count } > 0 && own.withLock { $0.allSatisfy { $0.contains("heard") } })
        #expect(all.withLock { $0.count } > 0 && all.withLock { $0.allSatisfy { $0.contains("quiet") } })
        await engine.shutdown()
    }

    @Test func whatIsNoImageOrTooLargeIsRefused() async throws {
        let gallery = try Gallery()
        let engine = try gallery.engine()
        var item = try #require(try await engine.page(of: .search("fox"), in: "loop").items.first)
        await #expect(throws: (any Error).self) { try await engine.images.thumbnail(of: item, upTo: 1_000) }
        item.media[0].url = try WebURL("\(gallery.server.origin)/search?page=1")
        let error = await #expect(throws: EngineError.self) { try await engine.images.thumbnail(of: item) }
        #expect(error?.code == .notAnImage)
        item.media[0].url = try WebURL("https://elsewhere.example/1.jpg")
        await #expect(throws: (any Error).self) { try await engine.images.thumbnail(of: item) }
        await engine.shutdown()
    }

    /// Sources list the size of the original beside a thumbnail that is cut to a square.
    @Test func thumbnailMayBeOfAnotherSizeThanListed() async throws {
        let gallery = try Gallery()
        let engine = try gallery.engine()
        var item = try #require(try await engine.page(of: .search("fox"), in: "loop").items.first)
        (item.media[0].width, item.media[0].height) = (4_000, 1_000)
        #expect(try await engine.images.thumbnail(of: item).width == 40)
        let error = await #expect(throws: EngineError.self) {
            try await engine.images.data(for: item.media[0], of: item)
        }
        #expect(error?.code == .notAnImage)
        await engine.shutdown()
    }

    @Test func samplesHavePicturesWithoutARequest() async throws {
        var configuration = ImageEngine.Configuration(environment: ["HOME": TemporaryFolder().path])
        configuration.worker = BuiltWorker.path
        configuration.answers = .samples
        let engine = try ImageEngine(configuration)
        var pictures: Set<ImageData> = []
        for try await image in engine.search("coffee", in: ["pixabay"]) {
            let picture = try await engine.images.thumbnail(of: image)
            #expect(picture.format == "png" && picture.width == 32)
            pictures.insert(picture)
        }
        #expect(pictures.count == 20, "each has its own")
        await engine.shutdown()
    }

    @Test func keysComeFromWhereTheProgramSays() async throws {
        struct Vault: SecretSource {
            func secrets(named names: [String], of owner: SecretOwner) -> [String: String] {
                Dictionary(uniqueKeysWithValues: names.map { ($0, "\(owner)-\($0)-of-the-vault") })
            }
        }
        let server = try LoopbackServer { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let folder = TemporaryFolder()
        try LoopbackSource.provider("keyed", port: server.port, auth: "auth: { type: 'bearer' },").write(
            toFile: "\(folder.path)/keyed.js", atomically: true, encoding: .utf8)
        var configuration = ImageEngine.Configuration(environment: ["HOME": folder.path])
        configuration.worker = BuiltWorker.path
        configuration.providerFolders = [folder.path]
        configuration.allowedHosts = ["127.0.0.1:\(server.port)"]
        configuration.secrets = Vault()
        let engine = try ImageEngine(configuration)
        for try await item in engine.search("fox", in: ["keyed"]) { #expect(item.id == "1") }
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer keyed-key-of-the-vault"])
        await engine.shutdown()
    }
}
