import HTTPTypes
import ProviderModel

/// What an answer is: JSON, a feed, a web page.
enum AnswerContent: Sendable {
    case json(JSONValue)
    /// JSON as the argument of a function call.
    case script(JSONValue)
    case feed(FeedShape)
    case page(PageShape)
    /// JSON in a script of a web page.
    case embedded(EmbeddedJSON)

    /// Recognized by the content itself: what servers say of it is often wrong.
    init(_ exchange: ProviderDraft.Exchange) throws(DraftError) {
        let text = String(decoding: exchange.content, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard !start.isEmpty else {
            throw DraftError("the response is empty (expected one with images)")
        }
        let head = start.prefix(4_000).lowercased()
        if start.hasPrefix("<") {
            if let feed = FeedShape(text, at: exchange.command.url) {
                self = .feed(feed)
            } else if head.contains("<html") || head.hasPrefix("<!doctype html") {
                self = try Self.page(text, at: exchange.command.url)
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

    /// A page's own data where it has more images than its links show, else the links.
    private static func page(_ text: String, at url: WebURL) throws(DraftError) -> AnswerContent {
        let embedded = EmbeddedJSON(in: text, at: url)
        do throws(DraftError) {
            let page = try PageShape(text, at: url)
            if let embedded, embedded.count >= page.count { return .embedded(embedded) }
            return .page(page)
        } catch {
            guard let embedded else { throw error }
            return .embedded(embedded)
        }
    }

    /// What a `Content-Type` would say.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .script: "text/javascript"
        case .feed: "application/xml"
        case .page, .embedded: "text/html; charset=utf-8"
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
    /// Whether titles hold markup, or entities that are escaped once more.
    let hasMarkupInTitles: Bool
    /// Whether entries link to a licence with `rel="license"`.
    let linksLicense: Bool
    /// The link to the next page of the feed (RFC 5005), and the name of its element; nil where there is none.
    let next: (url: WebURL, element: String)?

    /// Looks at a text from a place; nil when it is no feed.
    init?(_ text: String, at url: WebURL) {
        let scan = MarkupScan(text).tags
        guard let root = scan.first(where: { !$0.name.hasPrefix("?") })?.name,
            ["rss", "feed", "rdf:rdf", "channel"].contains(root)
        else { return nil }
        entry = root == "feed" ? "entry" : "item"
        let name = entry
        let inside = Array(scan.drop { $0.name != name })
        next =
            scan.prefix { $0.name != name }.lazy.compactMap { tag -> (url: WebURL, element: String)? in
                guard ["link", "atom:link"].contains(tag.name), tag.attributes["rel"] == "next",
                    let reference = tag.attributes["href"]?.replacing("&amp;", with: "&"),
                    let next = try? url.resolving(reference)  // no URL, no page
                else { return nil }
                return (next, tag.name)
            }.first
        linksLicense = inside.contains { $0.name == "link" && $0.attributes["rel"] == "license" }
        hasMarkupInTitles =
            inside.contains { $0.name == "title" && ["html", "xhtml"].contains($0.attributes["type"] ?? "") }
            || text.firstMatch(of: /<title[^>]*>[^<]*&amp;(?:#\d+|[a-z]+);/) != nil
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
    /// The attribute that names the files: `src`, or one from which a script loads them later.
    let attribute: String
    /// The attribute that names each picture in several sizes; nil where there is none.
    let sizes: String?
    /// Whether some images have a placeholder in `src`.
    let hasPlaceholders: Bool
    /// The link to the next page; nil where there is none.
    let next: WebURL?

    /// Attributes that name a file, those of pages that load pictures late first.
    private static let attributes = [
        "data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-srcset", "data-lazy-srcset", "src",
        "srcset",
    ]

    /// Looks at a page; fails when no image is in a link.
    init(_ text: String, at url: WebURL) throws(DraftError) {
        let tags = MarkupScan(text).tags
        let address = tags.first { $0.name == "base" }?.attributes["href"]
        let base = address.flatMap { try? url.resolving($0.replacing("&amp;", with: "&")) } ?? url  // as browsers do
        let links = text.matches(
            of: /<a\s[^>]*href[^>]*>((?:(?!<\/a>)[\s\S])*?<img\s(?:(?!<\/a>)[\s\S])*)/.ignoresCase())
        let pictures = links.map { link in MarkupScan(String(link.1)).tags.filter { $0.name == "img" } }
        let found = Self.attributes.map { name in
            (name: name, files: pictures.compactMap { Self.file(named: name, of: $0, at: base) })
        }
        // The first that names as many pictures as any: a placeholder is the same everywhere.
        let most = found.map { Set($0.files).count }.max() ?? 0
        guard most > 0, let best = found.first(where: { Set($0.files).count == most }) else {
            throw DraftError(
                "no image inside a link in the web page",
                hint: .several([.createProvider, "parse res.html in the script"]))
        }
        attribute = best.name
        count = best.files.count
        let sets = found.first { $0.name.hasSuffix("srcset") && $0.files.count == best.files.count }
        sizes = sets?.name
        hosts = MediaMapping.patterns(for: best.files + (sets?.files ?? []))
        hasPlaceholders = pictures.joined().contains { $0.attributes["src"]?.hasPrefix("data:") ?? false }
        next =
            tags.lazy.compactMap { tag in
                guard ["a", "link"].contains(tag.name), tag.attributes["rel"] == "next" else { return nil }
                // What is no URL leads nowhere.
                return tag.attributes["href"].flatMap { try? base.resolving($0.replacing("&amp;", with: "&")) }
            }.first
    }

    /// The file that one of a link's pictures names in an attribute.
    private static func file(named name: String, of pictures: [MarkupScan.Tag], at base: WebURL) -> WebURL? {
        pictures.lazy.compactMap { picture -> WebURL? in
            guard var text = picture.attributes[name]?.replacing("&amp;", with: "&"), !text.isEmpty else { return nil }
            if name.hasSuffix("srcset") {
                text = text.split(separator: ",").last?.split(separator: " ").first.map(String.init) ?? ""
            }
            // What is no URL is no image.
            return text.isEmpty || text.hasPrefix("data:") ? nil : try? base.resolving(text)
        }.first
    }
}

/// JSON that a web page has in a script: the data it is made of.
struct EmbeddedJSON: Sendable {
    /// The JSON.
    let json: JSONValue
    /// The expression of its text over `res`.
    let expression: String
    /// How many items it lists.
    let count: Int

    /// Finds the JSON that lists the most images; nil where none lists several.
    init?(in text: String, at url: WebURL) {
        let found = Self.candidates(in: text).compactMap { candidate -> (JSONValue, String, Int)? in
            guard let json = JSONValue.found(in: candidate.text.utf8), let list = AnswerList(in: json, from: url),
                list.items.count > 1
            else { return nil }
            return (json, candidate.expression, list.items.count)
        }
        guard let best = found.max(by: { $0.2 < $1.2 }) else { return nil }
        (json, expression, count) = best
    }

    private static func candidates(in text: String) -> [(text: String, expression: String)] {
        var found: [(text: String, expression: String)] = []
        var places: [String: Int] = [:]
        for script in text.matches(of: /<script([^>]*)>([\s\S]*?)<\/script>/.ignoresCase()) {
            let attributes = MarkupScan("<script\(script.1)>").tags.first?.attributes ?? [:]
            let content = String(script.2)
            if let type = attributes["type"]?.lowercased(), type.hasSuffix("json") {
                let place = places[type, default: 0]
                places[type] = place + 1
                let selector = attributes["id"].map { "script[id=\"\($0)\"]" } ?? "script[type=\"\(type)\"]"
                let element =
                    attributes["id"] != nil || place == 0
                    ? "querySelector('\(selector)')" : "querySelectorAll('\(selector)')[\(place)]"
                found.append((content, "res.html.\(element)?.textContent"))
            } else if let match = content.firstMatch(
                of: /(?:window\.|var |const |let )([A-Za-z_$][\w$]*)\s*=\s*([{\[])/)
            {
                let start = content[match.range.lowerBound...].firstIndex(of: match.2.first ?? "{") ?? content.endIndex
                guard let value = balanced(content[start...]) else { continue }
                found.append((value, "assigned(res.text, '\(match.1)')"))
            }
        }
        return found
    }

    /// The text up to the bracket that closes the first.
    private static func balanced(_ text: Substring) -> String? {
        var depth = 0
        var isInText = false, isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isInText = false
                }
                continue
            }
            switch character {
            case "\"": isInText = true
            case "{", "[": depth += 1
            case "}", "]":
                depth -= 1
                if depth == 0 { return String(text[...index]) }
            default: break
            }
        }
        return nil
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
