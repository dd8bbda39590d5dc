import HTTPTypes
import ProviderModel

/// The mapping of a response in any format.
struct DraftedAnswer: Sendable {
    let reading: any DraftedReading
    let paging: PagingMapping

    /// The request, with the roles that the answer has shown.
    var request: RequestPattern { paging.request }

    /// What a reader should look at again.
    var notes: [String] { reading.notes + paging.notes }

    init(_ content: AnswerContent, request: RequestPattern, headers: HTTPFields) throws(DraftError) {
        switch content {
        case .json(let json): self = try Self.drafted(json, isScript: false, request, headers)
        case .script(let json): self = try Self.drafted(json, isScript: true, request, headers)
        case .feed(let shape): self.init(FeedReading(shape: shape), PagingMapping(request, headers: headers))
        case .page(let shape): self.init(PageReading(shape: shape), PagingMapping(request, headers: headers))
        }
    }

    private init(_ reading: any DraftedReading, _ paging: PagingMapping) {
        self.reading = reading
        self.paging = paging
    }

    private static func drafted(
        _ json: JSONValue, isScript: Bool, _ request: RequestPattern, _ headers: HTTPFields
    ) throws(DraftError) -> DraftedAnswer {
        guard let list = AnswerList(in: json, from: request.command.url) else {
            throw DraftError(
                "no list of images in the response: \(json.preview) (expected an array of objects with an image's URL, "
                    + "or with ids to build one)")
        }
        return DraftedAnswer(
            JSONReading(list, isScript: isScript), PagingMapping(request, answer: json, list: list, headers: headers))
    }
}
