import Foundation
import TestSupport
import Testing

@testable import Downloads

@Suite struct KilledProcessTests {
    /// The program that downloads a list.
    private static let program = BuiltExecutable.path(of: "download-benchmark")

    private func list(_ urls: [String], in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/list"
        try Data(urls.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func killedRunsAddUpToWholeFilesEachFetchedOnce() async throws {
        let server = try FileServer([]) { request, _ in
            .answer(headers: [("ETag", "\"1\"")], body: Self.bytes(of: request.path))
        }
        let folder = TemporaryFolder()
        let names = (1...120).map { "/\($0).jpg" }
        let list = try list(names.map { server.origin + $0 }, in: folder)
        let target = folder.path + "/out"
        var finishedBefore: Set<String> = []
        for round in 0..<12 {
            let seen = server.server.requests.count
            let process = try HelperProcess(Self.program, [list, target, "--any", "--jobs", "4"])
            // Killed after some more requests than the last time, wherever it happens to be then.
            // On a busy machine a run may get further than that, up to the end of the list.
            while server.server.requests.count < seen + 3 + round,
                Set(server.server.requests.map(\.path)).count < names.count
            { await Task.yield() }
            process.crash()
            _ = process.nextBytes()
            let asked = server.server.requests[seen...].map(\.path)
            #expect(finishedBefore.isDisjoint(with: asked))
            finishedBefore = Set(try Self.finished(in: target))
        }
        #expect(try HelperProcess.run(Self.program, [list, target, "--any"]))
        for name in names {
            let bytes = FileManager.default.contents(atPath: target + name).map { fingerprint(Array($0)) }
            #expect(bytes == fingerprint(Self.bytes(of: name)))
        }
        #expect(try Self.finished(in: target).count == names.count)
    }

    @Test func largeFileGoesOnAfterEveryKill() async throws {
        let bytes = patterned(8_000_000)
        let server = try FileServer(bytes) { request, number in
            guard number <= 6 else { return nil }
            let reply = FileServer.answer(request, FileServer.File(bytes: bytes))
            guard case .send(let all)? = reply.steps.first else { return nil }
            return LoopbackReply([.send(Array(all.prefix(1_200_000 + number * 7_777))), .stall])
        }
        let folder = TemporaryFolder()
        let list = try list([server.origin + "/a.bin"], in: folder)
        let target = folder.path + "/out"
        var present = 0
        for round in 1...6 {
            let process = try HelperProcess(Self.program, [list, target, "--any", "--parts", "1"])
            while server.server.requests.count < round { await Task.yield() }
            // The bytes are on disk when the state says so.
            present = await Self.growth(in: target, beyond: present)
            process.crash()
            _ = process.nextBytes()
        }
        #expect(try HelperProcess.run(Self.program, [list, target, "--any", "--parts", "1"]))
        #expect(
            FileManager.default.contents(atPath: target + "/a.bin").map { fingerprint(Array($0)) } == fingerprint(bytes)
        )
        let starts = server.ranges.map { Int($0.dropFirst(6).prefix { $0 != "-" }) ?? 0 }
        #expect(starts == starts.sorted() && Set(starts).count == 7, "\(starts)")
    }

    @Test func twoProcessesWithTheSameWorkFetchEachFileOnce() async throws {
        let server = try FileServer([]) { request, _ in .answer(body: Self.bytes(of: request.path)) }
        let folder = TemporaryFolder()
        let names = (1...200).map { "/\($0).jpg" }
        let list = try list(names.map { server.origin + $0 }, in: folder)
        let target = folder.path + "/out"
        let arguments = [list, target, "--any", "--no-archive", "--jobs", "4"]
        async let first = HelperProcess.runOnThread(Self.program, arguments)
        async let second = HelperProcess.runOnThread(Self.program, arguments)
        #expect(try await first)
        #expect(try await second)
        #expect(server.server.requests.count == names.count)
        try Self.expect(names, in: target)
    }

    /// Neither what the first has on the way when the second comes, nor what either begins later, is fetched by both.
    @Test(arguments: [[], ["--no-archive"]])
    func processThatJoinsAnotherFetchesWhatThatHasNotBegun(options: [String]) async throws {
        let isJoined = Gate()
        let server = try FileServer([]) { request, number in
            let answer = LoopbackReply.answer(body: Self.bytes(of: request.path))
            return number > 4 ? answer : LoopbackReply([.wait(isJoined)] + answer.steps)
        }
        let folder = TemporaryFolder()
        let names = (1...200).map { "/\($0).jpg" }
        let list = try list(names.map { server.origin + $0 }, in: folder)
        let target = folder.path + "/out"
        let arguments = [list, target, "--any", "--jobs", "4"] + options
        async let first = HelperProcess.runOnThread(Self.program, arguments)
        while server.server.requests.count < 4 { await Task.yield() }
        async let second = HelperProcess.runOnThread(Self.program, arguments)
        while server.server.requests.count < 9 { await Task.yield() }
        isJoined.open()
        #expect(try await first)
        #expect(try await second)
        #expect(Set(server.server.requests.map(\.path)).count == names.count)
        #expect(server.server.requests.count == names.count)
        try Self.expect(names, in: target)
    }

    /// Expects these files whole, and no other.
    private static func expect(_ names: [String], in target: String) throws {
        #expect(try finished(in: target).count == names.count)
        for name in names {
            let found = FileManager.default.contents(atPath: target + name).map { fingerprint(Array($0)) }
            #expect(found == fingerprint(bytes(of: name)))
        }
    }

    @Test func fullDiskIsOneClearErrorAndCompleteFilesStay() async throws {
        let server = try FileServer([]) { request, _ in
            .answer(body: patterned(request.path == "/big.jpg" ? 900_000 : 10_000))
        }
        let folder = TemporaryFolder()
        let names = (1...9).map { "/\($0).jpg" } + ["/big.jpg"] + (10...40).map { "/\($0).jpg" }
        let list = try list(names.map { server.origin + $0 }, in: folder)
        let target = folder.path + "/out"
        let command =
            "ulimit -f 500; \(Self.program) \(list) \(target) --any --no-archive --jobs 1 2>\(folder.path)/said"
        #expect(try !HelperProcess.run("/bin/sh", ["-c", command]))
        let said =
            FileManager.default.contents(atPath: folder.path + "/said").map { String(decoding: $0, as: UTF8.self) }
            ?? ""
        #expect(said.contains("no space left on the disk"), "\(said)")
        #expect(said.split(separator: "\n").count <= 2)
        #expect(try Self.finished(in: target).count == 9)
    }

    private static func bytes(of path: String) -> [UInt8] {
        patterned(3_000 + path.count * 2_000, seed: UInt64(path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } & 0xffff))
    }

    private static func finished(in folder: String) throws -> [String] {
        // The folder is there as soon as the program has begun.
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?
            .filter { $0.hasSuffix(".jpg") }.map { "/" + $0 } ?? []
    }

    /// Waits until the unfinished file's state has more bytes than these, and returns how many.
    private static func growth(in folder: String, beyond count: Int) async -> Int {
        while true {
            // The program may not have made the folder or the file yet.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            if let name = names.first(where: { $0.hasSuffix(".part") }),
                let bytes = FileManager.default.contents(atPath: folder + "/" + name).map(Array.init),
                let state = try? PartState(atEndOf: BytesContent(bytes), length: bytes.count),
                state.blocks.presentBytes > count
            {
                return state.blocks.presentBytes
            }
            await Task.yield()
        }
    }
}
