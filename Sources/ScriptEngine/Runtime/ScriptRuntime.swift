import CJavaScriptCore
import Glibc

/// One JavaScript virtual machine; everything of it is touched on the thread that made it.
package final class ScriptRuntime {
    /// What a call into a script ended with when not with a value.
    enum Interruption: Error {
        /// The script threw this value.
        case thrown(ThrownReference)
        /// The time limit passed.
        case timeLimit
    }

    let context: JSGlobalContextRef
    private let watchdog = Watchdog()
    private var functions: [NativeFunction] = []

    /// Starts an engine. Options are read from the environment once per process, so they are set here.
    init(memory: Int) {
        for (name, value) in Self.options(memory: memory) { setenv(name, value, 1) }
        context = JSGlobalContextCreate(nil)
        ScriptText("eval and Function are switched off; write the code out").use {
            JSGlobalContextSetEvalEnabled(context, false, $0)
        }
    }

    deinit { JSGlobalContextRelease(context) }

    private static func options(memory: Int) -> [String: String] {
        [
            // Nothing a script does becomes machine code; a page is parsed in less time than compiling would take.
            "JSC_useJIT": "0", "JSC_useWasm": "0",
            // The cage reserves 64 GB as writable, which leaves RLIMIT_DATA nothing to count.
            "GIGACAGE_ENABLED": "0",
            // The collector works towards the limit, and the engine ends when its heap passes it.
            "JSC_forceRAMSize": String(memory), "JSC_gcMaxHeapSize": String(memory),
            "TZ": "UTC",
        ]
    }

    /// Stops a script politely after so many seconds of running; the host holds a harder limit.
    func limitTime(to seconds: Double) {
        let group = JSContextGetGroup(context)
        JSContextGroupSetExecutionTimeLimit(
            group, seconds,
            { _, watchdog in
                guard let watchdog else { return true }
                Unmanaged<Watchdog>.fromOpaque(watchdog).takeUnretainedValue().hasFired = true
                return true
            }, Unmanaged.passUnretained(watchdog).toOpaque())
    }

    /// Evaluates an expression.
    func evaluate(_ source: String, file: String) throws(Interruption) -> JSValueRef {
        var exception: JSValueRef?
        let value = ScriptText(source).use { source in
            ScriptText(file).use { JSEvaluateScript(context, source, nil, $0, 1, &exception) }
        }
        return try result(value, exception)
    }

    /// Throws the SyntaxError of a text that is no script, with its place.
    func checkSyntax(_ source: String, file: String) throws(Interruption) {
        var exception: JSValueRef?
        let isValid = ScriptText(source).use { source in
            ScriptText(file).use { JSCheckScriptSyntax(context, source, $0, 1, &exception) }
        }
        if let exception, !isValid { throw .thrown(ThrownReference(value: exception)) }
    }

    /// Calls a function.
    func call(_ function: JSObjectRef, this: JSObjectRef? = nil, _ arguments: [JSValueRef]) throws(Interruption)
        -> JSValueRef
    {
        var exception: JSValueRef?
        watchdog.hasFired = false
        let references: [JSValueRef?] = arguments
        let value = JSObjectCallAsFunction(context, function, this, references.count, references, &exception)
        return try result(value, exception)
    }

    /// Reads a property; a getter runs.
    func property(_ name: String, of object: JSObjectRef) throws(Interruption) -> JSValueRef {
        var exception: JSValueRef?
        let value = ScriptText(name).use { JSObjectGetProperty(context, object, $0, &exception) }
        return try result(value, exception)
    }

    /// Makes a function that scripts can call and that runs `body`.
    func function(_ name: String, _ body: @escaping NativeFunction.Body) -> JSObjectRef {
        let function = NativeFunction(runtime: self, name: name, body: body)
        functions.append(function)
        return function.object
    }

    /// An object with the given functions.
    func object(of functions: [(String, NativeFunction.Body)]) -> JSObjectRef {
        let object: JSObjectRef = JSObjectMake(context, nil, nil)
        for (name, body) in functions { set(name, of: object, to: function(name, body)) }
        return object
    }

    /// Sets a property that scripts cannot change.
    func set(_ name: String, of object: JSObjectRef, to value: JSValueRef) {
        let attributes = JSPropertyAttributes(kJSPropertyAttributeReadOnly | kJSPropertyAttributeDontDelete)
        ScriptText(name).use { JSObjectSetProperty(context, object, $0, value, attributes, nil) }
    }

    /// The value as an object; a script that gave something else gets a wrapper, as in JavaScript.
    func object(_ value: JSValueRef) throws(Interruption) -> JSObjectRef {
        var exception: JSValueRef?
        let object = JSValueToObject(context, value, &exception)
        return try result(object, exception)
    }

    /// The value's JSON text, or nil where JSON has none (undefined, a function).
    func json(of value: JSValueRef) throws(Interruption) -> [UInt8]? {
        var exception: JSValueRef?
        watchdog.hasFired = false
        let text = JSValueCreateJSONString(context, value, 0, &exception)
        if watchdog.hasFired { throw .timeLimit }
        if let exception { throw .thrown(ThrownReference(value: exception)) }
        return text.map { ScriptText(owning: $0).utf8 }
    }

    /// A value from JSON text, or nil when it is none.
    func value(fromJSON text: ScriptText) -> JSValueRef? { text.use { JSValueMakeFromJSONString(context, $0) } }

    func value(_ text: String) -> JSValueRef { ScriptText(text).use { JSValueMakeString(context, $0) } }

    func value(_ number: Double) -> JSValueRef { JSValueMakeNumber(context, number) }

    var undefined: JSValueRef { JSValueMakeUndefined(context) }

    var null: JSValueRef { JSValueMakeNull(context) }

    /// The text of a value that is a string already; nil for anything else, so that no script code runs.
    func string(_ value: JSValueRef?) -> String? {
        guard let value, JSValueIsString(context, value), let text = JSValueToStringCopy(context, value, nil) else {
            return nil
        }
        return ScriptText(owning: text).string
    }

    /// The number of a value that is a number already.
    func number(_ value: JSValueRef?) -> Double? {
        guard let value, JSValueIsNumber(context, value) else { return nil }
        return JSValueToNumber(context, value, nil)
    }

    func isFunction(_ value: JSValueRef) -> Bool {
        JSValueIsObject(context, value) && JSObjectIsFunction(context, value)
    }

    func isObject(_ value: JSValueRef) -> Bool { JSValueIsObject(context, value) }

    /// Keeps a value alive for as long as the runtime lives: values held on the heap are not seen by the collector.
    func keep(_ value: JSValueRef) { JSValueProtect(context, value) }

    private func result<Value>(_ value: Value?, _ exception: JSValueRef?) throws(Interruption) -> Value {
        // A termination is not an object, and the engine aborts when a property of it is read: never touch it.
        if watchdog.hasFired { throw .timeLimit }
        if let exception { throw .thrown(ThrownReference(value: exception)) }
        guard let value else { preconditionFailure("the engine gave neither a value nor an exception") }
        return value
    }

    private final class Watchdog {
        var hasFired = false
    }
}

/// A thrown value on its way to whoever describes it.
///
/// `@unchecked Sendable` because errors have to be: the value is only touched on its runtime's thread, which is the
/// only thread of a worker that runs Swift.
struct ThrownReference: @unchecked Sendable {
    let value: JSValueRef
}
