import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct CurlLoopTests {
    @Test func requestGoesOutBeforeAllTasksOfTheThreadHaveBegun() async throws {
        let asked = Gate()
        let server = try LoopbackServer { _ in
            asked.open()
            return .answer()
        }
        let transport = CurlTransport(settings: try .loopback())
        let thread = transport.executors[0]
        let everybody = Gate()
        let results = await withTaskGroup(of: Bool.self) { group in
            group.addTask(executorPreference: thread) {
                everybody.wait()
                return true
            }
            group.addTask(executorPreference: thread) { (try? await transport.send(server.request()))?.status == 200 }
            for _ in 0..<400 { group.addTask(executorPreference: thread) { true } }
            // This one holds up the thread until the server has heard of the request.
            group.addTask(executorPreference: thread) { asked.wait(for: .seconds(30)) }
            everybody.open()
            return await group.reduce(into: Set<Bool>()) { $0.insert($1) }
        }
        #expect(results == [true])
    }
}
