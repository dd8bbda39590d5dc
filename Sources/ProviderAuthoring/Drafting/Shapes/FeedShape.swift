import ProviderModel

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
                "the answer is a web page without an image inside a link, of which nothing is inferred; begin with "
                    + "imgscript providers new NAME alone and read res.html")
        }
        count = sources.count
        hosts = MediaMapping.patterns(for: sources)
    }
}
