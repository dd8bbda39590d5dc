import HTTPTypes
import ProviderModel

/// What was made of an answer, in whatever form it came.
struct DraftedAnswer: Sendable {
    /// How the items are read.
    enum Reading: Sendable {
        case json(AnswerList, ItemMapping, isScript: Bool)
        case feed(FeedShape)
        case page(PageShape)
    }

    let reading: Reading
    let paging: PagingMapping
    /// What a reader should look at again.
    let notes: [String]

    /// The request, with the roles that the answer has shown.
    var request: RequestPattern { paging.request }

    init(_ content: AnswerContent, request: RequestPattern, headers: HTTPFields) throws(DraftError) {
        var notes: [String] = []
        switch content {
        case .json(let json), .script(let json):
            guard let list = AnswerList(in: json, from: request.command.url) else {
                throw DraftError(
                    "found no list of images in the answer (\(json.preview)); expected an array of objects with an image's URL, "
                        + "or with ids it can be made of; was anything found by this request?")
            }
            var isScript = false
            if case .script = content { isScript = true }
            let mapping = ItemMapping(
                of: ItemFields(of: list.form == .urls ? [] : list.items, at: list.base))
            reading = .json(list, mapping, isScript: isScript)
            paging = PagingMapping(request, answer: json, list: list, headers: headers)
            if let path = mapping.relativePaths.first {
                notes.append(
                    "\(path) is a path, which is read against \(list.base.origin): check that it is there, "
                        + "and name the right server in `site` where it is not")
            }
            if list.form != .urls, mapping.media.files.isEmpty {
                notes.append(
                    "no field of the items is an image's whole URL; the source makes it of ids or paths: complete media by hand"
                )
            }
        case .feed(let shape):
            reading = .feed(shape)
            paging = PagingMapping(request, answer: nil, list: nil, headers: headers)
            if shape.hosts.isEmpty { notes.append("no entry of the feed has an image") }
        case .page(let shape):
            reading = .page(shape)
            paging = PagingMapping(request, answer: nil, list: nil, headers: headers)
            notes.append(
                "of a web page only links that hold an image are inferred: id, title, page and thumbnail; look for the element of one result"
            )
        }
        self.notes = notes + paging.notes
    }

    /// How many items there are.
    var count: Int {
        switch reading {
        case .json(let list, _, _): list.items.count
        case .feed(let shape): shape.count
        case .page(let shape): shape.count
        }
    }

    /// The hosts of the files.
    var mediaHosts: [String] {
        switch reading {
        case .json(let list, let mapping, _):
            list.form == .urls ? MediaMapping.patterns(for: list.items.compactMap(\.webURL)) : mapping.media.hosts
        case .feed(let shape): shape.hosts
        case .page(let shape): shape.hosts
        }
    }
}
