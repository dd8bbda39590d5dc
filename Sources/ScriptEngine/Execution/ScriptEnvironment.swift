import CJavaScriptCore
import ProviderModel

/// An engine with its prelude, ready to take a provider's file.
final class ScriptEnvironment {
    let runtime: ScriptRuntime
    let prelude: Prelude
    let responses = ResponseStore()
    let documents = DocumentStore()
    let modules = ModuleTable()
    /// Milliseconds a script may run in one go.
    var timeLimit = 2_000

    init(memory: Int) {
        let runtime = ScriptRuntime(memory: memory)
        self.runtime = runtime
        // The prelude's own `failure` exists only once the prelude runs, and the prelude needs the functions first.
        let makeFailure = FailureMaker(runtime: runtime)
        let functions = NativeFunctions(
            runtime: runtime, responses: responses, documents: documents, modules: modules)
        let native = runtime.object(of: functions.all(failure: makeFailure.failure))
        prelude = Prelude(runtime: runtime, native: native)
        makeFailure.function = prelude.failure
    }

    /// Reads a value a script gave. The error has no place yet.
    func read<Value>(
        _ value: JSValueRef, _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ScriptFault) -> Value {
        let json: [UInt8]?
        do throws(ScriptRuntime.Interruption) { json = try runtime.json(of: value) } catch {
            throw fault(error, serialising: value)
        }
        guard let json else {
            let message = "expected a result, found \(describe(value))"
            throw .violation(ContractViolation(path: "", message: message))
        }
        return try read(json, of: value, body)
    }

    private func read<Value>(
        _ json: [UInt8], of value: JSValueRef, _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ScriptFault) -> Value {
        guard json.count <= Self.resultLimit else {
            let message = "expected at most \(Self.resultLimit >> 20) MB of results, found \(json.count >> 20) MB"
            throw .violation(ContractViolation(path: "", message: message))
        }
        do throws(ContractViolation) {
            return try ContractReader.read(json, probe: { self.describe(value, at: $0) }, body)
        } catch {
            throw .violation(error)
        }
    }

    /// Fails when a value has functions or symbols in it, which its JSON would lack without a word.
    func checkNothingIsDropped(from value: JSValueRef) throws(ScriptFault) {
        let violation: ContractViolation?
        do throws(ScriptRuntime.Interruption) { violation = try prelude.dropped(from: value) } catch {
            throw .interruption(error)
        }
        if let violation { throw .violation(violation) }
    }

    /// The most a script may return at once, as JSON.
    private static let resultLimit = 24 << 20

    private func fault(_ interruption: ScriptRuntime.Interruption, serialising value: JSValueRef) -> ScriptFault {
        guard case .thrown = interruption else { return .interruption(interruption) }
        // Where the serialiser gave up is not in its error; the prelude finds the place.
        let place = try? prelude.unserialisable(in: value)  // no place found: the error itself is told
        return place.map { .violation($0) } ?? .interruption(interruption)
    }

    /// Describes what a script has at a path, as it is before it becomes JSON.
    func describe(_ value: JSValueRef, at path: [PathStep] = []) -> String {
        do throws(ScriptRuntime.Interruption) {
            var current = value
            for step in path {
                guard runtime.isObject(current) else { return "undefined" }
                switch step {
                case .field(let name): current = try runtime.property(name, of: current)
                case .index(let index):
                    var exception: JSValueRef?
                    let element = JSObjectGetPropertyAtIndex(runtime.context, current, UInt32(index), &exception)
                    guard exception == nil, let element else { return "undefined" }
                    current = element
                }
            }
            return try prelude.preview(of: current)
        } catch {
            return "a getter that throws"
        }
    }
}

/// What ended a step of a script, before it is known where.
enum ScriptFault: Error {
    case interruption(ScriptRuntime.Interruption)
    case violation(ContractViolation)
}

/// Makes the prelude's errors of a kind, once there is a prelude.
private final class FailureMaker {
    var function: JSObjectRef?
    private let runtime: ScriptRuntime

    init(runtime: ScriptRuntime) { self.runtime = runtime }

    func failure(_ kind: ProviderError.Code, _ message: String) -> NativeError {
        guard let function,
            let error = try? runtime.call(function, [runtime.value(kind.rawValue), runtime.value(message)])
        else { return .message(message) }  // the message is what matters
        return .value(ThrownReference(value: error))
    }
}
