import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite struct RehearsalTests {
    private let environment = ScriptEnvironment(memory: 256 << 20)
    private var rehearsal: Rehearsal { Rehearsal(environment: environment) }

    @Test func goesThroughAllThatACallAndItsAnswerTake() throws {
        let source = """
            module.exports = {
              contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: ['https://a.example'], mediaHosts: ['*'],
              search: { request: () => ({ url: 'https://a.example/' }), parse: () => ({ items: [] }) },
            };
            """
        let script = try ProviderScript(file: "a.js", source: source, in: environment)
        #expect(rehearsal.request(of: script.manifest))
        #expect(rehearsal.answer(within: WorkerLimits()))
    }

    @Test func leavesNoAnswerBehind() throws {
        rehearsal.answer(within: WorkerLimits())
        #expect(throws: NativeError.self) { try environment.responses.response(0) }
        let url = try WebURL("https://images.example/")
        #expect(environment.responses.add(ProviderResponse(status: 204, url: url)) == 1)
        #expect(try environment.responses.response(1).status == 204)
    }
}
