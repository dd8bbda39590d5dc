import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// The arguments of an operation as a script gets them.
struct OperationArguments {
    private let call: OperationCall
    private let manifest: ProviderManifest

    init(_ call: OperationCall, manifest: ProviderManifest) {
        self.call = call
        self.manifest = manifest
    }

    /// The values, in the order of the contract; the caller has to release them.
    func keptValues(in runtime: ScriptRuntime) -> [JSValueRef] {
        texts.map { text in
            guard let value = runtime.value(fromJSON: ScriptText(text)) else {
                preconditionFailure("invalid JSON from the host: \(text.quoted)")
            }
            runtime.keep(value)
            return value
        }
    }

    private var texts: [String] {
        switch call {
        case .search(let query), .feed(let query), .similar(let query): [text(of: query)]
        case .details(let item, _): [item.contractJSON.description]
        case .collection(let item, let query): [item.contractJSON.description, text(of: query)]
        case .download(let media, let item, _): [text(of: media), item.contractJSON.description]
        case .session: []
        }
    }

    private func text(of media: Media) -> String {
        var json = JSONWriter()
        media.write(to: &json)
        return json.text
    }

    private func text(of query: ProviderQuery) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("text", query.text)
            json.member("page", manifest.paging == .page0 ? query.page - 1 : query.page)
            json.member("offset", query.offset)
            json.member("limit", query.limit)
            if let cursor = query.cursor {
                json.name("cursor")
                json.value(cursor)
            }
            json.name("params")
            json.object { json in
                for parameter in query.parameters {
                    json.name(parameter.name)
                    parameter.value.write(to: &json)
                }
            }
            if let near = query.near {
                json.name("near")
                json.object { json in
                    json.member("lat", near.latitude)
                    json.member("lon", near.longitude)
                }
            }
            if let image = query.image {
                json.name("image")
                json.object { json in
                    json.member("url", image.url)
                    json.member("name", image.name)
                    json.member("format", image.format)
                    json.member("bytes", image.byteCount == 0 ? nil : image.byteCount)
                }
            }
            json.member("instance", query.instance ?? manifest.instance?.default)
        }
        return json.text
    }
}

extension ParameterValue {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .text(let text): json.value(text)
        case .number(let number): json.value(number)
        case .boolean(let flag): json.value(flag)
        case .list(let values): json.array(values) { $0.value($1) }
        }
    }
}

extension OperationCall {
    /// The server the user chose, or the provider's own choice; nil for a single service.
    func instance(in manifest: ProviderManifest) -> WebURL? {
        guard let instance = manifest.instance else { return nil }
        switch self {
        case .search(let query), .feed(let query), .collection(_, let query), .similar(let query):
            return query.instance ?? instance.default
        case .details(_, let chosen), .download(_, _, let chosen), .session(let chosen):
            return chosen ?? instance.default
        }
    }
}
