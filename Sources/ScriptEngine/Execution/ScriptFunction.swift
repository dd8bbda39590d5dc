import CJavaScriptCore
import ProviderModel

/// A function of a provider, kept alive, and where it stands in its file.
struct ScriptFunction {
    let object: JSObjectRef
    let location: SourceLocation?

    /// Keeps the function for as long as the environment lives.
    init(_ object: JSObjectRef, in environment: ScriptEnvironment) {
        environment.runtime.keep(object)
        self.object = object
        location = environment.location(of: object)
    }
}
