import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite struct RehearsalTests {
    private let environment = ScriptEnvironment(memory: 256 << 20)

    @Test func goesThroughAllThatAnAnswerTakes() {
        #expect(environment.rehearse(WorkerLimits()))
    }

    @Test func leavesNoAnswerBehind() throws {
        environment.rehearse(WorkerLimits())
        #expect(throws: NativeError.self) { try environment.responses.response(0) }
        let url = try WebURL("https://images.example/")
        #expect(environment.responses.add(ProviderResponse(status: 204, url: url)) == 1)
        #expect(try environment.responses.response(1).status == 204)
    }
}
