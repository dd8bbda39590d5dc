import CJavaScriptCore

/// A Swift closure that scripts can call.
///
/// The runtime keeps it for its own lifetime; the engine's object only points at it.
final class NativeFunction {
    /// What a call runs; an error becomes an exception in the script.
    typealias Body = (_ arguments: [JSValueRef]) throws(NativeError) -> JSValueRef

    private(set) var object: JSObjectRef
    private unowned let runtime: ScriptRuntime
    private let body: Body

    init(runtime: ScriptRuntime, name: String, body: @escaping Body) {
        self.runtime = runtime
        self.body = body
        object = JSObjectMake(runtime.context, Self.type, nil)
        JSObjectSetPrivate(object, Unmanaged.passUnretained(self).toOpaque())
        JSValueProtect(runtime.context, object)
    }

    nonisolated(unsafe) private static let type: JSClassRef = {
        var definition = kJSClassDefinitionEmpty
        definition.callAsFunction = { context, function, _, count, arguments, exception in
            guard let pointer = JSObjectGetPrivate(function) else { return JSValueMakeUndefined(context) }
            let native = Unmanaged<NativeFunction>.fromOpaque(pointer).takeUnretainedValue()
            let values = (0..<count).compactMap { arguments?[$0] }
            do throws(NativeError) {
                return try native.body(values)
            } catch {
                exception?.pointee = error.value(in: native.runtime)
                return JSValueMakeUndefined(context)
            }
        }
        return "NativeFunction".withCString { name in
            definition.className = name
            return JSClassCreate(&definition)
        }
    }()
}

/// An error that a native function throws into the script.
enum NativeError: Error {
    /// An ordinary Error with a message.
    case message(String)
    /// A value made by the prelude, such as a failure with its kind.
    case value(ThrownReference)

    func value(in runtime: ScriptRuntime) -> JSValueRef {
        switch self {
        case .value(let thrown): return thrown.value
        case .message(let text):
            var arguments: JSValueRef? = runtime.value(text)
            let error: JSObjectRef? = JSObjectMakeError(runtime.context, 1, &arguments, nil)
            return error ?? runtime.undefined  // none when the time limit passes at that very moment
        }
    }
}

/// An argument of a call into a script.
///
/// Its value is made as late as possible, where the collector can see it.
enum ScriptArgument {
    /// A value that is kept alive elsewhere.
    case value(JSValueRef)
    case text(String)
    case number(Double)
    case boolean(Bool)

    func value(in runtime: ScriptRuntime) -> JSValueRef {
        switch self {
        case .value(let value): value
        case .text(let text): runtime.value(text)
        case .number(let number): runtime.value(number)
        case .boolean(let flag): JSValueMakeBoolean(runtime.context, flag)
        }
    }
}
