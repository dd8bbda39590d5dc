import CJavaScriptCore

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
