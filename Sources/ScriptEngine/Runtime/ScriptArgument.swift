import CJavaScriptCore

/// An argument of a call into a script.
///
/// Its value is made as late as possible, where the collector can see it.
enum ScriptArgument {
    /// A value that something else keeps alive.
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
