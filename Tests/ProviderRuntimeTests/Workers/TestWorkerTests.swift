import ProviderModel
import ProviderRuntime
import TestSupport
import Testing
import WorkerProtocol

@Suite("A test file runs in the sandbox and costs nothing but itself", .serialized)
struct TestWorkerTests {
    @Test func requestsAreAnsweredWhileTheTestWaits() async throws {
        let run = try await TestFileRun(
            "test('t', () => { expect(run.search('x').items[0].title).toBe('answered'); });")
        let outcome = try await run.outcome(answering: "answered")
        #expect(outcome.failure == nil)
        #expect(outcome.expectations == 1)
        await run.close()
    }

    @Test func waitingForTheHostIsNotTheScriptsTime() async throws {
        let deadline = try await ScriptPace.deadline(atLeast: .milliseconds(600))
        let run = try await TestFileRun("test('t', () => { run.search('a'); });", deadline: deadline)
        let clock = ContinuousClock()
        let outcome = try await run.outcome(answering: "x") {
            // Longer than a step may take; nothing else is waited for.
            let end = clock.now + deadline + .milliseconds(100)
            while clock.now < end { await Task.yield() }
        }
        #expect(outcome.failure == nil)
        await run.close()
    }

    @Test func everyStepHasItsOwnTime() async throws {
        let deadline = try await ScriptPace.deadline(atLeast: .seconds(1))
        let work = "const end = Date.now() + \(deadline.milliseconds / 6); while (Date.now() < end);"
        let run = try await TestFileRun(
            "test('t', () => { for (let i = 0; i < 8; i++) { \(work) run.search('a'); } });", deadline: deadline)
        #expect(try await run.outcome(answering: "x").failure == nil)
        await run.close()
    }

    @Test(arguments: [
        "for (;;) n += 1;",
        "(function f() { Promise.resolve().then(f); })();",
        "for (;;) { try { for (;;) n += 1; } catch {} finally { continue; } }",
    ])
    func endlessTestIsStoppedInTime(_ body: String) async throws {
        let deadline = try await ScriptPace.deadline()
        let start = ContinuousClock.now
        let message = ScriptLimit.time(milliseconds: deadline.milliseconds).message
        try await expect(body, toEndIn: .timeout, message, deadline: deadline)
        #expect(ContinuousClock.now - start < deadline + .milliseconds(500) + TimeTolerance.default)
    }

    @Test(arguments: [
        "let s = 'x'; for (;;) s += s;",
        "const a = []; for (;;) a.push(new Array(1e5).fill(1));",
        "expect(new Array(3e7).fill({})).toEqual(new Array(3e7).fill(1));",
    ])
    func greedyTestIsStoppedAtItsMemory(_ body: String) async throws {
        try await expect(body, toEndIn: .memory, "needed more than 128 MB and was stopped", deadline: .seconds(60))
    }

    private func expect(
        _ body: String, toEndIn code: ProviderError.Code, _ message: String, deadline: Duration
    ) async throws {
        let run = try await TestFileRun("let n = 0; test('t', () => { \(body) });", deadline: deadline, memory: 128)
        do {
            let failure = try #require(try await run.outcome(answering: "x").failure)
            #expect(failure.code == code)
            #expect(failure.message == message)
        } catch let error as ProviderError {
            // What the engine cannot stop by itself the host does.
            #expect(error.code == code)
            #expect(error.message == message)
            #expect(error.location?.file == "made.test.js")
        }
        await run.close()
    }

    @Test(arguments: [
        (
            "for (let i = 0; i < 1e6; i++) test('t' + i, () => {});", ProviderError.Code.script,
            "RangeError: a test file has at most 2000 tests"
        ),
        ("test('x' () => {});", .script, "SyntaxError: Unexpected token '=>'. Expected ')' to end an argument list."),
        (
            "require('fs');", .script,
            "TypeError: require: expected 'imgscript' or a module such as './theme', found \"fs\""
        ),
    ])
    func hostileFileEndsInOneError(_ text: String, _ code: ProviderError.Code, _ message: String) async throws {
        let error = await #expect(throws: ProviderError.self) { try await TestFileRun(text) }
        #expect(error?.code == code)
        #expect(error?.message == message)
        #expect(error?.location?.file == "made.test.js")
    }

    @Test func endlessFileIsStoppedInTime() async throws {
        let deadline = try await ScriptPace.deadline()
        let error = await #expect(throws: ProviderError.self) {
            try await TestFileRun("for (;;) Math.random();", deadline: deadline)
        }
        #expect(error?.code == .timeout)
        #expect(error?.message == ScriptLimit.time(milliseconds: deadline.milliseconds).message)
        #expect(error?.location?.file == "made.test.js")
    }

    @Test func theProvidersOwnModuleCanBeLookedAt() async throws {
        let run = try await TestFileRun("test('t', () => { expect(require('./made').id).toBe('made'); });")
        #expect(try await run.outcome(answering: "x").failure == nil)
        await run.close()
    }

    @Test func aProviderThatIsNotTestedHasNoTestLibrary() async throws {
        let pool = WorkerPool(settings: WorkerSettings(executable: BuiltWorker.path))
        let error = await #expect(throws: ProviderError.self) {
            try await pool.load(ScriptSource(file: "made.js", text: "require('imgscript/test');"), as: "made")
        }
        #expect(error?.message.contains("expected 'imgscript' or a module") == true)
        await pool.close()
    }
}

/// A worker with a provider and a test file.
private struct TestFileRun {
    private let worker: TestWorker
    private let source: TestFileSource

    init(_ text: String, deadline: Duration = .seconds(60), memory: Int = 256) async throws {
        var settings = WorkerSettings(executable: BuiltWorker.path)
        settings.deadline = deadline
        settings.memory = memory
        let id = try #require(ProviderID("made"))
        worker = TestWorker(for: ScriptSource(file: "made.js", text: Self.provider), of: id, settings: settings)
        source = TestFileSource(file: "made.test.js", text: text)
        do {
            _ = try await worker.load()
            _ = try await worker.load(source)
        } catch {
            await worker.close()
            throw error
        }
    }

    func outcome(answering text: String, after wait: () async -> Void = {}) async throws -> TestOutcome {
        try await worker.run(0, of: source) { question in
            await wait()
            guard case .requests(let requests, _, _) = question else { return .item(nil) }
            return .responses(requests.map { ProviderResponse(status: 200, url: $0.url, body: Array(text.utf8)) })
        }
    }

    func close() async { await worker.close() }

    private static let provider = """
        module.exports = { contract: 1, id: 'made', name: 'Made', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'],
          search: {
            request: (q) => ({ url: 'https://a.example/', query: { q: q.text } }),
            parse: (res) => ({ items: [{ id: '1', type: 'image', media: [], title: res.text }] }),
          } };
        """
}
