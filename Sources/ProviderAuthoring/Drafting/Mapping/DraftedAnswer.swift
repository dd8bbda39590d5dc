import HTTPTypes
import ProviderModel

/// The mapping of a response in any format.
struct DraftedAnswer: Sendable {
    let reading: any DraftedReading
    private(set) var paging: PagingMapping

    /// The request, with the roles that the answer has shown.
    var request: RequestPattern { paging.request }

    /// What a reader should look at again.
    var notes: [String] { reading.notes + paging.notes }

    /// Reads an answer; `second` is the request of the page after it, where that is known.
    init(
        _ content: AnswerContent, request: RequestPattern, second: RequestPattern? = nil, headers: HTTPFields
    ) throws(DraftError) {
        try self.init(content, request, headers)
        guard let second else { return }
        let json: JSONValue? =
            switch content {
            case .json(let json), .script(let json): json
            case .embedded(let page): page.json
            case .feed, .page: nil
            }
        let list = json.flatMap { AnswerList(in: $0, from: request.command.url) }
        paging.settle(by: second, answer: json, list: list, headers: headers)
    }

    private init(
        _ content: AnswerContent, _ request: RequestPattern, _ headers: HTTPFields
    ) throws(DraftError) {
        switch content {
        case .json(let json): self = try Self.drafted(json, .response, request, headers)
        case .script(let json): self = try Self.drafted(json, .call, request, headers)
        case .embedded(let page): self = try Self.drafted(page.json, .page(page.expression), request, headers)
        case .feed(let shape):
            let link = shape.next.map { next in
                let selector = "\(next.element.replacing(":", with: "\\\\:"))[rel=next]"
                return (url: next.url, expression: "res.xml.querySelector('\(selector)')?.href")
            }
            self.init(FeedReading(shape: shape), PagingMapping(request, headers: headers, link: link))
        case .page(let shape):
            let link = shape.next.map { (url: $0, expression: "res.html.querySelector('[rel=next]')?.href") }
            self.init(PageReading(shape: shape), PagingMapping(request, headers: headers, link: link))
        }
    }

    private init(_ reading: any DraftedReading, _ paging: PagingMapping) {
        self.reading = reading
        self.paging = paging
    }

    private static func drafted(
        _ json: JSONValue, _ source: JSONReading.Source, _ request: RequestPattern, _ headers: HTTPFields
    ) throws(DraftError) -> DraftedAnswer {
        guard let list = AnswerList(in: json, from: request.command.url) else {
            throw DraftError(
                "no list of images in the response: \(json.preview) (expected an array of objects with an image's URL, "
                    + "or with ids to build one)")
        }
        return DraftedAnswer(
            JSONReading(list, in: source), PagingMapping(request, answer: json, list: list, headers: headers))
    }
}

/// How a script reads the items of an answer of one kind.
protocol DraftedReading: Sendable {
    /// How many items were recorded.
    var count: Int { get }
    /// The hosts of the files.
    var mediaHosts: [String] { get }
    /// What a reader should look at again.
    var notes: [String] { get }
    /// What was made of the answer.
    var findings: [ProviderDraft.Finding] { get }

    /// What `accept` of a request names; nil for JSON.
    var accept: String? { get }
    /// The expression of the answer's JSON.
    var root: String { get }
    /// Helpers of `require('imgscript')` that are used.
    var helpers: Set<String> { get }
    /// The server that paths in the answer lead from; nil where there are none.
    var site: String? { get }
    /// The expression of the page's items.
    var items: String { get }
    /// The function that makes an item, and those it needs.
    var function: String { get }

    /// Whether every item has a file.
    var hasFiles: Bool { get }
    /// What a test expects of the page.
    func expectations(total: AnswerTotal?) -> [String]
}

extension DraftedReading {
    var root: String { "res.json" }
    var site: String? { nil }
    var hasFiles: Bool { true }
    func expectations(total: AnswerTotal?) -> [String] { Self.someItems }

    /// The expectation where it is not known which items a page keeps.
    static var someItems: [String] { ["expect(page.items.length).toBeGreaterThan(0);"] }
}
