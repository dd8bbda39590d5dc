import CJavaScriptCore
import ProviderModel

/// A provider's file, evaluated and checked.
final class ProviderScript {
    /// An operation in one of its two forms.
    enum Form {
        case pair(request: JSObjectRef, parse: JSObjectRef)
        case generator(JSObjectRef)
    }

    let environment: ScriptEnvironment
    let manifest: ProviderManifest
    let check: JSObjectRef?
    private let forms: [Operation: Form]
    private let file: String

    /// Evaluates the file and reads what it exports.
    init(file: String, source: String, in environment: ScriptEnvironment) throws(ProviderError) {
        self.environment = environment
        self.file = file
        let faults = FaultPlace(environment: environment, location: SourceLocation(file: file))
        do throws(ScriptFault) {
            let exports = try Self.evaluate(file: file, source: source, in: environment)
            var forms: [Operation: Form] = [:]
            var descriptions: [OperationDescription] = []
            for operation in Operation.allCases {
                guard let form = try Self.form(of: operation, in: exports, environment) else { continue }
                forms[operation] = form
                let (function, isGenerator) =
                    switch form {
                    case .pair(_, let parse): (parse, false)
                    case .generator(let generator): (generator, true)
                    }
                let location = environment.location(of: function) ?? SourceLocation(file: file)
                descriptions.append(
                    OperationDescription(operation: operation, location: location, isGenerator: isGenerator))
            }
            self.forms = forms
            check = try environment.member("check", of: exports).flatMap { environment.runtime.isFunction($0) ? $0 : nil }
            manifest = try environment.read(exports) { reader throws(ContractViolation) in
                try reader.manifest(operations: descriptions)
            }
        } catch {
            throw faults.error(error)
        }
        for kept in forms.values {
            switch kept {
            case .pair(let request, let parse):
                environment.runtime.keep(request)
                environment.runtime.keep(parse)
            case .generator(let generator): environment.runtime.keep(generator)
            }
        }
        check.map(environment.runtime.keep)
    }

    /// The operation's form; the error names what the provider can do instead.
    func form(of operation: Operation) throws(ProviderError) -> Form {
        if let form = forms[operation] { return form }
        let known = manifest.operations.map(\.operation.rawValue).joined(separator: ", ")
        throw ProviderError(
            .unsupported, provider: manifest.id.description, operation: operation,
            message: "this provider has no \(operation); it has \(known.isEmpty ? "no operations" : known)")
    }

    /// Where errors of an operation are placed when they have no place of their own.
    func place(of operation: Operation, phase: String?) -> FaultPlace {
        let location = manifest.description(of: operation)?.location
        return FaultPlace(
            environment: environment, operation: operation, phase: phase,
            location: location ?? SourceLocation(file: file))
    }

    private static func evaluate(
        file: String, source: String, in environment: ScriptEnvironment
    ) throws(ScriptFault) -> JSObjectRef {
        let runtime = environment.runtime
        let exports: JSValueRef
        do throws(ScriptRuntime.Interruption) {
            exports = try runtime.call(environment.prelude.load, [runtime.value(file), runtime.value(source)])
        } catch {
            throw .interruption(error)
        }
        runtime.keep(exports)
        guard runtime.isObject(exports) else {
            throw .violation(
                ContractViolation(
                    path: "", message: "expected module.exports to be a provider, found \(environment.describe(exports))"))
        }
        return exports
    }

    private static func form(
        of operation: Operation, in exports: JSObjectRef, _ environment: ScriptEnvironment
    ) throws(ScriptFault) -> Form? {
        guard let value = try environment.member(operation.rawValue, of: exports) else { return nil }
        if environment.runtime.isFunction(value) { return .generator(value) }
        guard environment.runtime.isObject(value) else {
            throw .violation(
                ContractViolation(
                    path: operation.rawValue, message: "expected a generator, or functions request and parse"))
        }
        if let run = try environment.member("run", of: value), environment.runtime.isFunction(run) {
            return .generator(run)
        }
        guard let request = try environment.member("request", of: value), environment.runtime.isFunction(request),
            let parse = try environment.member("parse", of: value), environment.runtime.isFunction(parse)
        else {
            throw .violation(
                ContractViolation(path: operation.rawValue, message: "expected functions request and parse, or run"))
        }
        return .pair(request: request, parse: parse)
    }
}

extension ScriptEnvironment {
    /// A property's value, or nil when it is undefined or null.
    func member(_ name: String, of object: JSObjectRef) throws(ScriptFault) -> JSValueRef? {
        do throws(ScriptRuntime.Interruption) {
            let value = try runtime.property(name, of: object)
            return JSValueIsUndefined(runtime.context, value) || JSValueIsNull(runtime.context, value) ? nil : value
        } catch {
            throw .interruption(error)
        }
    }

    /// Where a function stands in the provider's files.
    func location(of function: JSObjectRef) -> SourceLocation? {
        prelude.source(of: function).flatMap(modules.location(ofSource:))
    }
}
