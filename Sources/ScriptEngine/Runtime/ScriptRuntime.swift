import CJavaScriptCore
import Glibc

/// One JavaScript virtual machine, used on the thread that created it only.
final class ScriptRuntime {
    /// Why a call into a script returned no value.
    enum Interruption: Error {
        /// The script threw this value.
        case thrown(ThrownReference)
        /// The time limit passed; the script's stack at that moment, where it could be had.
        case timeLimit(stack: String?)
    }

    let context: JSGlobalContextRef
    private let watchdog: ScriptWatchdog
    private var functions: [NativeFunction] = []

    /// Starts an engine.
    ///
    /// Options are read from the environment once per process, so they are set here.
    init(memory: Int, now: @escaping () -> Duration) {
        Self.setOptions(memory: memory)
        // No inspector may attach to a script.
        JSRemoteInspectorSetInspectionEnabledByDefault(false)
        context = JSGlobalContextCreate(nil)
        watchdog = ScriptWatchdog(context: context, now: now)
        ScriptText("eval and Function are disabled; write the code out").use {
            JSGlobalContextSetEvalEnabled(context, false, $0)
        }
    }

    deinit { JSGlobalContextRelease(context) }

    private static func setOptions(memory: Int) {
        // Nothing a script does becomes machine code; a page is parsed in less time than compiling would take.
        setenv("JSC_useJIT", "0", 1)
        setenv("JSC_useWasm", "0", 1)
        // The cage reserves 64 GB as writable, which leaves RLIMIT_DATA nothing to count.
        setenv("GIGACAGE_ENABLED", "0", 1)
        // The C library's memory is there already. The engine's own takes a millisecond more to be set up, two system
        // calls for every 16 kB of it.
        setenv("Malloc", "1", 1)
        // The collector paces itself by the limit rather than by the machine's memory.
        setenv("JSC_forceRAMSize", String(memory), 1)
        // Its first collection comes after 1 MB otherwise, which is in the middle of reading a page.
        setenv("JSC_smallHeapSize", String(memory / 16), 1)
        setenv("TZ", "UTC", 1)
    }

    /// Stops a script that runs longer in a step, as an error in it; the host has a harder limit.
    func limitTime(to limit: Duration) { watchdog.limitTime(to: limit) }

    /// Begins a step, which has the whole time again.
    func beginStep() { watchdog.beginStep() }

    // MARK: Running scripts

    /// Evaluates an expression.
    func evaluate(_ source: String, file: String) throws(Interruption) -> JSValueRef {
        try evaluate(ScriptText(source), file: file)
    }

    /// Evaluates a text; its value is that of its last statement.
    func evaluate(_ source: ScriptText, this: JSObjectRef? = nil, file: String) throws(Interruption) -> JSValueRef {
        try run { exception in
            source.use { source in
                ScriptText(file).use { JSEvaluateScript(context, source, this, $0, 1, &exception) }
            }
        }
    }

    /// Throws the SyntaxError of a text that is no script.
    func checkSyntax(_ source: String, file: String) throws(Interruption) {
        var exception: JSValueRef?
        let isValid = ScriptText(source).use { source in
            ScriptText(file).use { JSCheckScriptSyntax(context, source, $0, 1, &exception) }
        }
        if let exception, !isValid { throw .thrown(ThrownReference(value: exception)) }
    }

    /// The message and the line of a thrown SyntaxError; nil for what a script threw.
    func syntaxError(_ thrown: ThrownReference) -> (message: String, line: Int)? {
        guard isObject(thrown.value), let message = string(plainProperty("message", of: thrown.value)),
            let line = number(plainProperty("line", of: thrown.value))
        else { return nil }
        return (message, Int(line))
    }

    /// A property of an object of the engine's own, which has no getters.
    private func plainProperty(_ name: String, of object: JSObjectRef) -> JSValueRef? {
        ScriptText(name).use { JSObjectGetProperty(context, object, $0, nil) }
    }

