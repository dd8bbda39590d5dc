import CJavaScriptCore
import ProviderModel

/// A provider's file, evaluated and checked.
final class ProviderScript {
    /// An operation in one of its two forms.
    enum Form {
        case pair(request: ScriptFunction, parse: ScriptFunction)
        case generator(ScriptFunction)

        fileprivate func description(of operation: ProviderOperation, in start: SourceLocation) -> OperationDescription
        {
            switch self {
            case .pair(let request, let parse):
                OperationDescription(
                    operation: operation, location: parse.location ?? start, requestLocation: request.location,
                    isGenerator: false)
            case .generator(let generator):
                OperationDescription(operation: operation, location: generator.location ?? start, isGenerator: true)
            }
        }
    }

    let environment: ScriptEnvironment
    let manifest: ProviderManifest
    let check: ScriptFunction?
    private let forms: [ProviderOperation: Form]
    private let file: String

    /// Evaluates the file and reads what it exports.
    init(file: String, source: String, in environment: ScriptEnvironment) throws(ProviderError) {
        self.environment = environment
        self.file = file
        do throws(ScriptFault) {
            let exports = try Self.evaluate(file: file, source: source, in: environment)
            var violations = ViolationList()
            (forms, check) = try Self.functions(of: exports, environment, &violations)
            let descriptions = ProviderOperation.allCases.compactMap { [forms] operation in
                forms[operation]?.description(of: operation, in: SourceLocation(file: file))
            }
            let manifest = try violations.reading { () throws(ScriptFault) in
                try environment.read(exports, as: Self.expectation) { reader throws(ContractViolation) in
                    try reader.manifest(operations: descriptions)
                }
            }
            do throws(ContractViolation) { try violations.check() } catch {
                throw .violation(UnrelatedExports(error)?.violation ?? error)
            }
            guard let manifest else { preconditionFailure("nothing was read, and nothing was wrong") }
            self.manifest = manifest
        } catch {
            throw Self.error(error, file: file, environment)
        }
    }

    /// The operation's form; the error names what the provider can do instead.
    func form(of operation: ProviderOperation) throws(ProviderError) -> Form {
        if let form = forms[operation] { return form }
        let known = manifest.operations.map(\.operation.rawValue).joined(separator: ", ")
        throw ProviderError(
            .unsupported, provider: manifest.id.description, operation: operation,
            message: "this provider has no \(operation); it has \(known.isEmpty ? "no operations" : known)")
    }

    /// Where errors of an operation are placed when they have no place of their own.
    func place(of operation: ProviderOperation, phase: String?) -> ScriptErrorContext {
        let location = manifest.description(of: operation)?.location
        return ScriptErrorContext(
            environment: environment, operation: operation, phase: phase,
            location: location ?? SourceLocation(file: file))
    }

    /// What a file has to export.
    static let expectation = "module.exports to be a provider"

    // MARK: Evaluation

    private static func evaluate(
        file: String, source: String, in environment: ScriptEnvironment
    ) throws(ScriptFault) -> JSObjectRef {
        let runtime = environment.runtime
        let exports: JSValueRef
        do throws(ScriptRuntime.Interruption) {
            exports = try runtime.call(environment.prelude.load, [.text(file), .text(source)])
        } catch {
            throw .interruption(error)
        }
        runtime.keep(exports)
        guard runtime.isObject(exports) else {
            throw .violation(ContractViolation("expected \(expectation), found \(environment.describe(exports))"))
        }
        return exports
    }

    /// The provider's functions; what else is one is against the contract.
    private static func functions(
        of exports: JSObjectRef, _ environment: ScriptEnvironment, _ violations: inout ViolationList
    ) throws(ScriptFault) -> (forms: [ProviderOperation: Form], check: ScriptFunction?) {
        var forms: [ProviderOperation: Form] = [:]
        for operation in ProviderOperation.allCases {
            forms[operation] = try violations.reading { () throws(ScriptFault) -> Form? in
                try Self.form(of: operation, in: exports, environment)
            }
        }
        let names: [String]
        do throws(ScriptRuntime.Interruption) { names = try environment.prelude.functionNames(of: exports) } catch {
            throw .interruption(error)
        }
        for name in names {
            do throws(ContractViolation) { try ContractReader.checkFunction(named: name) } catch {
                violations.add(error)
            }
        }
        return (forms, try environment.function("check", of: exports))
    }

    /// The error of a fault; each violation has its own place.
    private static func error(_ fault: ScriptFault, file: String, _ environment: ScriptEnvironment) -> ProviderError {
        let start = SourceLocation(file: file)
        guard case .violation(let violation) = fault else {
            return ScriptErrorContext(environment: environment, location: start).error(fault)
        }
        let errors = ([violation] + violation.others).map { violation in
            let place = environment.modules.location(ofMember: violation.path, in: file) ?? start
            return ScriptErrorContext(environment: environment, location: place).error(.violation(violation))
        }
        var error = errors[0]
        error.others = Array(errors.dropFirst())
        return error
    }

    private static func form(
        of operation: ProviderOperation, in exports: JSObjectRef, _ environment: ScriptEnvironment
    ) throws(ScriptFault) -> Form? {
        guard let value = try environment.member(operation.rawValue, of: exports) else { return nil }
        if environment.runtime.isFunction(value) { return .generator(ScriptFunction(value, in: environment)) }
        guard environment.runtime.isObject(value) else {
            throw .violation(
                ContractViolation(
                    path: operation.rawValue,
                    message:
                        "expected a generator, or functions request and parse, found \(environment.describe(value))"))
        }
        if let run = try environment.function("run", of: value) { return .generator(run) }
        guard let request = try environment.function("request", of: value),
            let parse = try environment.function("parse", of: value)
        else {
            throw .violation(
                ContractViolation(path: operation.rawValue, message: "expected functions request and parse, or run"))
        }
        return .pair(request: request, parse: parse)
    }
}

// MARK: - Functions

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

    /// A property that is a function, kept; nil when it is anything else.
    fileprivate func function(_ name: String, of object: JSObjectRef) throws(ScriptFault) -> ScriptFunction? {
        guard let value = try member(name, of: object), runtime.isFunction(value) else { return nil }
        return ScriptFunction(value, in: self)
    }

    /// Where a function stands in the provider's files.
    func location(of function: JSObjectRef) -> SourceLocation? {
        prelude.source(of: function).flatMap(modules.location(ofSource:))
    }
}

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

/// What a file exports that is no provider: it has nothing of one, and something else instead.
struct UnrelatedExports {
    private let names: [String]

    /// Nil where any of a provider is there, or where names are nearly its fields: then each has an error of its own.
    init?(_ first: ContractViolation) {
        let all = [first] + first.others
        let missing = all.filter { $0.message.hasSuffix("found undefined") }.map(\.path)
        guard ContractReader.requiredMembers.allSatisfy({ missing.contains($0.name) }) else { return nil }
        let others = all.filter { !missing.contains($0.path) }
        names = others.map(\.path)
        guard others.contains(where: { $0.message.place(of: "did you mean") == nil }),
            names.allSatisfy({ ProviderOperation(rawValue: $0) == nil })
        else { return nil }
    }

    /// One sentence about all of it.
    var violation: ContractViolation {
        let shown = names.prefix(3).joined(separator: ", ")
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return ContractViolation(
            "expected \(ProviderScript.expectation) with contract, id, name, version, hosts and mediaHosts, found \(shown)\(more) "
                + "alone, as in a module that providers require")
    }
}
