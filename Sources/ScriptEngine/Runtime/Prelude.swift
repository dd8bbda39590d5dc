import CJavaScriptCore
import ProviderModel

/// The JavaScript around every provider's file, and the host's functions in it.
struct Prelude {
    /// `load(file, source)` evaluates a module and gives its exports.
    let load: JSObjectRef
    /// `response(handle, status, url, headerLines)` makes what a script gets for a request.
    let response: JSObjectRef
    /// `failure(kind, message)` makes an error of a kind, as `fail` throws it.
    let failure: JSObjectRef
    /// All of the above and more, for what is added to the prelude later.
    let hooks: JSObjectRef
    private let describeThrown: JSObjectRef
    private let preview: JSObjectRef
    private let unwritable: JSObjectRef
    private let functionNames: JSObjectRef
    private let sourceOf: JSObjectRef
    private let runtime: ScriptRuntime

    init(runtime: ScriptRuntime, native: JSObjectRef) {
        self.runtime = runtime
        do throws(ScriptRuntime.Interruption) {
            runtime.set("part", of: native, to: Self.reader(in: runtime))
            hooks = try runtime.object(Self.evaluate("main", this: native, in: runtime))
            runtime.keep(hooks)
            // Last, so that the prelude's own use of a built-in does not have it frozen at the start.
            _ = try Self.evaluate("harden", in: runtime)
            load = try runtime.object(runtime.property("load", of: hooks))
            response = try runtime.object(runtime.property("response", of: hooks))
            failure = try runtime.object(runtime.property("failure", of: hooks))
            describeThrown = try runtime.object(runtime.property("describeThrown", of: hooks))
            preview = try runtime.object(runtime.property("preview", of: hooks))
            unwritable = try runtime.object(runtime.property("unwritable", of: hooks))
            functionNames = try runtime.object(runtime.property("functionNames", of: hooks))
            sourceOf = try runtime.object(runtime.property("sourceOf", of: hooks))
        } catch {
            var reason = "\(error)"
            if case .thrown(let thrown) = error,
                let text = JSValueToStringCopy(runtime.context, thrown.value, nil)
            {
                reason = ScriptText(owning: text).string
            }
            preconditionFailure("the prelude does not run: \(reason)")
        }
    }

    /// Describes whatever a script threw.
    func description(ofThrown value: JSValueRef) throws(ScriptRuntime.Interruption) -> ThrownValue {
        let json = runtime.string(try runtime.call(describeThrown, [.value(value)])) ?? "{}"
        return ThrownValue(json: Array(json.utf8))
    }

    /// A value as one short phrase for an error message.
    func preview(of value: JSValueRef) throws(ScriptRuntime.Interruption) -> String {
        runtime.string(try runtime.call(preview, [.value(value)])) ?? "something"
    }

    /// The first function or symbol in a value, which JSON omits.
    func dropped(from value: JSValueRef, at path: [PathStep]) throws(ScriptRuntime.Interruption) -> ContractViolation? {
        try violation(runtime.call(unwritable, [.value(value), .boolean(true)]), below: path)
    }

    /// The part of a value that cannot be serialised: a cycle, a BigInt, a getter that throws.
    func unserialisable(in value: JSValueRef) throws(ScriptRuntime.Interruption) -> ContractViolation? {
        try violation(runtime.call(unwritable, [.value(value), .boolean(false)]), below: [])
    }

    /// The names under which an object has functions.
    func functionNames(of object: JSObjectRef) throws(ScriptRuntime.Interruption) -> [String] {
        let json = runtime.string(try runtime.call(functionNames, [.value(object)])) ?? "[]"
        return
            (try? ContractReader.read(Array(json.utf8), probe: { _ in "" }) { reader throws(ContractViolation) in
                try reader.strings()
            }) ?? []  // the prelude wrote the JSON; a name that is no text is none of ours
    }

    /// A function's text as it stands in its file.
    func source(of function: JSObjectRef) -> String? {
        try? runtime.string(runtime.call(sourceOf, [.value(function)]))  // only used to find the function's line
    }

    private func violation(_ place: JSValueRef, below start: [PathStep]) -> ContractViolation? {
        guard let json = runtime.string(place), !json.isEmpty else { return nil }
        var path: [PathStep] = []
        var found = ""
        try? ContractReader.read(Array(json.utf8), probe: { _ in "" }) { reader throws(ContractViolation) in
            try reader.object { reader, name throws(ContractViolation) in
                if name == "found" { found = try reader.string() } else { path = try reader.pathSteps() }
            }
        }  // the prelude wrote the JSON
        return ContractViolation(path: (start + path).text, message: "expected a JSON value, found \(found)")
    }

    /// The function `part(name)`, which reads one more part of the prelude.
    private static func reader(in runtime: ScriptRuntime) -> JSObjectRef {
        runtime.function("part") { arguments throws(NativeError) in
            let name = runtime.string(arguments.first) ?? ""
            do throws(ScriptRuntime.Interruption) { return try evaluate(name, in: runtime) } catch {
                // The part is sound, so it can only have been the time or the memory that ran out.
                throw .message("\(name) could not be read: \(error)")
            }
        }
    }

    private static func evaluate(
        _ name: String, this: JSObjectRef? = nil, in runtime: ScriptRuntime
    ) throws(ScriptRuntime.Interruption) -> JSValueRef {
        try runtime.evaluate(ScriptText(text(source(of: name))), this: this, file: "[imgscript]/\(name).js")
    }

    private static func source(of name: String) -> [UInt8] {
        switch name {
        case "main": PackageResources.main_js
        case "harden": PackageResources.harden_js
        case "response": PackageResources.response_js
        case "helpers": PackageResources.helpers_js
        case "faults": PackageResources.faults_js
        case "conversions": PackageResources.conversions_js
        case "licenses": PackageResources.licenses_js
        case "media": PackageResources.media_js
        case "selectors": PackageResources.selectors_js
        case "document": PackageResources.document_js
        case "url": PackageResources.url_js
        default: preconditionFailure("the prelude has no part \(name)")
        }
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
