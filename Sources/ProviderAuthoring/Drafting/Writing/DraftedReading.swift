import ProviderModel

/// The functions of a script that read the answer.
struct DraftedReading {
    private let answer: DraftedAnswer

    init(_ answer: DraftedAnswer) { self.answer = answer }

    /// Helpers of `require('imgscript')` that are used.
    var helpers: Set<String> {
        switch answer.reading {
        case .json(_, let mapping, _): mapping.helpers
        case .feed(let shape): shape.hasPictureInText ? ["parseDate", "parseHTML"] : ["parseDate"]
        case .page: []
        }
    }

    /// The server that paths in the answer lead from; nil where there are none.
    var site: String? {
        guard case .json(let list, let mapping, _) = answer.reading, !mapping.relativePaths.isEmpty else { return nil }
        return list.base.origin
    }

    /// Whether every recorded item becomes one of the page.
    var keepsAll: Bool {
        guard case .json(_, let mapping, _) = answer.reading else { return false }
        return mapping.media.files.isEmpty || mapping.media.files.contains { $0.url.isCertain && $0.url.isURL }
    }

    // MARK: The page

    /// The object that `parse` gives.
    func page(indentation: String) -> String {
        var members: [String] = []
        if let total = answer.paging.total { members.append("total: \(rooted(total.expression))") }
        members.append("items: \(items)")
        if let next = answer.paging.next { members.append("next: \(rooted(next))") }
        let short = "{ \(members.joined(separator: ", ")) }"
        if short.count + indentation.count < 96 { return short }
        return "{\n\(members.map { "\(indentation)  \($0),\n" }.joined())\(indentation)}"
    }

    private func rooted(_ expression: String) -> String {
        isScript ? expression.replacing("res.json", with: "unwrapped(res)") : expression
    }

    private var isScript: Bool { if case .json(_, _, true) = answer.reading { true } else { false } }

    private var items: String {
        switch answer.reading {
        case .json(let list, _, _):
            let items = "\(rooted(list.expression(from: "res.json"))).map(image)"
            return keepsAll || list.form == .urls ? items : items + ".filter((found) => found.media.length > 0)"
        case .feed(let shape):
            return "res.xml.querySelectorAll('\(shape.entry)').map(image).filter((found) => found.media.length > 0)"
        case .page: return "distinct(res.html.querySelectorAll('a[href] img[src]').map(image))"
        }
    }

    // MARK: The item

    /// The function that makes an item, and those it needs.
    var function: String {
        switch answer.reading {
        case .json(let list, let mapping, let isScript):
            (isScript ? Self.unwrapping : "") + (list.form == .urls ? Self.urlFunction : itemFunction(mapping))
        case .feed(let shape): feedFunction(shape)
        case .page: Self.pageFunction
        }
    }

    private static let unwrapping = """
        /** The answer is JSON as the argument of a call. @param {import('imgscript').Response} res */
        function unwrapped(res) {
          return JSON.parse(res.text.slice(res.text.indexOf('(') + 1, res.text.lastIndexOf(')')));
        }


        """

    private static let urlFunction = """
        /** @param {string} url @returns {import('imgscript').Item} */
        function image(url) {
          return { id: new URL(url).pathname.slice(1), type: 'image', media: [{ role: 'original', url }] };
        }

        """

    private func itemFunction(_ mapping: ItemMapping) -> String {
        var lines = [
            "/** @param {any} item @returns {import('imgscript').Item} */", "function image(item) {", "  return {",
        ]
        for (index, entry) in mapping.entries.enumerated() {
            lines.append("    \(entry.member): \(entry.expression),")
            if index == 0 { lines.append("    type: 'image',") }
        }
        let files = mapping.media.files
        let areCertain = files.allSatisfy { $0.url.isCertain && $0.url.isURL }
        if files.isEmpty {
            lines.append("    media: [], // the source makes the URLs of ids or paths")
        } else {
            lines.append(areCertain ? "    media: [" : "    media: /** @type {import('imgscript').Media[]} */ ([")
            lines += files.map { "      \(literal(of: $0, mapping))," }
            let areURLs = files.allSatisfy(\.url.isURL)
            lines.append(
                areCertain ? "    ]," : "    ]).filter((file) => \(areURLs ? "file.url" : "URL.canParse(file.url)")),")
        }
        lines += ["  };", "}", ""]
        return lines.joined(separator: "\n")
    }