    /// Calls a function.
    func call(
        _ function: JSObjectRef, this: JSObjectRef? = nil, _ arguments: [ScriptArgument]
    ) throws(Interruption) -> JSValueRef {
        try run { exception in
            // On the stack, where the collector sees the values made for the first arguments while it makes the rest.
            withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: arguments.count + 1) { values in
                for (index, argument) in arguments.enumerated() {
                    values.initializeElement(at: index, to: argument.value(in: self))
                }
                return JSObjectCallAsFunction(
                    context, function, this, arguments.count, values.baseAddress, &exception)
            }
        }
    }

    /// Reads a property; a getter runs.
    func property(_ name: String, of object: JSObjectRef) throws(Interruption) -> JSValueRef {
        try run { exception in ScriptText(name).use { JSObjectGetProperty(context, object, $0, &exception) } }
    }

    /// Reads an element; a getter runs.
    func element(_ index: UInt32, of object: JSObjectRef) throws(Interruption) -> JSValueRef {
        try run { exception in JSObjectGetPropertyAtIndex(context, object, index, &exception) }
    }

    /// The value as an object; a script that gave something else gets a wrapper, as in JavaScript.
    func object(_ value: JSValueRef) throws(Interruption) -> JSObjectRef {
        try run { exception in JSValueToObject(context, value, &exception) }
    }

    /// Whether `value` is an object of a type; a proxy's trap runs.
    func isInstance(_ value: JSValueRef, of type: JSObjectRef) throws(Interruption) -> Bool {
        try run { exception in JSValueIsInstanceOfConstructor(context, value, type, &exception) }
    }

    private func run<Value>(_ body: (inout JSValueRef?) -> Value?) throws(Interruption) -> Value {
        guard let value = try attempt(body) else {
            preconditionFailure("the engine returned neither a value nor an exception")
        }
        return value
    }

    /// Runs what may run a script, and distinguishes how it ended.
    private func attempt<Value>(_ body: (inout JSValueRef?) -> Value?) throws(Interruption) -> Value? {
        watchdog.enter()
        defer { watchdog.leave() }
        var exception: JSValueRef?
        let value = body(&exception)
        // A termination is not an object, and the engine aborts when a property of it is read: never touch it.
        if let expiry = watchdog.expiry { throw .timeLimit(stack: expiry.stack) }
        if let exception { throw .thrown(ThrownReference(value: exception)) }
        return value
    }

    // MARK: Making values

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

    /// An array of elements made one after the other.
    func array(count: Int, of element: (Int) -> JSValueRef) -> JSValueRef {
        var values: [JSValueRef?] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            let value = element(index)
            keep(value)
            values.append(value)
        }
        defer { for value in values { JSValueUnprotect(context, value) } }
        // There is none when the time limit passes at that very moment; the script does not get to see what it gets.
        let array: JSObjectRef? = JSObjectMakeArray(context, count, values, nil)
        return array ?? undefined
    }

    /// Sets a property that scripts cannot change.
    func set(_ name: String, of object: JSObjectRef, to value: JSValueRef) {
        let attributes = JSPropertyAttributes(kJSPropertyAttributeReadOnly | kJSPropertyAttributeDontDelete)
        ScriptText(name).use { JSObjectSetProperty(context, object, $0, value, attributes, nil) }
    }

    /// A value from JSON text, or nil when it is none.
    func value(fromJSON text: ScriptText) -> JSValueRef? { text.use { JSValueMakeFromJSONString(context, $0) } }

    func value(_ text: String) -> JSValueRef { ScriptText(text).use { JSValueMakeString(context, $0) } }

    func value(_ number: Double) -> JSValueRef { JSValueMakeNumber(context, number) }

    var undefined: JSValueRef { JSValueMakeUndefined(context) }

    var null: JSValueRef { JSValueMakeNull(context) }

    // MARK: Looking at values

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

    /// Keeps a value alive until `release`: values held on the heap are not seen by the collector.
    func keep(_ value: JSValueRef) { JSValueProtect(context, value) }

    /// Undoes one `keep`.
    func release(_ value: JSValueRef) { JSValueUnprotect(context, value) }
}

/// A thrown value that has not been described yet.
///
/// `@unchecked Sendable` because errors have to be: the value is only touched on its runtime's thread, which is the
/// only thread of a worker that runs scripts.
struct ThrownReference: @unchecked Sendable {
    let value: JSValueRef
}
