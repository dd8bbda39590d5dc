import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// Reads and checks what an operation returned.
struct OperationResultReader {
    let call: OperationCall
    let environment: ScriptEnvironment
    let limits: WorkerLimits

    /// The result in the contract's terms.
    func result(from value: JSValueRef) throws(ScriptFault) -> OperationResult {
        let runtime = environment.runtime
        if call.operation == .download,
            JSValueIsUndefined(runtime.context, value) || JSValueIsNull(runtime.context, value)
        {
            return .download(nil)
        }
        if environment.describe(value) == "a promise" {
            throw .violation(
                ContractViolation(
                    path: "", message: "expected a result, found a promise; yield requests in a generator instead"))
        }
        let result = try read(value)
        let sample = try sample(of: value)
        try environment.checkNothingIsDropped(from: sample.value, at: sample.path)
        return result
    }

    private func read(_ value: JSValueRef) throws(ScriptFault) -> OperationResult {
        switch call {
        case .search(let query), .feed(let query), .collection(_, let query):
            try checkCount(of: value)
            let page = try environment.read(value) { reader throws(ContractViolation) in
                try reader.page(atMost: limits.items)
            }
            if let contradiction = page.contradiction(for: query) { throw .violation(contradiction) }
            return .page(page)
        case .details:
            return .item(try environment.read(value) { reader throws(ContractViolation) in try reader.item() })
        case .download(let media, _, _):
            return .download(
                try environment.read(value) { reader throws(ContractViolation) in try reader.download(of: media) })
        case .session:
            let (values, expiresIn) = try environment.read(value) { reader throws(ContractViolation) in
                try reader.sessionValues()
            }
            return .session(SessionResult(values: values, expiresIn: expiresIn))
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

extension Page {
    /// What in a page cannot be true at once.
    fileprivate func contradiction(for query: ProviderQuery) -> ContractViolation? {
        let isFirst = query.page == 1 && query.offset == 0 && query.cursor == nil
        if let total, total > 0, items.isEmpty, isFirst, next == .counted || next == .end {
            return ContractViolation(path: "items", message: "expected items, since total is \(total), found none")
        }
        // A repeated id is dropped later, as sources do repeat items; the same id everywhere is a mapping gone wrong.
        if items.count > 1, items.allSatisfy({ $0.id == items[0].id }) {
            return ContractViolation(
                path: "items", message: "expected unique ids, found \(items[0].id.quoted) everywhere")
        }
        return nil
    }
}
