import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// Goes once through what a script's first call takes, while the worker waits for others.
///
/// What reads and checks a request or an answer is compiled when it is first used, and its code comes into memory page by
/// page: half of what the first page of a start takes. Nothing of the script runs here, and nothing stays. What cannot be
/// made ready is made when it is needed.
struct Rehearsal {
    let environment: ScriptEnvironment

    private static let request = #"{"url": "https://images.example/", "query": {"q": "a b", "page": 1, "tag": ["c"]}}"#
    private static let page = """
        {"total": 1, "items": [{"id": "1", "type": "image", "title": "A", "page": "https://images.example/1", "tags": ["a"], \
        "author": {"name": "B"}, "media": [{"role": "large", "url": "https://images.example/1.jpg", "width": 2, "height": 1}]}]}
        """

    /// A call and the request it ends with; returns whether all went through.
    @discardableResult
    func request(of manifest: ProviderManifest) -> Bool {
        let runtime = environment.runtime
        let call = OperationCall.search(ProviderQuery(text: "a"))
        let arguments = OperationArguments(call, manifest: manifest).keptValues(in: runtime)
        defer { for value in arguments { runtime.release(value) } }
        guard let value = runtime.value(fromJSON: ScriptText(Self.request)) else { return false }
        do throws(ScriptFault) {
            let asked = try environment.read(value) { reader throws(ContractViolation) in
                try reader.requests(base: manifest.base)
            }
            try environment.checkNothingIsDropped(from: value)
            return !WorkerMessage.requests(asked.requests).frame.isEmpty
        } catch {
            return false
        }
    }

    /// An answer and the page that is read from it; returns whether all went through.
    @discardableResult
    func answer(within limits: WorkerLimits) -> Bool {
        guard let url = try? WebURL("https://images.example/") else { return false }
        let responses = environment.responses
        let number = responses.add(ProviderResponse(status: 200, url: url, body: Array(Self.page.utf8)))
        defer { responses.removeAll() }
        guard
            let response = try? environment.runtime.call(
                environment.prelude.response,
                [.number(Double(number)), .number(200), .text(url.description), .text("[]")]),
            let page = try? environment.runtime.property("json", of: response)
        else { return false }
        let reader = OperationResultReader(call: .search(ProviderQuery()), environment: environment, limits: limits)
        return (try? reader.result(from: page)) != nil
    }
}
