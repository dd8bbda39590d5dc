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

/// The JavaScript behind a test file: `expect`, `test` and `run`.
///
/// Read only when there is a test file.
struct TestPrelude {
    /// `begin(snapshots, isUpdate)` is called before the file is read.
    let begin: JSObjectRef
    /// `perform(index)` runs a test.
    let perform: JSObjectRef
    private let found: JSObjectRef
    private let outcomeOfLast: JSObjectRef
    private let runtime: ScriptRuntime

    /// Gives scripts `require('imgscript/test')` and its names as globals.
    init(in environment: ScriptEnvironment, native: JSObjectRef) {
        let runtime = environment.runtime
        self.runtime = runtime
        do throws(ScriptRuntime.Interruption) {
            let parts = JSObjectMake(runtime.context, nil, nil) as JSObjectRef
            runtime.keep(parts)
            defer { runtime.release(parts) }
            for (name, source) in Self.parts {
                runtime.set(name, of: parts, to: try runtime.evaluate(source, file: "[imgscript]/\(name).js"))
            }
            let main = try runtime.object(runtime.evaluate(Self.main, file: "[imgscript]/expectations.js"))
            let made = try runtime.object(
                runtime.call(main, [.value(native), .value(parts), .value(environment.prelude.hooks)]))
            runtime.keep(made)
            begin = try runtime.object(runtime.property("begin", of: made))
            perform = try runtime.object(runtime.property("perform", of: made))
            found = try runtime.object(runtime.property("found", of: made))
            outcomeOfLast = try runtime.object(runtime.property("outcome", of: made))
        } catch {
            preconditionFailure("the prelude of tests does not run: \(Self.reason(error, runtime))")
        }
    }

    /// The tests that the file has declared, as JSON.
    func tests() throws(ScriptRuntime.Interruption) -> [UInt8] { try text(of: found) }

    /// What came of the test that was performed last, as JSON.
    func outcome() throws(ScriptRuntime.Interruption) -> [UInt8] { try text(of: outcomeOfLast) }

    private func text(of function: JSObjectRef) throws(ScriptRuntime.Interruption) -> [UInt8] {
        Array((runtime.string(try runtime.call(function, [])) ?? "null").utf8)
    }

    private static func reason(_ interruption: ScriptRuntime.Interruption, _ runtime: ScriptRuntime) -> String {
        guard case .thrown(let thrown) = interruption,
            let text = JSValueToStringCopy(runtime.context, thrown.value, nil)
        else { return "\(interruption)" }
        return ScriptText(owning: text).string
    }

    private static let main = Prelude.text(PackageResources.expectations_js)

    private static let parts = [
        ("equality", Prelude.text(PackageResources.equality_js)),
        ("printing", Prelude.text(PackageResources.printing_js)),
        ("matchers", Prelude.text(PackageResources.matchers_js)),
    ]
}