    private func literal(of file: MediaMapping.File, _ mapping: ItemMapping) -> String {
        var members = [
            "role: '\(file.role.rawValue)'", "url: \(mapping.fields.url(file.url, from: ItemMapping.root))",
        ]
        for (name, field) in [("width", file.width), ("height", file.height), ("bytes", file.bytes)] {
            guard let field else { continue }
            let value = mapping.fields.expression(field.path, from: ItemMapping.root)
            members.append("\(name): \(field.holdsText ? "Number(\(value)) || null" : value)")
        }
        return "{ \(members.joined(separator: ", ")) }"
    }

    // MARK: Feeds and pages

    private func feedFunction(_ shape: FeedShape) -> String {
        let isAtom = shape.entry == "entry"
        func first(_ names: [String]) -> String? { names.first { shape.names.contains($0) } }
        func selector(_ name: String) -> String { name.replacing(":", with: "\\\\:") }
        var members: [String] = []
        let link = isAtom ? "entry.querySelector('link[rel=alternate], link')?.getAttribute('href')" : "text('link')"
        let id = first(isAtom ? ["id"] : ["guid"]).map { "text('\($0)')" }
        members.append("id: \(id.map { "\($0) ?? \(link)" } ?? link) ?? ''")
        members.append("type: 'image'")
        if let title = first(["media:title", "title"]) { members.append("title: text('\(selector(title))')") }
        members.append("page: \(link)")
        if let keywords = first(["media:keywords"]) {
            members.append("tags: text('\(selector(keywords))')?.split(/,\\s*/)")
        }
        if isAtom, shape.names.contains("author") {
            members.append("author: text('author > name') ? { name: text('author > name') ?? '' } : null")
        }
        if !isAtom, let author = first(["dc:creator", "media:credit", "author"]) {
            let way = "text('\(selector(author))')"
            members.append("author: \(way) ? { name: \(way) ?? '' } : null")
        }
        if let date = first(["published", "pubdate", "dc:date", "updated"]) {
            members.append("created: parseDate(text('\(date == "pubdate" ? "pubDate" : selector(date))'))")
        }
        members.append("media")
        let body = members.map { "    \($0),\n" }.joined()
        return """
            /** @param {import('imgscript').Element} entry @returns {import('imgscript').Item} */
            function image(entry) {
              const text = (/** @type {string} */ name) => entry.querySelector(name)?.textContent.trim();
              /** @type {import('imgscript').Media[]} */
              const media = [];
            \(feedMedia(shape))  return {
            \(body)  };
            }

            """
    }

    private func feedMedia(_ shape: FeedShape) -> String {
        if shape.hasPictureInText {
            let names = shape.entry == "entry" ? ["content", "summary"] : ["content:encoded", "description"]
            let name = (names.first { shape.names.contains($0) } ?? names[1]).replacing(":", with: "\\\\:")
            return """
                  const picture = parseHTML(text('\(name)') ?? '').querySelector('img');
                  if (picture) media.push({ role: 'large', url: picture.src });

                """
        }
        var text = ""
        let files = ["media:content", "enclosure", "media:thumbnail"].filter { shape.names.contains($0) }
        for name in files {
            let role = name == "media:thumbnail" ? "thumbnail" : "large"
            if role == "large", name != files[0] { continue }
            let variable = role == "large" ? "file" : "preview"
            text += """
                  const \(variable) = entry.querySelector('\(name.replacing(":", with: "\\\\:"))');
                  if (\(variable)?.getAttribute('url')) {
                    media.push({ role: '\(role)', url: \(variable).getAttribute('url') ?? '', ...size(\(variable)) });
                  }

                """
        }
        if text.isEmpty {
            text = """
                  const file = entry.querySelector('link[rel=enclosure]');
                  if (file) media.push({ role: 'large', url: file.href });

                """
        }
        let helper = """
              const size = (/** @type {import('imgscript').Element} */ element) => ({
                width: Number(element.getAttribute('width')) || null, height: Number(element.getAttribute('height')) || null,
              });

            """
        return (text.contains("size(") ? helper : "") + text
    }

    private static let pageFunction = """
        /** Every link that holds an image. @param {import('imgscript').Element} picture @returns {import('imgscript').Item} */
        function image(picture) {
          const link = picture.closest('a');
          return {
            id: new URL(link?.href ?? '').pathname,
            type: 'image',
            title: picture.getAttribute('alt') || link?.textContent.trim() || null,
            page: link?.href,
            media: [{ role: 'thumbnail', url: picture.src }],
          };
        }

        /** A result often has several links to its page. @param {import('imgscript').Item[]} items */
        function distinct(items) {
          return [...new Map(items.map((item) => [item.id, item])).values()];
        }

        """
}
