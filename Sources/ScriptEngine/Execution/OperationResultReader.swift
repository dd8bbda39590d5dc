import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// Reads and checks what an operation returned.
struct OperationResultReader {
    let call: OperationCall
    let environment: ScriptEnvironment
    let limits: WorkerLimits

    /// The result in the contract's terms, as the host gets it.
    func result(from value: JSValueRef) throws(ScriptFault) -> EncodedResult {
        let runtime = environment.runtime
        if call.operation == .download,
            JSValueIsUndefined(runtime.context, value) || JSValueIsNull(runtime.context, value)
        {
            return EncodedResult(.download(nil))
        }
        let result: EncodedResult
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

    private func read(_ value: JSValueRef) throws(ScriptFault) -> EncodedResult {
        switch call {
        case .search(let query), .feed(let query), .collection(_, let query), .similar(let query):
            try checkCount(of: value)
            return try result(from: value) { reader throws(ContractViolation) in
                let page = try Page(&reader)
                if let contradiction = page.contradiction(for: query) { throw contradiction }
                return .page(page)
            }
        case .details:
            return try result(from: value) { reader throws(ContractViolation) in .item(try Item(&reader)) }
        case .session:
            return try strictResult(from: value) { reader throws(ContractViolation) in
                .session(try SessionResult(&reader))
            }
        case .download(let media, _, _):
            let media = try environment.read(value) { reader throws(ContractViolation) in
                try reader.download(of: media)
            }
            return EncodedResult(.download(media))
        }
    }

    /// A result without what is wrong in it and may be left out, written anew where that is anything.
    private func result(
        from value: JSValueRef, _ read: (inout ContractReader) throws(ContractViolation) -> OperationResult
    ) throws(ScriptFault) -> EncodedResult {
        guard !limits.isStrict else { return try strictResult(from: value, read) }
        let ((result, faults), json) = try environment.readWithText(value) { reader throws(ContractViolation) in
            try reader.leavingOutFaults(read)
        }
        let repairs = environment.documents.takeRepairs()
        let all = repairs.reduce(into: faults) { faults, repair in faults.add(repair) }
        return all.isEmpty ? EncodedResult(result, readFrom: json) : EncodedResult(result.counting(all), without: all)
    }

    /// A result with its text as the engine wrote it, which the host reads with the same reader.
    private func strictResult(
        from value: JSValueRef, _ read: (inout ContractReader) throws(ContractViolation) -> OperationResult
    ) throws(ScriptFault) -> EncodedResult {
        let (result, json) = try environment.readWithText(value) { reader throws(ContractViolation) in
            try reader.readingAll(read)
        }
        return EncodedResult(result, readFrom: json)
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
        guard [.search, .feed, .collection, .similar].contains(call.operation),
            let items = try environment.member("items", of: value)
        else { return (value, []) }
        return (try environment.member("0", of: items) ?? environment.runtime.null, [.field("items"), .index(0)])
    }
}

extension OperationResult {
    /// The result with the items that were left out of a page among the entries that it received.
    fileprivate func counting(_ faults: [ResultFault]) -> OperationResult {
        guard case .page(var page) = self else { return self }
        let lost = faults.reduce(0) { $1.loss == .item ? $0 + $1.count : $0 }
        if lost > 0 { page.received = max(page.received ?? 0, page.items.count + lost) }
        return .page(page)
    }
}

extension Page {
    /// What in a page cannot be true at once.
    fileprivate func contradiction(for query: ProviderQuery) -> ContractViolation? {
        let isFirst = query.page == 1 && query.offset == 0 && query.cursor == nil
        if let total, total > 0, entryCount == 0, isFirst, next == .counted || next == .end {
            return ContractViolation(path: "items", message: "expected items, since total is \(total), found none")
        }
        // A repeated id is dropped later, as sources do repeat items; the same id everywhere is a mapping gone wrong.
        if items.count > 1, items.allSatisfy({ $0.id == items[0].id }) {
            return ContractViolation(
                path: "items", message: "expected unique ids, found \(items[0].id.quoted) in every item")
        }
        return nil
    }
}

extension ContractReader {
    /// Reads what `download` gave: the media with another URL and headers.
    mutating func download(of media: Media) throws(ContractViolation) -> Media {
        var media = media
        var url: WebURL?
        try object("an object with a url") { reader, name throws(ContractViolation) in
            switch DownloadField(rawValue: name) {
            case .url: url = try reader.url()
            case .headers: media.headers = try reader.namedStrings()
            case nil: try reader.skip()
            }
        }
        guard let url else { throw missing("url", "an absolute URL") }
        media.url = url
        return media
    }
}
