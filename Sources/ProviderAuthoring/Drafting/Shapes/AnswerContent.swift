import HTTPTypes
import ProviderModel

/// What an answer is: JSON, a feed, a web page.
enum AnswerContent: Sendable {
    case json(JSONValue)
    /// JSON as the argument of a function call.
    case script(JSONValue)
    case feed(FeedShape)
    case page(PageShape)

    /// Recognized by the content itself: what servers say of it is often wrong.
    init(_ exchange: ProviderDraft.Exchange) throws(DraftError) {
        let text = String(decoding: exchange.content, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard !start.isEmpty else {
            throw DraftError("the response is empty (expected one with images)")
        }
        let head = start.prefix(4_000).lowercased()
        if start.hasPrefix("<") {
            if let feed = FeedShape(text) {
                self = .feed(feed)
            } else if head.contains("<html") || head.hasPrefix("<!doctype html") {
                self = .page(try PageShape(text, at: exchange.command.url))
            } else {
                throw DraftError(
                    "unsupported XML format (expected RSS or Atom)",
                    hint: .several([
                        "request JSON if the source supports it (often format=json)", .createProvider,
                        "parse res.xml in the script",
                    ]))
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

/// What the entries of a recorded feed have: RSS 1 and 2, Atom, and Yahoo's media elements in them.
struct FeedShape: Sendable {
    /// The element of an entry: `item` or `entry`.
    let entry: String
    /// How many entries there are.
    let count: Int
    /// The names of all elements in entries.
    let names: Set<String>
    /// Whether the files stand in HTML that is text of the entry.
    let hasPictureInText: Bool
    /// The hosts of the files.
    let hosts: [String]

    /// Looks at a text; nil when it is no feed.
    init?(_ text: String) {
        let scan = MarkupScan(text).tags
        guard let root = scan.first(where: { !$0.name.hasPrefix("?") })?.name,
            ["rss", "feed", "rdf:rdf", "channel"].contains(root)
        else { return nil }
        entry = root == "feed" ? "entry" : "item"
        let name = entry
        let inside = Array(scan.drop { $0.name != name })
        count = inside.count { $0.name == name }
        names = Set(inside.map(\.name))
        let escaped = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
        let pictures = MarkupScan(escaped).tags.filter { $0.name == "img" }.compactMap { $0.attributes["src"] }
        let files =
            inside.filter { ["media:content", "media:thumbnail", "enclosure"].contains($0.name) }.compactMap {
                $0.attributes["url"]
            }
            + inside.filter { $0.name == "link" && $0.attributes["rel"] == "enclosure" }.compactMap {
                $0.attributes["href"]
            }
        hasPictureInText = files.isEmpty && !pictures.isEmpty
        hosts = MediaMapping.patterns(
            for: (files.isEmpty ? pictures : files).compactMap {
                JSONValue.text($0.replacing("&amp;", with: "&")).webURL
            })
    }
}

/// What is to be seen of images in a recorded web page: every link that holds one.
struct PageShape: Sendable {
    /// How many links hold an image.
    let count: Int
    /// The hosts of the images.
    let hosts: [String]

    /// Looks at a page; fails when no image is in a link.
    init(_ text: String, at url: WebURL) throws(DraftError) {
        let links = text.matches(of: /<a\s[^>]*href[^>]*>(?:(?!<\/a>)[\s\S])*?<img\s([^>]*)>/.ignoresCase())
        let sources = links.compactMap { link -> WebURL? in
            let tag = MarkupScan("<img \(link.1)>").tags.first
            let source = tag?.attributes["src"]?.replacing("&amp;", with: "&")
            // What is no URL is no image.
            return source.flatMap { $0.isEmpty || $0.hasPrefix("data:") ? nil : try? url.resolving($0) }
        }
        guard !sources.isEmpty else {
            throw DraftError(
                "no image inside a link in the web page",
                hint: .several([.createProvider, "parse res.html in the script"]))
        }
        count = sources.count
        hosts = MediaMapping.patterns(for: sources)
    }
}

/// Tags of a text of XML or HTML with their attributes: enough to see which names occur, no parser.
struct MarkupScan {
    /// An opening tag.
    struct Tag: Hashable, Sendable {
        /// The name in lower case, prefix included.
        let name: String
        /// Attributes by lower-case name, entities as they stand.
        let attributes: [String: String]
    }

    /// In the order they stand.
    let tags: [Tag]

    init(_ text: String, atMost limit: Int = 20_000) {
        var tags: [Tag] = []
        for match in text.matches(
            of: /<([A-Za-z][A-Za-z0-9:_.-]*)((?:\s+[^\s=>\/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/
        ).prefix(limit) {
            var attributes: [String: String] = [:]
            for pair in match.2.matches(of: /([^\s=>\/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/) {
                attributes[pair.1.lowercased()] = String(pair.2 ?? pair.3 ?? pair.4 ?? "")
            }
            tags.append(Tag(name: match.1.lowercased(), attributes: attributes))
        }
        self.tags = tags
    }
}
