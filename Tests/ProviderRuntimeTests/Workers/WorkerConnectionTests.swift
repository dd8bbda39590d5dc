import Dispatch
import ProviderModel
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import ProviderRuntime

@Suite("A worker takes calls before answers", .timeLimit(.minutes(1)))
struct WorkerConnectionTests {
    @Test func callGoesAheadOfAnswersThatWait() async throws {
        var settings = WorkerSettings(executable: BuiltWorker.path)
        settings.deadline = .seconds(30)
        let connection = WorkerConnection(settings: settings)
        let steps = Mutex<[String]>([])
        let (isReading, mayGoOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let handlers = WorkerConnection.Handlers(
            module: WorkerConnection.Handlers.none.module,
            log: { _, text in
                steps.withLock { $0.append(text) }
                guard text == "reads 1" else { return }
                // The connection is busy with the first answer until the other messages wait.
                isReading.continuation.yield()
                mayGoOn.wait()
            })
        let script = HostileScript.file(
            search: """
                {
                  request: (q) => { console.log('asks ' + q.text); return { url: 'https://example.com/' + q.text }; },
                  parse: (res, q) => { console.log('reads ' + q.text); return { items: [] }; },
                }
                """)
        _ = try await connection.exchange(
            HostMessage.load(file: "a.js", source: script, limits: settings.limits).frame, handlers: handlers)
        for run in 1...2 { _ = try await connection.exchange(Self.call(run), priority: .high, handlers: handlers) }
        async let first = connection.exchange(Self.answer(to: 1), handlers: handlers)
        for await _ in isReading.stream { break }
        async let second = connection.exchange(Self.answer(to: 2), handlers: handlers)
        async let third = connection.exchange(Self.call(3), priority: .high, handlers: handlers)
        while connection.pendingCount < 2 { await Task.yield() }
        mayGoOn.signal()
        _ = try await (first, second, third)
        #expect(steps.withLock(\.self) == ["asks 1", "asks 2", "reads 1", "asks 3", "reads 2"])
        await connection.close()
    }

    private static func call(_ run: Int) -> [UInt8] {
        HostMessage.call(run: run, EncodedCall(.search(ProviderQuery(text: "\(run)")))).frame
    }

    private static func answer(to run: Int) throws -> [UInt8] {
        let response = ProviderResponse(
            status: 200, url: try WebURL("https://example.com/\(run)"),
            headers: [NamedValue("content-type", "application/json")], body: Array("{}".utf8))
        return HostMessage.responses(run: run, [response]).frame
    }
}
