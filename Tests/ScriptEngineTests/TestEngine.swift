import CJavaScriptCore
import ProviderModel

@testable import ScriptEngine

/// An engine without a sandbox, for the time of one test.
struct TestEngine {
    let environment: ScriptEnvironment

    init(now: @escaping () -> Duration = { UpTime.now }) {
        environment = ScriptEnvironment(memory: 256 << 20, now: now)
    }

    /// The value of an expression in a provider's file, as its JSON; what it threw, as the host would report it.
    func json(_ expression: String) -> String {
        do throws(ScriptRuntime.Interruption) {
            let names = "fail, hash, base64, decodeEntities, parseDate, parseHTML, plainText, license, fileFormat, fit, largest"
            let helpers = "const { \(names) } = require('imgscript');"
            let module = "\(helpers)\nmodule.exports = \(expression);"
            let value = try environment.runtime.call(environment.prelude.load, [.text("test.js"), .text(module)])
            return try environment.json(of: value)?.string ?? environment.describe(value)
        } catch {
            return ScriptErrorContext(environment: environment, location: SourceLocation(file: "test.js")).error(
                .interruption(error)
            ).message
        }
    }

    /// Reads the value of an expression; the violation as text when it is against the contract.
    func read<Value>(
        _ expression: String, _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws -> Value {
        do throws(ScriptFault) {
            let value: JSValueRef
            do throws(ScriptRuntime.Interruption) {
                value = try environment.runtime.evaluate("(\(expression))", file: "test.js")
            } catch {
                throw ScriptFault.interruption(error)
            }
            return try environment.read(value, body)
        } catch {
            guard case .violation(let violation) = error else { throw Unreadable(text: "\(error)") }
            throw Unreadable(
                text: violation.path.isEmpty ? violation.message : "\(violation.path): \(violation.message)")
        }
    }
}

/// Why a value could not be read.
struct Unreadable: Error {
    let text: String
}

/// The violation that reading gives; "fine" when there is none.
func violation(_ read: () throws -> Void) -> String {
    do {
        try read()
        return "fine"
    } catch {
        return (error as? Unreadable)?.text ?? "\(error)"
    }
}
