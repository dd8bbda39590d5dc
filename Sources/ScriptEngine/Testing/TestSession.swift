import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// A test file beside the provider it tests: reads it, and runs its tests one at a time.
final class TestSession {
    /// Asks the host, and waits for its answer.
    typealias Ask = (TestQuestion) throws(NativeError) -> TestAnswer

    /// The tests, in the file's order.
    private(set) var descriptions: [TestDescription] = []
    private let file: String
    private let environment: ScriptEnvironment
    private let operations: TestOperations
    private let prelude: TestPrelude

    /// Reads the file.
    init(
        _ source: TestFileSource, of script: ProviderScript, limits: WorkerLimits, ask: @escaping Ask
    ) throws(ProviderError) {
        file = source.file
        environment = script.environment
        let operations = TestOperations(script: script, limits: limits, instance: source.instance, ask: ask)
        self.operations = operations
        let runtime = script.environment.runtime
        prelude = TestPrelude(in: script.environment, native: runtime.object(of: operations.functions))
        do throws(ScriptFault) {
            try read(source)
            descriptions = try foundTests()
        } catch {
            throw ScriptErrorContext(environment: environment, location: SourceLocation(file: file)).error(error)
        }
    }

    /// Runs the test with an index.
    func run(_ index: Int) -> WorkerMessage {
        guard descriptions.indices.contains(index) else {
            return .failed(ProviderError(.worker, provider: "", message: "no test \(index)"))
        }
        operations.begin()
        defer {
            environment.responses.removeAll()
            environment.documents.removeAll()
        }
        var outcome: TestOutcome
        do throws(ScriptRuntime.Interruption) {
            _ = try environment.runtime.call(prelude.perform, [.number(Double(index))])
            let json = try prelude.outcome()
            outcome = reader.outcome(json)
        } catch {
            let place = descriptions[index].location ?? SourceLocation(file: file)
            let error = ScriptErrorContext(environment: environment, location: place).error(.interruption(error))
            outcome = TestOutcome(failure: TestFailure(error))
        }
        // A limit that the provider passed ends the test, whatever the test makes of it.
        if let fault = operations.fault { outcome.failure = TestFailure(fault) }
        return .tested(outcome)
    }

    private var reader: TestOutcomeReader { TestOutcomeReader(file: file, environment: environment) }

    private func read(_ source: TestFileSource) throws(ScriptFault) {
        let runtime = environment.runtime
        var json = JSONWriter()
        json.object { json in
            for snapshot in source.snapshots {
                json.name(snapshot.name)
                json.value(JSONText(validated: snapshot.value))
            }
        }
        do throws(ScriptRuntime.Interruption) {
            let snapshots = runtime.value(fromJSON: ScriptText(json.text)) ?? runtime.value(fromJSON: ScriptText("{}"))
            _ = try runtime.call(
                prelude.begin, [.value(snapshots ?? runtime.undefined), .boolean(source.updatesSnapshots)])
            _ = try runtime.call(environment.prelude.load, [.text(source.file), .text(source.text)])
        } catch {
            throw .interruption(error)
        }
    }

    private func foundTests() throws(ScriptFault) -> [TestDescription] {
        do throws(ScriptRuntime.Interruption) { return reader.tests(try prelude.tests()) } catch {
            throw .interruption(error)
        }
    }
}

extension TestFailure {
    /// An error with its place as a test's failure.
    init(_ error: ProviderError) {
        let path = error.path.map { "\($0): " } ?? ""
        let action = [error.operation?.rawValue, error.phase].compactMap(\.self).joined(separator: ".")
        self.init(
            (action.isEmpty ? "" : "\(action): ") + path + error.message, location: error.location, code: error.code)
    }
}
