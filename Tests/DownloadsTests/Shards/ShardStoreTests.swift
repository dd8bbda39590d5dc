import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct ShardStoreTests {
    private static let program = BuiltExecutable.path(of: "download-benchmark")

    private func run(_ size: ShardSize = .default) -> QueueRun {
        var run = QueueRun()
        run.template = "{id}.{ext}"
        run.shardSize = size
        return run
    }

    /// The shards of a folder and the names in each; every one has to be whole.
    private func shards(_ folder: String) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".tar") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            #expect(bytes.suffix(TarHeader.endLength).allSatisfy { $0 == 0 })
            var samples = ShardSamples(BytesContent(Array(bytes)))
            var names: [String] = []
            var end = 0
            while let sample = try samples.next(), sample.isIntact {
                names.append("\(sample.name).\(sample.ending)")
                end = sample.end
            }
            #expect(end + TarHeader.endLength == bytes.count)
            found[name] = names
        }
        return found
    }

    @Test func imageAndJSONShareAKeyWithoutDots() async throws {
        let image = ImageBytes.jpeg()
        let server = try FileServer(image)
        let run = run()
        _ = try await run.run(ItemSource(server.origin).requests(["v1.2", "b"]))
        #expect(run.names == ["00000.tar"])
        #expect(Set(try shards(run.folder.path)["00000.tar"] ?? []) == ["v1_2.jpg", "b.jpg"])
        let tar = try #require(HelperProcess.path(of: "tar"))
        #expect(try HelperProcess.run(tar, ["-xf", run.folder.path + "/00000.tar", "-C", run.folder.path]))
        #expect(run.content(of: "v1_2.jpg") == fingerprint(image))
        #expect(
            run.text(of: "v1_2.json").hasPrefix(#"{"provider":"example","id":"v1.2","type":"image","title":"Red fox""#))
    }

    @Test(arguments: [ShardSize.samples(4), .bytes(12_000)])
    func fullShardsAreFollowedByOthersAndTheNextRunAddsItsOwn(size: ShardSize) async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var run = run(size)
        run.options.jobs = 1
        let source = ItemSource(server.origin)
        _ = try await run.run(source.requests((0..<10).map { "\($0)" }))
        let first = try shards(run.folder.path)
        #expect(first.values.map(\.count).reduce(0, +) == 10)
        #expect(first["00000.tar"]?.count == 4)
        #expect(try await run.run(source.requests((0..<12).map { "\($0)" })).summary.skipped == 10)
        #expect(try shards(run.folder.path).values.map(\.count).reduce(0, +) == 12)
        #expect(server.server.requests.count == 12)
    }

    @Test func samplesOfOneNameAreKeptApart() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        var run = run()
        run.template = "same.{ext}"
        run.options.jobs = 1
        _ = try await run.run(ItemSource(server.origin).requests(["1", "2", "3"]))
        let names = try shards(run.folder.path)["00000.tar"] ?? []
        #expect(Set(names).count == 3 && names.allSatisfy { $0.hasPrefix("same") })
    }

    @Test func listIsMadeAnewFromTheShardsWhenItIsGone() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let run = run(.samples(3))
        let requests = ItemSource(server.origin).requests((0..<8).map { "\($0)" })
        _ = try await run.run(requests)
        try FileManager.default.removeItem(atPath: run.folder.path + "/.imgscript")
        #expect(try await run.run(requests).summary.skipped == 8)
        try FileManager.default.removeItem(atPath: run.folder.path + "/00000.tar")
        #expect(try await run.run(requests).summary.finished == 3)
    }

    @Test func unfinishedWorkIsGoneOnWithInTheSameShard() async throws {
        let server = try FileServer(ImageBytes.jpeg())
        let source = ItemSource(server.origin)
        let run = run()
        let first = try ShardStore(folder: DownloadFolder(path: run.folder.path), now: { 1 })
        let planned = NameTemplate.default.plan(source.requests(["1"])[0])
        let part = try first.open(planned)
        let image = ImageBytes.jpeg()
        try image.withUnsafeBytes { try part.write($0, at: 0) }
        let file = FetchedFile(
            bytes: image.count, sha256: Hashes.sha256(image), format: .jpeg, size: nil, notes: [])
        let fetched = FetchedDownload(
            planned: planned, media: planned.request.media, url: "", part: part, file: file, content: file.sha256)
        _ = try first.keep(fetched, at: nil)
        try first.finish(isComplete: false)
        #expect(run.names == ["00000.tar.part"])
        #expect(try await run.run(source.requests(["1", "2"])).summary.skipped == 1)
        #expect(run.names == ["00000.tar"])
        #expect(try shards(run.folder.path)["00000.tar"]?.count == 2)
    }

    @Test func killedRunsAddUpToWholeShardsWithEachSampleOnce() async throws {
        let server = try FileServer([]) { request, _ in .answer(body: Self.bytes(of: request.path)) }
        let folder = TemporaryFolder()
        let names = (1...150).map { "/\($0).jpg" }
        let list = try URLFile(names.map { server.origin + $0 }, in: folder).path
        let target = folder.path + "/out"
        let arguments = [list, target, "--any", "--jobs", "4", "--webdataset", "200kB"]
        for round in 0..<10 {
            let seen = server.server.requests.count
            let process = try HelperProcess(Self.program, arguments)
            // On a busy machine a run may get further than that, up to the end of the list.
            while server.server.requests.count < seen + 4 + round,
                Set(server.server.requests.map(\.path)).count < names.count
            { await Task.yield() }
            process.crash()
            _ = process.nextBytes()
        }
        let beforeLast = server.server.requests.count
        #expect(try HelperProcess.run(Self.program, arguments))
        let shards = try shards(target)
        #expect(shards.values.flatMap(\.self).sorted() == names.map { String($0.dropFirst()) }.sorted())
        #expect(shards.count > 4)
        // What the killed runs had finished is not asked for again; how much that is depends on the moments of the kills.
        #expect(server.server.requests.count - beforeLast < names.count)
        #expect(server.server.requests.count < names.count + beforeLast)
        let parts = try FileManager.default.contentsOfDirectory(atPath: target + "/.imgscript/parts")
        #expect(parts.isEmpty)
    }

    @Test func processesInOneFolderWriteShardsOfTheirOwn() async throws {
        let server = try FileServer([]) { request, _ in .answer(body: Self.bytes(of: request.path)) }
        let folder = TemporaryFolder()
        let names = (1...120).map { "/\($0).jpg" }
        let list = try URLFile(names.map { server.origin + $0 }, in: folder).path
        let target = folder.path + "/out"
        let arguments = [list, target, "--any", "--jobs", "4", "--webdataset", "300kB"]
        async let first = HelperProcess.runOnThread(Self.program, arguments + ["--shard", "1/2"])
        async let second = HelperProcess.runOnThread(Self.program, arguments + ["--shard", "2/2"])
        #expect(try await [first, second] == [true, true])
        #expect(try shards(target).values.flatMap(\.self).sorted() == names.map { String($0.dropFirst()) }.sorted())
        #expect(server.server.requests.count == names.count)
    }

    private static func bytes(of path: String) -> [UInt8] {
        patterned(2_000 + path.count * 1_500, seed: UInt64(path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } & 0xffff))
    }
}
