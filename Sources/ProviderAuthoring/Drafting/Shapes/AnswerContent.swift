import HTTPTypes
import ProviderModel

/// What an answer is: JSON, a feed, a web page.
enum AnswerContent: Sendable {
    case json(JSONValue)
    /// JSON as the argument of a function call.
    case script(JSONValue)
    case feed(FeedShape)
    case page(PageShape)

    /// Tells by the content itself: what servers say of it is often wrong.
    init(_ exchange: ProviderDraft.Exchange) throws(DraftError) {
        let text = String(decoding: exchange.content, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard !start.isEmpty else {
            throw DraftError("the answer is empty; a provider is begun from one with images in it")
        }
        let head = start.prefix(4_000).lowercased()
        if start.hasPrefix("<") {
            if let feed = FeedShape(text) {
                self = .feed(feed)
            } else if head.contains("<html") || head.hasPrefix("<!doctype html") {
                self = .page(try PageShape(text, at: exchange.command.url))
            } else {
                throw DraftError(
                    "the answer is XML that is neither RSS nor Atom, of which nothing is inferred; ask the source for JSON "
                        + "(often format=json), or begin with imgscript providers new NAME alone and read res.xml")
            }
            return
        }
        do throws(InvalidJSON) { self = .json(try JSONValue(parsing: exchange.content)) } catch {
            guard let open = start.firstIndex(of: "("), let close = start.lastIndex(of: ")"), open < close,
                start[..<open].allSatisfy({ $0.isLetter || $0.isNumber || "_.$".contains($0) }),
                let json = JSONValue.found(in: start[start.index(after: open)..<close].utf8)
            else { throw DraftError("unsupported response format (expected JSON, RSS, Atom or HTML)") }
            self = .script(json)
        }
    }

    /// What a `Content-Type` would say.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .script: "text/javascript"
        case .feed: "application/xml"
        case .page: "text/html; charset=utf-8"
        }
    }
}
