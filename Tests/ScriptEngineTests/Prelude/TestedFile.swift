import ProviderModel
import WorkerProtocol

@testable import ScriptEngine

/// A test file read by an engine without a sandbox, beside a provider without requests.
struct TestedFile {
    private let session: TestSession
    private let environment: ScriptEnvironment

    /// Reads a file; `answer` is the host.
    init(
        _ text: String, provider: String = Self.provider, snapshots: [NamedValue] = [], updating: Bool = false,
        answer: @escaping (TestQuestion) -> TestAnswer = { _ in .item(nil) }
    ) throws {
        environment = ScriptEnvironment(memory: 256 << 20)
        let script = try ProviderScript(file: "made.js", source: provider, in: environment)
        var source = TestFileSource(file: "made.test.js", text: text)
        source.snapshots = snapshots
        source.updatesSnapshots = updating
        session = try TestSession(source, of: script, limits: WorkerLimits()) { question throws(NativeError) in
            answer(question)
        }
    }

    /// The tests it declares.
    var tests: [TestDescription] { session.descriptions }

    /// Stops scripts after so many seconds.
    func limit(to time: Duration) { environment.runtime.limitTime(to: time) }

    /// What comes of a test.
    func outcome(of index: Int = 0) -> TestOutcome {
        guard case .tested(let outcome) = session.run(index) else {
            return TestOutcome(failure: TestFailure("no such test"))
        }
        return outcome
    }

    /// Why a test with this body fails; "passed" when it does not.
    static func result(of body: String) throws -> String {
        try TestedFile("test('t', () => { \(body) });").outcome().failure?.message ?? "passed"
    }

    static let provider = """
        module.exports = { contract: 1, id: 'made', name: 'Made', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'],
          limits: { pageSize: { min: 2, max: 50, default: 10 } }, paging: 'page0',
          search: {
            params: { order: { type: 'choice', values: ['new', 'top'], default: 'new' }, tags: { type: 'list' },
              size: { type: 'integer', min: 1 }, safe: { type: 'boolean' } },
            request: (q) => ({ url: 'https://a.example/', query: { q: JSON.stringify(q) } }),
            parse: (res) => ({ total: 1, next: [1], items: [{ id: '1', type: 'image', media: [], title: res.text }] }),
          },
          details: {
            request: (item) => ({ url: `https://a.example/${item.id}` }),
            parse: (res) => ({ id: '1', title: 1, type: 'image', media: [] }),
          } };
        """
}
