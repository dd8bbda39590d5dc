import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// An engine with its prelude, ready to take a provider's file.
final class ScriptEnvironment {
    let runtime: ScriptRuntime
    let prelude: Prelude
    let responses = ResponseStore()
    let documents = DocumentStore()
    let modules = ModuleTable()
    let console = ConsoleLog()
    /// The engine's own `JSON.stringify`; the function for C takes three times as long.
    private let serialise: JSObjectRef
    private let promise: JSObjectRef
    /// The memory limit of a script in bytes.
    let memory: Int
    /// The maximum time in milliseconds that a script runs without returning.
    var timeLimit = 2_000

    init(memory: Int, now: @escaping () -> Duration = { UpTime.now }) {
        self.memory = memory
        let runtime = ScriptRuntime(memory: memory, now: now)
        self.runtime = runtime
        // The prelude's own `failure` exists only once the prelude runs, and the prelude needs the functions first.
        let makeFailure = FailureMaker(runtime: runtime)
        let functions = NativeFunctions(
            runtime: runtime, responses: responses, documents: documents, modules: modules,
            console: console)
        let native = runtime.object(of: functions.all(failure: makeFailure.failure))
        prelude = Prelude(runtime: runtime, native: native)
        makeFailure.function = prelude.failure
        // The prelude has locked both: they live as long as the engine.
        serialise = Self.builtIn("JSON", "stringify", of: runtime)
        promise = Self.builtIn("Promise", of: runtime)
    }

    /// Begins a step of the script: its time and its allowance of lines are whole again.
    func beginStep() {
        runtime.beginStep()
        console.beginStep()
    }

    private static func builtIn(_ path: String..., of runtime: ScriptRuntime) -> JSObjectRef {
        do throws(ScriptRuntime.Interruption) {
            var object: JSObjectRef = JSContextGetGlobalObject(runtime.context)
            for name in path { object = try runtime.object(runtime.property(name, of: object)) }
            return object
        } catch {
            preconditionFailure("the engine has no \(path): \(error)")
        }
    }

    /// Reads a value a script gave.
    ///
    /// The error has no place yet.
    func read<Value>(
        _ value: JSValueRef, as expectation: String = "a result",
        _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ScriptFault) -> Value {
        try readWithText(value, as: expectation, body).value
    }

    /// Reads a value a script gave, and its JSON text.
    func readWithText<Value>(
        _ value: JSValueRef, as expectation: String = "a result",
        _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ScriptFault) -> (value: Value, json: [UInt8]) {
        // The probe holds the value where the collector does not look.
        runtime.keep(value)
        defer { runtime.release(value) }
        let json: ScriptText?
        do throws(ScriptRuntime.Interruption) { json = try self.json(of: value) } catch {
            throw fault(error, serialising: value)
        }
        guard let json else { throw .violation(ContractViolation("expected \(expectation), found \(describe(value))")) }
        // Before it is copied: what is too long to be taken may be too long to be held twice.
        guard json.length <= EncodedResult.maximumLength else {
            let (most, found) = (EncodedResult.maximumLength >> 20, json.length >> 20)
            throw .violation(ContractViolation("expected at most \(most) MB in a result, found \(found) MB"))
        }
        do throws(ContractViolation) {
            let text = json.utf8
            return (try ContractReader.read(text, probe: { self.describe(value, at: $0) }, body), text)
        } catch {
            throw .violation(error)
        }
    }

    /// The value's JSON text, or nil where JSON has none (undefined, a function).
    func json(of value: JSValueRef) throws(ScriptRuntime.Interruption) -> ScriptText? {
        let text = try runtime.call(serialise, [.value(value)])
        guard JSValueIsString(runtime.context, text) else { return nil }
        return JSValueToStringCopy(runtime.context, text, nil).map(ScriptText.init(owning:))
    }

    /// Throws for a value with functions or symbols in it, which JSON omits.
    func checkNothingIsDropped(from value: JSValueRef, at path: [PathStep] = []) throws(ScriptFault) {
        let violation: ContractViolation?
        do throws(ScriptRuntime.Interruption) { violation = try prelude.dropped(from: value, at: path) } catch {
            throw .interruption(error)
        }
        if let violation { throw .violation(violation) }
    }

    private func fault(_ interruption: ScriptRuntime.Interruption, serialising value: JSValueRef) -> ScriptFault {
        guard case .thrown = interruption else { return .interruption(interruption) }
        // Where the serialiser gave up is not in its error; the prelude finds the place.
        let place = try? prelude.unserialisable(in: value)  // no place found: the error itself is reported
        return place.map { .violation($0) } ?? .interruption(interruption)
    }

    /// Whether a value is a promise, which the contract does not have.
    func isPromise(_ value: JSValueRef) -> Bool {
        do throws(ScriptRuntime.Interruption) { return try runtime.isInstance(value, of: promise) } catch {
            return false  // a proxy that throws
        }
    }

    /// Describes what a script has at a path, as it is before it becomes JSON.
    func describe(_ value: JSValueRef, at path: [PathStep] = []) -> String {
        do throws(ScriptRuntime.Interruption) {
            var current = value
            for step in path {
                guard runtime.isObject(current) else { return "undefined" }
                switch step {
                case .field(let name): current = try runtime.property(name, of: current)
                case .index(let index): current = try runtime.element(UInt32(clamping: index), of: current)
                }
            }
            // By far the most frequent: a source's null, which counts as absent.
            if JSValueIsNull(runtime.context, current) { return "null" }
            return try prelude.preview(of: current)
        } catch {
            if case .timeLimit = error { return "a getter that never returns" }
            return "a getter that throws"
        }
    }
}

/// Why a step of a script ended, before the position is known.
enum ScriptFault: Error {
    case interruption(ScriptRuntime.Interruption)
    case violation(ContractViolation)
}

extension ViolationList {
    /// Reads a part; a violation is added, and nothing comes of the part.
    mutating func reading<Value>(_ read: () throws(ScriptFault) -> Value?) throws(ScriptFault) -> Value? {
        do throws(ScriptFault) { return try read() } catch {
            guard case .violation(let violation) = error else { throw error }
            add(violation)
            return nil
        }
    }
}

/// Makes the prelude's errors of a kind, once there is a prelude.
private final class FailureMaker {
    var function: JSObjectRef?
    private let runtime: ScriptRuntime

    init(runtime: ScriptRuntime) { self.runtime = runtime }

    func failure(_ kind: ProviderError.Code, _ message: String) -> NativeError {
        guard let function,
            let error = try? runtime.call(function, [.text(kind.rawValue), .text(message)])
        else { return .message(message) }  // the message is what matters
        return .value(ThrownReference(value: error))
    }
}

/// The lines that a script writes with `console`, up to a limit.
final class ConsoleLog {
    /// The maximum number of lines in one step.
    static let lineLimit = 500
    /// The maximum number of UTF-8 bytes in one step.
    static let byteLimit = 256 << 10

    /// Sends a line to the host.
    var output: (_ level: String, _ text: String) -> Void = { _, _ in }
    private var lines = 0
    private var bytes = 0

    /// Resets the limits for a step.
    func beginStep() { (lines, bytes) = (0, 0) }

    /// Sends a line within the bounds of the step; says once that they are exceeded.
    func write(_ level: String, _ text: String) {
        guard lines <= Self.lineLimit else { return }
        lines += 1
        bytes += text.utf8.count
        guard lines <= Self.lineLimit, bytes <= Self.byteLimit else {
            lines = Self.lineLimit + 1
            output("warning", "console: further output of this step was dropped")
            return
        }
        output(level, text)
    }
}
