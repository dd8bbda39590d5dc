import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// Reads and checks what an operation returned.
struct OperationResultReader {
    let call: OperationCall
    let environment: ScriptEnvironment
    let limits: WorkerLimits

    /// The result in the contract's terms, as the host gets it.
    func result(from value: JSValueRef) throws(ScriptFault) -> WrittenResult {
        let runtime = environment.runtime
        if call.operation == .download,
            JSValueIsUndefined(runtime.context, value) || JSValueIsNull(runtime.context, value)
        {
            return WrittenResult(.download(nil))
        }
        let result: WrittenResult
        do throws(ScriptFault) { result = try read(value) } catch { throw explained(error, of: value) }
        let sample = try sample(of: value)
        try environment.checkNothingIsDropped(from: sample.value, at: sample.path)
        return result
    }

    /// A promise is an object without any field: that it is one says more than which field is missed first.
    private func explained(_ fault: ScriptFault, of value: JSValueRef) -> ScriptFault {
        guard case .violation = fault, environment.isPromise(value) else { return fault }
        return .violation(
            ContractViolation("expected a result, found a promise; yield requests in a generator instead"))
    }

    private func read(_ value: JSValueRef) throws(ScriptFault) -> WrittenResult {
        switch call {
        case .search(let query), .feed(let query), .collection(_, let query):
            try checkCount(of: value)
            return try page(from: value, for: query)
        case .details:
            let item = try environment.read(value) { reader throws(ContractViolation) in
                try reader.readingAll { reader throws(ContractViolation) in try reader.item() }
            }
            return WrittenResult(.item(item))
        case .download(let media, _, _):
            let media = try environment.read(value) { reader throws(ContractViolation) in
                try reader.download(of: media)
            }
            return WrittenResult(.download(media))
        case .session:
            let (values, expiresIn) = try environment.read(value) { reader throws(ContractViolation) in
                try reader.sessionValues()
            }
            return WrittenResult(.session(SessionResult(values: values, expiresIn: expiresIn)))
        }
    }

    /// A page is written while it is checked: making items of it, only to write them, would take longer than the checks.
    private func page(from value: JSValueRef, for query: ProviderQuery) throws(ScriptFault) -> WrittenResult {
        try environment.read(value) { reader throws(ContractViolation) in
            try reader.readingAll { reader throws(ContractViolation) in
                try WrittenResult.page(capacity: reader.length) { writer throws(ContractViolation) in
                    let outline = try reader.page(atMost: limits.items, to: &writer)
                    if let contradiction = outline.contradiction(for: query) { throw contradiction }
                }
            }
        }
    }

    /// Looks at the number of items before they are all written out, which would take memory and time.
    private func checkCount(of page: JSValueRef) throws(ScriptFault) {
        let runtime = environment.runtime
        guard runtime.isObject(page), let items = try environment.member("items", of: page), runtime.isObject(items),
            JSValueIsArray(runtime.context, items),
            let count = runtime.number(try environment.member("length", of: items)), count > Double(limits.items)
        else { return }
        let message = "expected at most \(limits.items) items on a page, found \(count.shortest)"
        throw .violation(ContractViolation(path: "items", message: message))
    }

    /// The part of a result that is looked through for functions: on a page the first item, since one mapping made all.
    private func sample(of value: JSValueRef) throws(ScriptFault) -> (value: JSValueRef, path: [PathStep]) {
        guard call.operation == .search || call.operation == .feed || call.operation == .collection,
            let items = try environment.member("items", of: value)
        else { return (value, []) }
        return (try environment.member("0", of: items) ?? environment.runtime.null, [.field("items"), .index(0)])
    }
}
