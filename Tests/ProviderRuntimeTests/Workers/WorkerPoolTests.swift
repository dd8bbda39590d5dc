import Glibc
import ProviderModel
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("A pool keeps few workers and leaves none", .serialized, .timeLimit(.minutes(2)))
struct WorkerPoolTests {
    @Test func nothingIsLeftWhenThePoolIsClosed() async throws {
        let worker = try NamedWorker(deadline: try await ScriptPace.deadline())
        let pool = WorkerPool(settings: worker.settings)
        for name in ["a", "b"] { try await ScriptUnderTest(Self.calm, as: name, in: pool).search() }
        _ = await #expect(throws: ProviderError.self) { try await ScriptUnderTest("for (;;) {}", as: "c", in: pool) }
        #expect(worker.count <= 3, "the one that looped may still be on its way out")
        await pool.close()
        #expect(worker.count == 0)
    }

    @Test func nothingIsLeftWhenThePoolIsReleased() async throws {
        let worker = try NamedWorker()
        do {
            let pool = WorkerPool(settings: worker.settings)
            for name in ["a", "b"] { try await ScriptUnderTest(Self.calm, as: name, in: pool).search() }
        }
        // The last message may still be on its way.
        while worker.count > 0, !Task.isCancelled { await Task.yield() }
        #expect(worker.count == 0)
    }

    @Test func unusedWorkersAreEvicted() async throws {
        let worker = try NamedWorker()
        let pool = WorkerPool(settings: worker.settings)
        var scripts: [ScriptUnderTest] = []
        for number in 0..<9 { scripts.append(try await ScriptUnderTest(Self.calm, as: "p\(number)", in: pool)) }
        // Those that made room may still be on their way out.
        while worker.count > 6, !Task.isCancelled { await Task.yield() }
        #expect(worker.count <= 6)
        for script in scripts { try await script.search() }
        await pool.close()
        #expect(worker.count == 0)
    }

    @Test func awaitedWorkerIsNotEvicted() async throws {
        var settings = WorkerSettings(executable: BuiltWorker.path)
        settings.deadline = .seconds(60)
        settings.workers = 1
        let pool = WorkerPool(settings: settings)
        var loaded: [ScriptUnderTest] = []
        for number in 0..<8 { loaded.append(try await ScriptUnderTest(Self.calm, as: "p\(number)", in: pool)) }
        let scripts = loaded
        // Each search finds its worker ended, and starts another while those of the others are about to be used.
        try await withThrowingTaskGroup { group in
            for part in 0..<4 {
                group.addTask { for turn in 0..<40 { try await scripts[part * 2 + turn % 2].search() } }
            }
            try await group.waitForAll()
        }
        await pool.close()
    }

    @Test func aRequestThatHasToBeKilledIsPlacedAtTheRequest() async throws {
        let worker = try NamedWorker(deadline: try await ScriptPace.deadline())
        let pool = WorkerPool(settings: worker.settings)
        let script = try await ScriptUnderTest(
            """
            module.exports = { contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: ['a.example'], mediaHosts: [],
              search: {
                request: () => { const again = () => { Promise.resolve().then(again); }; again(); },
                parse: () => ({ items: [] }),
              } };
            """, as: "a", in: pool)
        let error = await #expect(throws: ProviderError.self) { try await script.search() }
        // The engine's own watchdog does not see promises: it is the host that ends this one.
        #expect(error?.code == .timeout)
        #expect(error?.phase == "request")
        #expect(error?.location?.line == 3)
        await pool.close()
    }

    @Test func missingWorkerIsSaidToBeMissing() async throws {
        var settings = WorkerSettings(executable: "/nonexistent/imgscript-worker")
        settings.deadline = .milliseconds(300)
        let pool = WorkerPool(settings: settings)
        let error = await #expect(throws: ProviderError.self) {
            try await ScriptUnderTest(Self.calm, as: "a", in: pool)
        }
        #expect(error?.code == .worker)
        #expect(
            error?.message == "could not start the worker /nonexistent/imgscript-worker: No such file or directory"
        )
        #expect(error?.hint == .installWorker)
        await pool.close()
    }

    @Test(arguments: [(EMFILE, "more open files"), (EAGAIN, "more processes"), (ENOENT, "install imgscript-worker")])
    func workerThatDoesNotStartIsReportedWithAHint(code: Int32, hint: String) {
        let settings = WorkerSettings(executable: "imgscript-worker")
        let error = WorkerError.notStarted(settings.executable, code: code)
            .providerError("a", file: "a.js", settings: settings)
        #expect(error.hint?.description.contains(hint) == true, "\(error.hint?.description ?? "")")
    }

    @Test func kernelWithoutSeccompIsReportedWithAHint() {
        let settings = WorkerSettings(executable: "imgscript-worker")
        let error = WorkerError.notSandboxed("seccomp: Function not implemented")
            .providerError("a", file: "a.js", settings: settings)
        #expect(error.message.hasPrefix("the worker refused to run a script without its sandbox: seccomp"))
        #expect(error.hint?.description.contains("seccomp filters (Linux 3.17 or later)") == true)
    }

    @Test func callAfterTheWorkerWasKilledStartsAnother() async throws {
        let worker = try NamedWorker()
        let pool = WorkerPool(settings: worker.settings)
        let script = try await ScriptUnderTest(Self.calm, as: "a", in: pool)
        for id in worker.ids { kill(id, SIGKILL) }
        let error = await #expect(throws: ProviderError.self) { try await script.search() }
        #expect(error?.message == "the script engine crashed (Killed)")
        try await script.search()
        await pool.close()
    }

    @Test func callsThatComeTogetherWaitForTheFileToBeEvaluated() async throws {
        let worker = try NamedWorker()
        let first = WorkerPool(settings: worker.settings)
        let script = try await ScriptUnderTest(Self.calm, as: "a", in: first)
        for _ in 0..<10 {
            // The manifest is known from before, so that the file has not been evaluated here.
            let pool = WorkerPool(settings: worker.settings)
            let known = script.elsewhere(in: pool)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await known.search() } }
                try await group.waitForAll()
            }
            await pool.close()
        }
        await first.close()
    }

    private static let calm = HostileScript.file(
        search: "{ request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [] }) }")
}

/// The built worker under a name of its own, by which its processes are found among those of other tests.
private final class NamedWorker: Sendable {
    let settings: WorkerSettings
    private let folder = TemporaryFolder()
    private let name: String

    init(deadline: Duration = .seconds(60)) throws {
        name = "w\(UInt32.random(in: 1_000_000...9_999_999))"
        let path = "\(folder.path)/\(name)"
        try #require(symlink(BuiltWorker.path, path) == 0)
        var settings = WorkerSettings(executable: path)
        settings.deadline = deadline
        self.settings = settings
    }

    var count: Int { ids.count }

    /// The running processes, and those that have ended and were not waited for.
    var ids: [pid_t] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var ids: [pid_t] = []
        while let entry = readdir(folder) {
            let text = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = pid_t(text), let file = fopen("/proc/\(id)/comm", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 64)
            guard fgets(&line, 64, file) != nil else { continue }
            if String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                == name
            {
                ids.append(id)
            }
        }
        return ids
    }
}
